/** Megabytes of JSON that nobody has paid for are walked in no single turn (ATK-7). */
import { describe, expect, test } from "vitest";
import { batchRun } from "../../src/capabilities/batch/run.js";
import { jsonDiff } from "../../src/capabilities/json/diff.js";
import { jsonQuery } from "../../src/capabilities/json/query.js";
import { jsonValidate } from "../../src/capabilities/json/validate.js";
import { createHandler } from "../../src/handler/handler.js";
import { bodyOf } from "../support/body.js";
import { longestTurn } from "../support/longest-turn.js";

const capabilities = [jsonDiff, jsonQuery, jsonValidate, batchRun];
const treasury = { "eip155:84532": "0x000000000000000000000000000000000000dEaD" };
const selling = createHandler({
  capabilities,
  payment: { treasury, facilitator: { url: "http://127.0.0.1:9" } },
} as never);
const free = createHandler({ capabilities, payment: false } as never);

const post = (handle: typeof selling, path: string, body: string) =>
  handle(
    new Request(`http://localhost/api/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    }),
  );

const numbers = (count: number) => `[${"0,".repeat(count - 1)}0]`;
const MANY = 900_000;

describe("ATK-7 long JSON", () => {
  test.each([
    ["json/diff", `{"document":${numbers(MANY)},"other":${numbers(MANY)}}`],
    ["json/query", `{"query":"$[0]","document":${numbers(MANY)}}`],
    ["json/query", `{"query":"$[0]","document":[1e5,${numbers(MANY).slice(1)}}`],
    ["json/validate", `{"schema":{},"instance":${numbers(MANY)}}`],
    ["json/validate", `{"schema":{},"instance":1,"schemas":[${numbers(MANY)}]}`],
  ])("the price of %s asks for no walk", async (path, body) => {
    const turns = [];
    for (let i = 0; i < 3; i++) {
      const { ms, result } = await longestTurn(() => post(selling, path, body));
      expect(result?.status).toBe(402);
      turns.push(ms);
    }
    expect(Math.min(...turns)).toBeLessThan(40);
  });

  test("bounds are those of a short one, counted while it is read", async () => {
    const many = await post(selling, "json/query", `{"query":"$","document":${numbers(1_000_001)}}`);
    expect([many.status, await bodyOf(many)]).toMatchObject([
      400,
      { issues: [{ path: "document", message: "must have at most 1000000 values in all" }] },
    ]);
    const escapes = `"${"\\u0041".repeat(600_000)}"`;
    expect((await post(selling, "json/query", `{"query":"$","document":[${escapes}]}`)).status).toBe(402);
    const long = `"${"a".repeat(3_000_001)}"`;
    expect(await bodyOf(await post(selling, "json/query", `{"query":"$","document":[${long}]}`))).toMatchObject({
      issues: [{ path: "document", message: "must have at most 3000000 characters" }],
    });
  });

  test.each([
    ["1e999", '{"query":"$","document":{"a":[1,1e999]}}', "document.a.1"],
    ["-1e999 in a long one", `{"query":"$","document":[-1e999,${numbers(50_000).slice(1)}}`, "document"],
    ["a number of 400 digits", `{"query":"$","document":[${"9".repeat(400)}]}`, "document.0"],
  ])("%s is refused by its place", async (_, body, path) => {
    const refused = await post(selling, "json/query", body);
    expect([refused.status, await bodyOf(refused)]).toMatchObject([
      400,
      { issues: [{ path, message: "is too large for a number" }] },
    ]);
  });

  test("large numbers that JavaScript has are taken", async () => {
    const small = `0.${"0".repeat(400)}1`;
    const answer = await post(free, "json/query", `{"query":"$[*]","document":[1e308,${small},-1E-999,2e+5]}`);
    expect([answer.status, JSON.stringify(await bodyOf(answer))]).toEqual([
      200,
      expect.stringContaining("[1e+308,0,0,200000]"),
    ]);
  });

  test("a long document gives what a short one gives", async () => {
    const row = (id: number) => `{"id":${id},"name":"tea \\"${id}\\"","__proto__":{"a":1}}`;
    const rows = (count: number) => `[${Array.from({ length: count }, (_, i) => row(i)).join(", ")}]`;
    for (const count of [2, 5_000]) {
      const found = await bodyOf(await post(free, "json/query", `{"query":"$[1]","document":${rows(count)}}`));
      expect(JSON.stringify(found)).toContain('{"id":1,"name":"tea \\"1\\"","__proto__":{"a":1}}');
      const same = await bodyOf(await post(free, "json/diff", `{"document":${rows(count)},"other":${rows(count)}}`));
      expect(JSON.stringify(same)).toContain('"equal":true');
      const valid = await bodyOf(
        await post(free, "json/validate", `{"schema":{"items":{"required":["id"]}},"instance":${rows(count)}}`),
      );
      expect(JSON.stringify(valid)).toContain('"valid":true');
      const patched = await post(
        free,
        "json/diff",
        `{"operation":"apply","document":1,"patch":{"rows":${rows(count)}}}`,
      );
      expect([patched.status, await bodyOf(patched)]).toMatchObject([400, { issues: [{ path: "patch" }] }]);
      const schema = await post(free, "json/validate", `{"schema":${rows(count)},"instance":1}`);
      expect([schema.status, await bodyOf(schema)]).toMatchObject([400, { issues: [{ path: "schema" }] }]);
    }
  });

  test("text that is no JSON is refused by the thread, and charges nothing", async () => {
    const broken = await post(free, "json/query", `{"query":"$","document":[nul,${numbers(50_000).slice(1)}}`);
    expect([broken.status, await bodyOf(broken)]).toMatchObject([400, { code: "INVALID_INPUT" }]);
  });
});
