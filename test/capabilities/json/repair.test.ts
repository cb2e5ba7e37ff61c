import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { jsonRepair } from "../../../src/capabilities/json/index.js";
import { pathFromRoot } from "../../support/render-indexes.js";

const repair = async (text: string) => {
  const item = (await jsonRepair({ text })).items[0];
  if (!item) throw new Error("no item");
  return item;
};

describe("json.repair", () => {
  test("repairs and tells each change", async () => {
    const item = await repair("{name: 'Tea', ok: True,}");
    expect(item).toMatchObject({
      value: { name: "Tea", ok: true },
      json: '{"name":"Tea","ok":true}',
      changed: true,
      certain: true,
    });
    expect(item.changes.map(({ position, kind }) => [position, kind])).toEqual([
      [1, "quotes"],
      [5, "quotes"],
      [7, "quotes"],
      [11, "quotes"],
      [14, "quotes"],
      [16, "quotes"],
      [18, "constant"],
      [22, "trailing-comma"],
    ]);
  });

  test("leaves valid JSON alone, with every digit", async () => {
    expect(await repair(' {"a": 12345678901234567890.10}')).toEqual({
      value: { a: "12345678901234567890.10" },
      json: '{"a":12345678901234567890.10}',
      changed: false,
      changes: [],
      certain: true,
    });
  });

  test.each([
    ['```json\n{"a": 1}\n```', { a: 1 }],
    ["Here is your JSON:\n```json\n{'a': 1}\n```\nEnjoy!", { a: 1 }],
    ["Sure! {a: 1}", { a: 1 }],
    ['{"a": 1, // one\n"b": 2}', { a: 1, b: 2 }],
    ['{“a”: "b"}', { a: "b" }],
    ['{"a": "b"', { a: "b" }],
    ["[1, 2, 3, ...]", [1, 2, 3]],
  ])("reads %j", async (text, value) => expect((await repair(text)).value).toEqual(value));

  test.each(['{"a": [1, 2', '{"a": "b", "c', '{"a": 1 "b": 2}', '{"a": 1, "a": 2}', "[1, 2"])(
    "is not certain of %j",
    async (text) => expect(await repair(text)).toMatchObject({ changed: true, certain: false }),
  );

  test("treats __proto__ as a name", async () => {
    const { value } = await repair("{__proto__: {a: 1}}");
    expect(Object.keys(value as object)).toEqual(["__proto__"]);
    expect({}).not.toHaveProperty("a");
  });

  test.each([
    ["", /1 to 1000000/],
    [" \n", /blank/],
    ["[".repeat(50_000), /levels|nested|deep/],
    ['{"a":}:]]{', /cannot be repaired/],
  ])("refuses %.20j", async (text, message) => {
    await expect(repair(text)).rejects.toMatchObject({
      status: 400,
      issues: [{ path: "text", message: expect.stringMatching(message) }],
    });
  });

  test("ends on large broken texts", async () => {
    for (const part of ['{"a":', "'", "[1,", '"\\', "{a:b,", "/*", "```"])
      await jsonRepair({ text: part.repeat(Math.floor(200_000 / part.length)) }).catch(({ status }) =>
        expect(status).toBe(400),
      );
  });
});

const SUITE = pathFromRoot("../shared/beyond/json-repair.json");
test.skipIf(!existsSync(SUITE))("reads at least 108 of json_repair's 189 as it does", async () => {
  const cases: { input: string; expected: unknown }[] = JSON.parse(readFileSync(SUITE, "utf8"));
  let same = 0;
  for (const { input, expected } of cases) {
    const item = await repair(input).catch(({ status }) => void expect(status).toBe(400));
    if (item && JSON.stringify(item.value) === JSON.stringify(expected)) same++;
  }
  expect(same).toBeGreaterThanOrEqual(108);
});
