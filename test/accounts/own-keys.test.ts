/** Keys that the owner of an account makes, rotates and revokes: none comes to more than it has. */
import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { ALICE, customersShop } from "../support/own-account.js";
import { mallory } from "../support/wallets.js";

const WORK = "/test/work?n=1";
const OTHER_KEY = `key_${"0".repeat(32)}`;

describe("OWN-4 keys of an owner", () => {
  it("are made with limits of their own, listed, and revoked at once", async () => {
    const { by, buy, get } = customersShop();
    const { key } = await buy();
    const ask = by(key);
    const limits = { perMinute: 5, usdPerDay: "0.002", endpoints: ["test.work"] };
    const made = await ask("POST", "/account/keys", { label: "laptop", limits });
    expect([made.status, made.body.account]).toEqual([200, ALICE]);
    const { keys } = (await ask("GET", "/account/keys")).body;
    expect(keys).toMatchObject([{ label: "top-up" }, { id: made.body.id, label: "laptop", limits }]);
    expect(JSON.stringify(keys)).not.toContain(made.body.key);
    const headers = { authorization: `Bearer ${made.body.key}` };
    expect((await get("/test/other?n=1", headers)).status).toBe(402);
    expect([(await get(WORK, headers)).status, (await get(WORK, headers)).status]).toEqual([200, 200]);
    expect((await get(WORK, headers)).status).toBe(402);
    const ended = await ask("DELETE", `/account/keys?id=${made.body.id}`);
    expect([ended.status, ended.body]).toEqual([200, { account: ALICE, id: made.body.id, revoked: true }]);
    expect((await get(WORK, headers)).status).toBe(401);
    expect((await ask("DELETE", "/account/keys", { id: made.body.id })).status).toBe(200);
  });

  it("may be kept to groups", async () => {
    const { by, buy, get, accounts } = customersShop();
    const ask = by((await buy()).key);
    const { key } = (await ask("POST", "/account/keys", { limits: { groups: ["test"] } })).body;
    const { key: none } = (await ask("POST", "/account/keys", { limits: { groups: [] } })).body;
    const { key: own } = await accounts.createKey(ALICE, {
      limits: { groups: ["account"], endpoints: ["test.other"] },
    });
    const status = async (sent: string, path = WORK) => (await get(path, { authorization: `Bearer ${sent}` })).status;
    expect([await status(key), await status(none), await status(own)]).toEqual([200, 402, 402]);
    expect(await status(own, "/test/other?n=1")).toBe(200);
    expect((await ask("GET", "/account/keys")).body.keys[1].limits).toEqual({ groups: ["test"] });
  });

  it("rotate with their limits, and the same count of them", async () => {
    const { by, buy, get } = customersShop();
    const ask = by((await buy()).key);
    const limits = { usdPerDay: "0.002" };
    const { id, key } = (await ask("POST", "/account/keys", { limits })).body;
    await get(WORK, { authorization: `Bearer ${key}` });
    const next = (await ask("POST", "/account/keys", { rotate: id, overlapSeconds: 60 })).body;
    const headers = { authorization: `Bearer ${next.key}` };
    expect([(await get(WORK, headers)).status, (await get(WORK, headers)).status]).toEqual([200, 402]);
    expect((await ask("POST", "/account/keys", { rotate: id, label: "x" })).body.issues[0].path).toBe("label");
  });

  it.each([
    [{ limits: { freePerMonth: { calls: 9 } } }, "limits.freePerMonth"],
    [{ limits: { endpoints: ["no.such"] } }, "limits.endpoints.0"],
    [{ limits: { groups: ["nosuch"] } }, "limits.groups.0"],
    [{ limits: { usdPerDay: "-1" } }, "limits.usdPerDay"],
    [{ expiresAt: "2001-01-01T00:00:00Z" }, "expiresAt"],
    [{ overlapSeconds: 5 }, "overlapSeconds"],
    [{ label: "" }, "label"],
  ])("are refused by field: %j", async (body, field) => {
    const { by, buy, accounts } = customersShop();
    const answer = await by((await buy()).key)("POST", "/account/keys", body);
    expect([answer.status, answer.body.issues[0].path]).toEqual([400, field]);
    expect(await accounts.listKeys(ALICE)).toHaveLength(1);
  });
});

