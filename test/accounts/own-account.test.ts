/** The endpoints at which the owner of an account sees it: who gets in, and what is told. */
import { describe, expect, it } from "vitest";
import { createClient } from "../../src/client/index.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { ALICE, customersShop } from "../support/own-account.js";
import { mallory } from "../support/wallets.js";

const WORK = "/test/work?n=1";
const READ = ["/account/balance", "/account/grants", "/account/usage", "/account/statement", "/account/keys"];

describe("OWN-1 who may look at an account", () => {
  it.each(READ)("at %s nobody without a key or a sign-in, and the 401 says how", async (path) => {
    const { send } = customersShop();
    const { status, body, headers } = await send("GET", path);
    expect([status, body.code, headers.get("www-authenticate")]).toEqual([
      401,
      "SIGN_IN_REQUIRED",
      'Bearer realm="shop.test"',
    ]);
    expect(body.detail).toContain("Authorization: Bearer");
    expect(body.extensions["sign-in-with-x"].info.uri).toBe(`http://shop.test/api${path}`);
    expect(headers.get("cache-control")).toBe("no-store");
  });

  it.each(READ)("at %s the owner by a key, and by the wallet's sign-in", async (path) => {
    const { send, by, buy, proofFor } = customersShop();
    const { key } = await buy();
    const headers = await proofFor(await send("GET", path));
    const answers = [await by(key)("GET", path), await send("GET", path, { headers })];
    for (const { status, body } of answers) expect([status, body.account]).toEqual([200, ALICE]);
    expect((await send("GET", path, { headers })).status).toBe(401);
  });

  it("by no key that is unknown, revoked or over", async () => {
    const { by, buy, accounts, clock } = customersShop();
    const { key } = await buy();
    const [{ id = "" } = {}] = await accounts.listKeys(ALICE);
    const { key: short } = await accounts.createKey(ALICE, { expiresAt: new Date(clock.seconds() * 1000 + 60_000) });
    expect((await by(short)("GET", "/account/balance")).status).toBe(200);
    clock.advance(61);
    await accounts.revokeKey(id);
    for (const sent of [key, short, `svc_${"0".repeat(48)}`, "nonsense"]) {
      const { status, body } = await by(sent)("GET", "/account/balance");
      expect([status, body.code]).toEqual([401, "INVALID_KEY"]);
    }
  });

  it("by no proof of another wallet, for another address, or of another service", async () => {
    const { send, buy, proofFor } = customersShop();
    await buy();
    const asked = await send("GET", "/account/balance");
    const headers = await proofFor(asked);
    expect((await send("GET", "/account/usage", { headers })).status).toBe(401);
    const foreign = await send("GET", "/account/balance", { headers: await proofFor(asked, mallory) });
    expect([foreign.status, foreign.body.availableUsd]).toEqual([200, "0"]);
    expect(foreign.body.account).not.toBe(ALICE);
    const { headers: other } = { headers: await proofFor(await send("GET", "/account/balance")) };
    expect((await customersShop().send("GET", "/account/balance", { headers: other })).status).toBe(401);
  });

  it("by a session, which ends, pays for nothing, opens no other, and is bound to its host", async () => {
    const store = createMemoryStore();
    const { by, buy, signIn, clock } = customersShop({ store });
    await buy();
    const { session, account } = await signIn();
    expect(account).toBe(ALICE);
    const ask = by(session);
    expect((await ask("GET", "/account/balance")).body.availableUsd).toBe("5");
    expect((await ask("GET", WORK)).status).toBe(401);
    expect((await ask("POST", "/account/session", {})).status).toBe(401);
    const other = customersShop({ store, brand: { baseUrl: "http://other.test" } });
    expect((await other.by(session)("GET", "/account/balance")).status).toBe(401);
    const [head, text = "", seal] = session.split(".");
    const forged = Buffer.from(
      Buffer.from(text, "base64url")
        .toString()
        .replace(/\d{13}/, "9999999999999"),
    );
    const tried = [`${head}.${forged.toString("base64url")}.${seal}`, `${head}.${text}`, `${head}.`, `${session}x.y`];
    for (const token of tried) expect((await by(token)("GET", "/account/balance")).status).toBe(401);
    clock.advance(31 * 60);
    expect((await ask("GET", "/account/balance")).body.code).toBe("SIGN_IN_REQUIRED");
  });

  it("is no wallet where the host sells it no balance", async () => {
    const { send } = customersShop({ accounts: { keys: true } });
    const { status, body } = await send("GET", "/account/balance");
    expect([status, body.code, body.extensions]).toEqual([401, "SIGN_IN_REQUIRED", undefined]);
    expect((await send("POST", "/account/session")).status).toBe(404);
  });

  it("is the host's own user, but for a request that another page may have made", async () => {
    const { send, accounts } = customersShop({ accounts: { keys: true, identify: () => ({ id: "ada" }) } });
    await accounts.topUp("ada", "2", { reference: "r" });
    expect((await send("GET", "/account/balance")).body).toMatchObject({ account: "ada", availableUsd: "2" });
    const forged: Record<string, string>[] = [
      { origin: "https://evil.test" },
      { "sec-fetch-site": "cross-site" },
      { accept: "image/png" },
    ];
    for (const headers of forged) expect((await send("GET", "/account/balance", { headers })).status).toBe(401);
    const form = { "content-type": "text/plain", "sec-fetch-site": "same-site" };
    expect((await send("POST", "/account/keys", { headers: form, body: {} })).status).toBe(401);
    expect(await accounts.listKeys("ada")).toEqual([]);
  });

  it("is asked of the host's policy, as any caller", async () => {
    const seen: string[] = [];
    const { by, buy } = customersShop({
      policy: ({ endpoint, account }) => {
        seen.push(`${endpoint} ${account}`);
        return endpoint === "account.usage" ? { allow: false, code: "NO", reason: "No." } : { allow: true };
      },
    });
    const { key } = await buy();
    expect((await by(key)("GET", "/account/balance")).status).toBe(200);
    expect((await by(key)("GET", "/account/usage")).status).toBe(403);
    expect(seen).toContain(`account.balance ${ALICE}`);
  });

  it("has a pace", async () => {
    const { by, buy, clock } = customersShop();
    const { key } = await buy();
    const statuses: number[] = [];
    for (let i = 0; i < 121; i++) statuses.push((await by(key)("GET", "/account/balance")).status);
    expect([statuses.at(-2), statuses.at(-1)]).toEqual([200, 429]);
    clock.advance(61);
    expect((await by(key)("GET", "/account/balance")).status).toBe(200);
  });
});

