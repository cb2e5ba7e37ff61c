import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import type { Store } from "../../src/stores/store.js";
import { bodyOf } from "../support/body.js";
import { fakeClock } from "../support/clock.js";
import { openShop, type ShopOptions } from "../support/shop.js";

const WORK = "/test/work?n=1";

async function open(options: ShopOptions = {}) {
  const clock = fakeClock();
  const asked: string[] = [];
  const memory = createMemoryStore({ clock });
  const store: Store = {
    ...memory,
    get(key) {
      asked.push(`get ${key.split(":")[0]}`);
      return memory.get(key);
    },
    put(key, value, more) {
      asked.push(`put ${key.split(":")[0]}`);
      return memory.put(key, value, more);
    },
    increment(key, by, more) {
      asked.push(`increment ${key.split(":")[0]}`);
      return memory.increment(key, by, more);
    },
  };
  const shop = openShop({ accounts: { keys: true }, trial: false, clock, store, ...options });
  const { accounts } = shop.handle;
  await accounts.topUp("ada", "1", { reference: "r" });
  const call = (key: string, path = WORK) => shop.get(path, { authorization: `Bearer ${key}` });
  return { ...shop, store, accounts, call, asked, memory };
}

describe("a key", () => {
  it("is told once: the store has only its hash, and lists show how it begins", async () => {
    const { accounts, memory, clock } = await open();
    const expiresAt = new Date(clock().getTime() + 3_600_000);
    const made = await accounts.createKey("ada", { label: "laptop", limits: { perMinute: 9 }, expiresAt });
    expect(made.key).toMatch(/^svc_[0-9a-f]{48}$/);
    expect(made.key.startsWith(made.prefix)).toBe(true);
    const rows = await memory.list("account", { limit: 100 });
    const all = JSON.stringify(rows);
    expect(all).not.toContain(made.key.slice(12));
    expect(all).toContain(createHash("sha256").update(made.key).digest("hex"));
    expect(await accounts.listKeys("ada")).toEqual([
      {
        id: made.id,
        prefix: made.prefix,
        label: "laptop",
        limits: { perMinute: 9 },
        createdAt: "2026-06-01T12:00:00.000Z",
        expiresAt: "2026-06-01T13:00:00.000Z",
      },
    ]);
  });

  it("that is unknown, revoked or expired is 401 and never a quote, even for a bare probe", async () => {
    const { accounts, call, clock } = await open();
    const { key: revoked, id } = await accounts.createKey("ada");
    const { key: expired } = await accounts.createKey("ada", { expiresAt: new Date(clock().getTime() + 1000) });
    expect((await call(revoked)).status).toBe(200);
    await accounts.revokeKey(id);
    clock.advance(2);
    const wrong = [revoked, expired, `svc_${"0".repeat(48)}`, "svc_short", "other_key", "x".repeat(5000)];
    for (const key of wrong)
      for (const path of [WORK, "/test/work", "/test/work?n=none"]) {
        const answer = await call(key, path);
        expect(answer.status).toBe(401);
        expect(answer.headers.get("www-authenticate")).toContain("Bearer");
        expect(await bodyOf(answer)).toMatchObject({ code: "INVALID_KEY" });
      }
  });

  it.each([
    ["no token", () => "Bearer"],
    ["two tokens", (key: string) => `Bearer ${key} ${key}`],
    ["the header sent twice", (key: string) => `Bearer ${key}, Bearer ${key}`],
    ["two different ones", (key: string) => `Bearer none, Bearer ${key}`],
    ["quotes", (key: string) => `Bearer "${key}"`],
    ["capitals", (key: string) => `Bearer ${key.toUpperCase()}`],
    ["an equals sign", (key: string) => `Bearer=${key}`],
    ["a megabyte", () => `Bearer ${"a".repeat(1 << 20)}`],
    ["a megabyte of blanks and commas", () => `Bearer ${" ,".repeat(1 << 19)}x`],
  ])("ACC-14 with %s is 401, never a quote", async (_, header) => {
    const { accounts, get } = await open();
    const { key } = await accounts.createKey("ada");
    const answer = await get(WORK, { authorization: header(key) });
    expect(answer.status).toBe(401);
    expect(await answer.text()).not.toContain(key);
  });

  it("ACC-14 is taken in any case of its scheme, and no other scheme is a key", async () => {
    const { accounts, get } = await open();
    const { key } = await accounts.createKey("ada");
    const statusOf = async (authorization: string) => (await get(WORK, { authorization })).status;
    for (const scheme of ["Bearer", "bearer", "BEARER  "]) expect(await statusOf(`${scheme} ${key}`)).toBe(200);
    for (const other of [`Basic ${key}`, `Bearers ${key}`, `Bearer-Key ${key}`, key])
      expect(await statusOf(other)).toBe(402);
  });

  it("ACC-15 that is refused leaves no row behind", async () => {
    const { accounts, memory } = await open();
    for (let i = 0; i < 100; i++) await accounts.createKey("ada");
    const [first] = await accounts.listKeys("ada");
    await expect(accounts.createKey("ada")).rejects.toMatchObject({ code: "QUOTA_EXCEEDED" });
    await expect(accounts.rotateKey(first?.id ?? "")).rejects.toMatchObject({ code: "QUOTA_EXCEEDED" });
    expect(await memory.list("account-key:", { limit: 200 })).toHaveLength(100);
  });

  it("ACC-16 gets no answer that another key of the account bought at an endpoint that it may not call", async () => {
    const { accounts, get, runs } = await open();
    const { key: whole } = await accounts.createKey("ada");
    const { key: small } = await accounts.createKey("ada", { limits: { endpoints: ["test.other"] } });
    const call = (key: string) => get(WORK, { authorization: `Bearer ${key}`, "idempotency-key": "mine" });
    expect((await call(whole)).status).toBe(200);
    const refused = await call(small);
    expect([refused.status, runs()]).toEqual([402, 1]);
    expect(await bodyOf(refused)).toMatchObject({ code: "ACCOUNT_LIMIT" });
    expect((await call(whole)).status).toBe(200);
  });

  it("that is unknown costs one read, no row and no line of the log", async () => {
    const lines: string[] = [];
    const write = (_: object, message: string) => void lines.push(message);
    const logger = { debug() {}, info() {}, warn: write, error: write };
    const { call, asked } = await open({ logger });
    asked.length = 0;
    for (let i = 0; i < 50; i++) await call(`svc_${String(i).padStart(48, "0")}`);
    await call("nonsense");
    const ofKeys = asked.filter((one) => one !== "get switches");
    expect(ofKeys).toEqual(Array.from({ length: 50 }, () => "get account-key"));
    expect(lines).toEqual([]);
  });

  it("shares the account of others within limits of its own", async () => {
    const { accounts, call } = await open();
    const { key: small } = await accounts.createKey("ada", { limits: { usdPerDay: "0.001" } });
    const { key: large } = await accounts.createKey("ada");
    expect([(await call(small)).status, (await call(small)).status, (await call(large)).status]).toEqual([
      200, 402, 200,
    ]);
    expect((await accounts.balance("ada")).availableUsd).toBe("0.998");
  });

  it("that is rotated goes on in its count, and the old one ends after the overlap", async () => {
    const { accounts, call, clock } = await open();
    const old = await accounts.createKey("ada", { label: "job", limits: { usdPerDay: "0.002" } });
    await call(old.key);
    const made = await accounts.rotateKey(old.id, { overlapSeconds: 60 });
    expect((await call(made.key)).status).toBe(200);
    expect((await call(old.key)).status).toBe(402);
    clock.advance(60);
    expect((await call(old.key)).status).toBe(401);
    expect((await call(made.key)).status).toBe(402);
    expect(await accounts.listKeys("ada")).toMatchObject([{ id: old.id }, { id: made.id, label: "job" }]);
    await expect(accounts.rotateKey(old.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(accounts.revokeKey("key_none")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it.each([
    ["expiresAt in the past", { expiresAt: "2020-01-01" }, "expiresAt"],
    ["expiresAt that is no time", { expiresAt: "soon" }, "expiresAt"],
    ["a label that is too long", { label: "x".repeat(101) }, "label"],
    ["an unknown limit", { limits: { perHour: 1 } }, "perHour"],
  ])("with %s is not created", async (_, facts, named) => {
    const { accounts } = await open();
    await expect(accounts.createKey("ada", facts as object)).rejects.toThrow(named);
    expect(await accounts.listKeys("ada")).toEqual([]);
  });

  it("takes its place among a hundred", async () => {
    const { accounts } = await open();
    for (let i = 0; i < 100; i++) await accounts.createKey("ada");
    await expect(accounts.createKey("ada")).rejects.toMatchObject({ code: "QUOTA_EXCEEDED" });
  });
});

it("a host without accounts reads no store for them, and rejects their operations", async () => {
  const { asked, get, payFor, pay } = await openWithout();
  asked.length = 0;
  expect((await get(WORK, { authorization: "Bearer svc_key" })).status).toBe(402);
  expect(asked.filter((one) => one.includes("account"))).toEqual([]);
  expect((await pay(WORK, await payFor(WORK))).status).toBe(200);
  expect(asked.filter((one) => one.includes("account"))).toEqual([]);
  await expect(openShop().handle.accounts.balance("ada")).rejects.toMatchObject({ code: "PROVIDER_NOT_CONFIGURED" });
});

/** The same store, looked at by a host that has accounts and one that has none. */
async function openWithout() {
  const { store, asked, clock } = await open();
  return { ...openShop({ store, clock, trial: false }), asked };
}