describe("OWN-5 a key with limits or an end", () => {
  it.each([
    ["limits", { limits: { usdPerDay: "0.001" } }],
    ["a scope", { limits: { groups: ["test"] } }],
    ["an end", { expiresAt: "2100-01-01T00:00:00Z" }],
  ])("with %s makes no other, and sees, rotates and revokes itself alone", async (_, facts) => {
    const { by, buy, accounts } = customersShop();
    const whole = by((await buy()).key);
    const { key, id } = (await whole("POST", "/account/keys", facts)).body;
    const { id: other } = (await whole("POST", "/account/keys", {})).body;
    const ask = by(key);
    const refused = [
      await ask("POST", "/account/keys", {}),
      await ask("POST", "/account/keys", { limits: { usdPerDay: "0.0001" } }),
      await ask("POST", "/account/keys", { rotate: other }),
      await ask("DELETE", `/account/keys?id=${other}`),
      await ask("DELETE", `/account/keys?id=${OTHER_KEY}`),
    ];
    expect(refused.map(({ status, body }) => `${status} ${body.code}`)).toEqual(refused.map(() => "403 NOT_ALLOWED"));
    expect((await ask("GET", "/account/keys")).body.keys.map((one: { id: string }) => one.id)).toEqual([id]);
    const next = (await ask("POST", "/account/keys", { rotate: id })).body;
    const [, , , rotated] = await accounts.listKeys(ALICE);
    const { limits, expiresAt } = rotated ?? {};
    expect({ limits, expiresAt: expiresAt && Date.parse(expiresAt) }).toEqual({
      limits: (facts as { limits?: object }).limits,
      expiresAt: "expiresAt" in facts ? Date.parse(facts.expiresAt as string) : undefined,
    });
    expect((await by(next.key)("DELETE", `/account/keys?id=${next.id}`)).status).toBe(200);
    expect((await by(next.key)("GET", "/account/balance")).status).toBe(401);
  });

  it("has no successor without its end, however often it is rotated at once", async () => {
    const { by, buy, accounts } = customersShop();
    const whole = by((await buy()).key);
    const { key, id } = (await whole("POST", "/account/keys", { limits: { usdPerDay: "0.001" } })).body;
    const made = await Promise.all(Array.from({ length: 6 }, () => by(key)("POST", "/account/keys", { rotate: id })));
    expect(made.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const one of (await accounts.listKeys(ALICE)).slice(1)) expect(one.limits).toEqual({ usdPerDay: "0.001" });
  });

  it("is judged in the step that makes a key: of one that is revoked meanwhile none follows", async () => {
    const store = createMemoryStore();
    const { buy, accounts } = customersShop({ store });
    const { key } = await buy();
    const [{ id = "" } = {}] = await accounts.listKeys(ALICE);
    const slow = Object.assign(Object.create(store), {
      put: async (name: string, ...rest: unknown[]) => {
        // The way to the new key is written after the first judgement, and before the step.
        if (name.startsWith("account-key:") && JSON.stringify(rest).includes(ALICE)) await accounts.revokeKey(id);
        return (store.put as (...all: unknown[]) => unknown)(name, ...rest);
      },
    });
    const second = customersShop({ store: slow });
    expect((await second.by(key)("POST", "/account/keys", {})).status).toBe(401);
    expect(await accounts.listKeys(ALICE)).toHaveLength(1);
    expect(await store.list("account-key:", { limit: 9 })).toHaveLength(1);
  });
});

describe("OWN-6 a foreign key", () => {
  it("is not found, as one that is not there is not, by the same steps", async () => {
    const store = createMemoryStore();
    const reads: string[] = [];
    const watched = Object.assign(Object.create(store), {
      get: (name: string) => {
        reads.push(name);
        return store.get(name);
      },
    });
    const { by, buy, accounts } = customersShop({ store: watched });
    const { key } = await buy();
    await buy("5", mallory);
    const foreign = await accounts.createKey("ada");
    await by(key)("GET", "/account/keys");
    for (const body of [undefined, "rotate"] as const) {
      const told: [unknown, string[]][] = [];
      for (const id of [foreign.id, OTHER_KEY, "__proto__", "constructor"]) {
        reads.length = 0;
        const { status, body: answer } = body
          ? await by(key)("POST", "/account/keys", { rotate: id })
          : await by(key)("DELETE", `/account/keys?id=${id}`);
        const { requestId: _, ...problem } = JSON.parse(JSON.stringify(answer).replaceAll(id, "ID"));
        told.push([{ status, problem }, [...reads]]);
      }
      expect(told[0]).toMatchObject([{ status: 404, problem: { code: "NOT_FOUND" } }, {}]);
      for (const one of told) expect(one).toEqual(told[0]);
    }
    expect((await by(foreign.key)("GET", "/account/keys")).body.keys).toMatchObject([{ id: foreign.id }]);
  });
});

it("OWN-4 what an owner changes is in the host's log, and what a stranger tries is not", async () => {
  const { by, buy, handle, signIn } = customersShop();
  const { key } = await buy();
  const ask = by(key);
  const { id } = (await ask("POST", "/account/keys", { label: "second" })).body;
  const { id: next } = (await ask("POST", "/account/keys", { rotate: id })).body;
  await ask("DELETE", `/account/keys?id=${next}`);
  await ask("DELETE", `/account/keys?id=${OTHER_KEY}`);
  await by((await signIn(mallory)).session)("POST", "/account/keys", {});
  const [{ id: own = "" } = {}] = await handle.accounts.listKeys(ALICE);
  const log: unknown[] = [];
  for await (const { by: who, what, of, outcome } of handle.audit()) log.push([who, what, of, outcome]);
  expect(log).toEqual([
    [own, "accounts.createKey", ALICE, "done"],
    [own, "accounts.rotateKey", id, "done"],
    [own, "accounts.revokeKey", next, "done"],
  ]);
});