describe("OWN-2 what is told", () => {
  it("is the balance, what is used by day and endpoint, and each entry", async () => {
    const { by, buy, get, accounts, clock } = customersShop();
    const { key } = await buy();
    const headers = { authorization: `Bearer ${key}` };
    for (let i = 0; i < 3; i++) await get(WORK, headers);
    const given = (await get("/test/other?n=1", headers)).headers.get("x-request-id") ?? "";
    clock.advance(86_400);
    await get(WORK, headers);
    await accounts.refund(given);
    const ask = by(key);
    expect((await ask("GET", "/account/balance")).body).toEqual({
      account: ALICE,
      availableUsd: "4.996",
      heldUsd: "0",
    });
    const { rows, total, from, to, next } = (await ask("GET", "/account/usage")).body;
    const [first, second] = [new Date(Date.parse(to) - 86_400_000).toISOString().slice(0, 10), to];
    const none = { freeUsd: "0", refundedUsd: "0" };
    expect(rows).toEqual([
      { day: first, endpoint: "test.other", calls: 1, usd: "0.001", ...none },
      { day: first, endpoint: "test.work", calls: 3, usd: "0.003", ...none },
      { day: second, endpoint: "test.other", calls: 0, usd: "0", freeUsd: "0", refundedUsd: "0.001" },
      { day: second, endpoint: "test.work", calls: 1, usd: "0.001", ...none },
    ]);
    expect([total, next]).toEqual([{ calls: 5, usd: "0.005", freeUsd: "0", refundedUsd: "0.001" }, undefined]);
    expect(Date.parse(to) - Date.parse(from)).toBe(29 * 86_400_000);
    const today = (await ask("GET", `/account/usage?from=${to}`)).body;
    expect(today.rows).toEqual(rows.slice(2));
    const { entries } = (await ask("GET", `/account/statement?from=${first}&to=${first}`)).body;
    expect(entries.map(({ kind, usd }: Record<string, string>) => [kind, usd])).toEqual([
      ["grant", "5"],
      ...Array.from({ length: 4 }, () => ["sale", "-0.001"]),
    ]);
    expect((await ask("GET", "/account/grants")).body.grants).toMatchObject([{ kind: "paid", leftUsd: "4.996" }]);
  });

  it("is told in parts, each entry once", async () => {
    const { by, buy, get } = customersShop();
    const { key } = await buy();
    for (let i = 0; i < 52; i++) await get(WORK, { authorization: `Bearer ${key}` });
    const seen: string[] = [];
    for (let after = ""; ; ) {
      const { body } = await by(key)("GET", `/account/statement?limit=20${after}`);
      seen.push(...body.entries.map(({ id }: { id: string }) => id));
      if (body.next === undefined) break;
      after = `&after=${body.next}`;
    }
    expect(seen).toEqual(Array.from({ length: 53 }, (_, i) => String(i)));
  });

  it("has no formula in its CSV, and no note of the host's", async () => {
    const { by, buy, accounts } = customersShop();
    const { key } = await buy();
    await accounts.grant(ALICE, { usd: "1", note: '=HYPERLINK("https://evil.test")', reference: "@sum" });
    await accounts.adjust(ALICE, "-1", { reference: "+1+1", note: "Suspected fraud" });
    const { body, headers } = await by(key)("GET", "/account/statement?format=csv");
    expect([headers.get("content-type"), headers.get("content-disposition")]).toEqual([
      "text/csv; charset=utf-8",
      'attachment; filename="statement.csv"',
    ]);
    const cells = body.split("\r\n").flatMap((row: string) => row.match(/"(?:[^"]|"")*"|[^,]+/g) ?? []);
    expect(cells.length).toBeGreaterThan(20);
    for (const cell of cells) if (!/^-?[\d.]+$/.test(cell)) expect(cell).not.toMatch(/^"?[=+\-@]/);
    expect(body).not.toContain("Suspected");
    expect(JSON.stringify((await by(key)("GET", "/account/statement")).body)).not.toContain("Suspected");
  });

  it.each([
    ["/account/statement?limit=1001", "limit"],
    ["/account/statement?format=pdf", "format"],
    ["/account/statement?from=2026-02-30", "from"],
    ["/account/usage?from=2026-02-03&to=2026-02-01", "to"],
    ["/account/usage?after=x", "after"],
  ])("is refused by field: %s", async (path, field) => {
    const { by, buy } = customersShop();
    const { key } = await buy();
    const { status, body } = await by(key)("GET", path);
    expect([status, body.issues[0].path]).toEqual([400, field]);
  });

  it("is nothing of an account that is not there, and opens none", async () => {
    const store = createMemoryStore();
    const { by, signIn } = customersShop({ store });
    const { session } = await signIn(mallory);
    for (const path of READ) expect((await by(session)("GET", path)).status).toBe(200);
    const { status, body } = await by(session)("POST", "/account/keys", {});
    expect([status, body.code]).toEqual([404, "NOT_FOUND"]);
    expect(await store.list("account", { limit: 9 })).toEqual([]);
  });
});

describe("OWN-3 the endpoints", () => {
  it("are free in directory, OpenAPI and tools, and sold nowhere", async () => {
    const { handle } = customersShop();
    const own = handle.directory({ group: "account" }).endpoints.filter(({ id }) => id !== "account.top-up");
    expect(own.map(({ id, method, path }) => `${id} ${method} ${path}`)).toEqual([
      "account.balance GET /api/account/balance",
      "account.grants GET /api/account/grants",
      "account.usage GET /api/account/usage",
      "account.statement GET /api/account/statement",
      "account.keys GET /api/account/keys",
      "account.keys-create POST /api/account/keys",
      "account.keys-revoke DELETE /api/account/keys",
      "account.close POST /api/account/close",
      "account.session POST /api/account/session",
    ]);
    for (const { price } of own) expect(price).toEqual({ mode: "fixed", usd: "0" });
    const { paths } = handle.openapi();
    expect(Object.keys(paths["/api/account/keys"] ?? {})).toEqual(["get", "post", "delete"]);
    const { responses, security } = paths["/api/account/balance"]?.get ?? {};
    expect(Object.keys(responses ?? {})).toContain("401");
    expect(Object.keys(responses ?? {})).not.toContain("402");
    expect(security).toEqual([{ account: [] }, { siwx: [] }]);
    const listed = await handle(new Request("http://shop.test/api/.well-known/x402"));
    expect(await listed.text()).not.toContain("account/balance");
  });

  it("refuse a wrong method, and answer the question of a browser", async () => {
    const { send } = customersShop();
    const { status, headers } = await send("PUT", "/account/keys");
    expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD, POST, DELETE, OPTIONS"]);
    const asked = await send("OPTIONS", "/account/keys");
    expect(asked.headers.get("access-control-allow-methods")).toBe("GET, HEAD, POST, DELETE, OPTIONS");
  });

  it("are not mounted where accounts have no owners here", () => {
    const { handle } = customersShop({ accounts: { identify: () => undefined } });
    expect(handle.directory({ group: "account" }).endpoints).toEqual([]);
  });

  it("answer in the process for the account that is named", async () => {
    const { handle, accounts } = customersShop();
    await accounts.topUp("ada", "2", { reference: "r" });
    expect(await handle.call("account.balance" as never, {} as never, { wallet: "acct:ada" })).toMatchObject({
      availableUsd: "2",
    });
    await expect(handle.call("account.balance" as never, {} as never)).rejects.toMatchObject({
      code: "SIGN_IN_REQUIRED",
    });
  });
});

it("OWN-3 a client and a tool call them by the key of their connection", async () => {
  const { buy, handle, accounts } = customersShop();
  const { key } = await buy();
  const fetch: typeof globalThis.fetch = (input, init) => handle(new Request(input, init));
  const client = createClient({ baseUrl: "http://shop.test/api", apiKey: key, fetch });
  const { account } = client as unknown as Record<string, Record<string, (input?: object) => Promise<{ id: string }>>>;
  expect(await account?.balance?.()).toMatchObject({ availableUsd: "5" });
  const { id = "" } = (await account?.keysCreate?.({ label: "second" })) ?? {};
  expect(await account?.keysRevoke?.({ id })).toMatchObject({ revoked: true });
  const asked = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "account_balance", arguments: {} } };
  const told = await handle(
    new Request("http://shop.test/api/mcp", {
      method: "POST",
      headers: {
        ...{ authorization: `Bearer ${key}`, "content-type": "application/json" },
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify(asked),
    }),
  );
  expect(await told.text()).toContain('"availableUsd":"5"');
  expect((await accounts.listKeys(ALICE))[1]?.revokedAt).toBeDefined();
});
