/** Buyers who ask for their money back: who may, how often, in time, and that it is given back once. */
import { createSIWxPayload, encodeSIWxHeader } from "@x402/extensions/sign-in-with-x";
import { Redis } from "ioredis";
import pg from "pg";
import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, describe, expect, it } from "vitest";
import { silent } from "../../src/lib/logger.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { createPostgresStore } from "../../src/stores/postgres/index.js";
import { createRedisStore } from "../../src/stores/redis/index.js";
import type { Store } from "../../src/stores/store.js";
import { bodyOf } from "../support/body.js";
import { fakeClock } from "../support/clock.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { startPostgres } from "../support/postgres.js";
import { startRedis } from "../support/redis.js";
import { announceSkip } from "../support/server.js";
import { NETWORK, openShop, type ShopOptions } from "../support/shop.js";
import { alice, mallory, quoteOf } from "../support/wallets.js";

const [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
if (!redis) announceSkip("requests for refunds on Redis", "there is no redis-server");
if (!postgres) announceSkip("requests for refunds on Postgres", "there is no Postgres here");
const clients = redis ? [new Redis(redis.url), new Redis(redis.url)] : [];
const pools = postgres ? [1, 2].map(() => new pg.Pool({ connectionString: postgres.url, max: 4 })) : [];
afterAll(async () => {
  for (const client of clients) client.disconnect();
  await Promise.all(pools.map((pool) => pool.end()));
  await Promise.all([redis?.stop(), postgres?.stop()]);
});

const STORES: Record<string, () => Store[]> = {
  memory() {
    const store = { ...createMemoryStore(), shared: true };
    return [{ ...store }, { ...store }];
  },
  ...(redis ? { redis: () => clients.map((client) => createRedisStore(client, { prefix: "{refunds}:" })) } : {}),
  ...(postgres ? { postgres: () => pools.map((pool) => createPostgresStore(pool, { schema: "refunds" })) } : {}),
};

const WORK = "/test/work?n=1";
const POLICY = { withinDays: 14, conditions: "Empty answers are given back." };
const UNKNOWN = "00000000-0000-4000-8000-000000000000";

function open({ refundPolicy = POLICY, ...options }: ShopOptions = {}) {
  const clock = options.clock ?? fakeClock(new Date().toISOString());
  const shop = openShop({
    ...{ logger: silent, node: true, store: createMemoryStore({ clock }), clock, trial: false },
    ...{ brand: { baseUrl: "http://shop.test" }, accounts: { keys: true }, refundPolicy },
    ...options,
  });
  const ask = (body: unknown, headers: Record<string, string> = {}) =>
    shop.handle(
      new Request("http://shop.test/api/payment/refund-request", {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      }),
      { clientAddress: "203.0.113.7" },
    );
  /** A wallet's sign-in, by the offer of the 401. */
  async function signedIn(signer: PrivateKeyAccount, path = "/payment/refund-request") {
    const url = `http://shop.test/api${path}`;
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify(path.startsWith("/payment") ? { requestId: UNKNOWN } : {});
    const challenge = await shop.handle(new Request(url, { method: "POST", headers, body }));
    const { extensions } = (await challenge.json()) as { extensions: SignInOffer };
    const told = { ...extensions["sign-in-with-x"].info, chainId: NETWORK, type: "eip191" } as never;
    const payload = await createSIWxPayload(told, signer as never, url);
    return { "sign-in-with-x": encodeSIWxHeader(payload) };
  }
  const askAs = async (signer: PrivateKeyAccount, body: unknown) => ask(body, await signedIn(signer));
  const buy = async (path = WORK) => {
    const answer = await shop.pay(path, await shop.payFor(path));
    return (await bodyOf(answer)).meta?.requestId as string;
  };
  return { ...shop, ask, askAs, buy, signedIn };
}
interface SignInOffer {
  "sign-in-with-x": { info: object };
}

describe("RFQ-1 a request for a refund", () => {
  it("of its payer waits for the host, who gives it back once or says no", async () => {
    const { buy, askAs, handle } = open();
    const [one, other] = [await buy(), await buy("/test/other?n=1")];
    const asked = await askAs(alice, { requestId: one, reason: "It was empty." });
    expect(asked.status).toBe(200);
    expect(await asked.json()).toMatchObject({ requestId: one, endpoint: "test.work", usd: "0.001", state: "queued" });
    await askAs(alice, { requestId: other });
    const queued = await handle.refundRequests.list({ state: "queued" });
    expect(queued.length).toBe(2);
    expect(queued.find(({ requestId }) => requestId === one)).toMatchObject({
      ...{ payer: alice.address, reason: "It was empty.", network: "eip155:8453" },
    });
    const ada = handle.as({ by: "ada", role: "refund" });
    const given = await ada.refundRequests.approve(one);
    expect(given).toMatchObject({ state: "credited", usd: "0.001", by: "ada" });
    expect(given).not.toHaveProperty("creditToken");
    expect(await ada.refundRequests.approve(one)).toMatchObject({ state: "credited", usd: "0.001" });
    expect(await ada.refundRequests.decline(other, "It was not empty.")).toMatchObject({ state: "declined" });
    await expect(ada.refundRequests.approve(other)).rejects.toMatchObject({ code: "REFUND_NOT_ALLOWED" });
    await expect(ada.refundRequests.decline(one, "No.")).rejects.toMatchObject({ code: "REFUND_NOT_ALLOWED" });
    expect(await (await askAs(alice, { requestId: other })).json()).toMatchObject({
      ...{ state: "declined", note: "It was not empty." },
    });
    // Its token is the buyer's.
    expect(await (await askAs(alice, { requestId: one })).json()).toMatchObject({ creditToken: expect.any(String) });
    expect((await handle.ledger()).total).toMatchObject({ creditedUsd: "0.001" });
    const entries = [];
    for await (const entry of handle.audit()) entries.push(`${entry.by} ${entry.what} ${entry.outcome}`);
    expect(entries.slice(0, 3)).toEqual(["ada refund done", "ada refund done", "ada refundRequests.decline done"]);
  });

  it("is answered alike for a call of others and for an unknown one, and needs a key or a sign-in", async () => {
    const { buy, ask, askAs, handle, get } = open();
    const id = await buy();
    await handle.accounts.topUp("acme", "1", { reference: "r" });
    const { key } = await handle.accounts.createKey("acme");
    const byKey = { authorization: `Bearer ${key}` };
    const own = (await bodyOf(await get(WORK, byKey))).meta?.requestId as string;
    const answers = [];
    for (const [requestId, who] of [
      [id, "mallory"],
      [UNKNOWN, "mallory"],
      [own, "alice"],
      [id, "key"],
    ] as const) {
      const answer =
        who === "key" ? await ask({ requestId }, byKey) : await askAs(who === "alice" ? alice : mallory, { requestId });
      const { requestId: _, ...body } = (await answer.json()) as { requestId: string };
      answers.push({ status: answer.status, ...body });
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 404, code: "NOT_FOUND" });
    const nobody = await ask({ requestId: id });
    expect([nobody.status, (await bodyOf(nobody)).code]).toEqual([401, "SIGN_IN_REQUIRED"]);
    expect((await ask({ requestId: own, reason: "x".repeat(501) }, byKey)).status).toBe(400);
    expect((await ask({ requestId: own, more: 1 }, byKey)).status).toBe(400);
    expect(await (await ask({ requestId: own }, byKey)).json()).toMatchObject({ state: "queued", usd: "0.001" });
  });

  it("is refused too late, beyond the bound of a day, and for a call that cost nothing", async () => {
    const { buy, askAs, ask, clock, handle, get } = open();
    const id = await buy();
    clock.advance(14 * 86_400 - 60);
    expect((await askAs(alice, { requestId: id })).status).toBe(200);
    const late = open();
    const old = await late.buy();
    late.clock.advance(14 * 86_400 + 60);
    const refused = await late.askAs(alice, { requestId: old });
    expect([refused.status, await bodyOf(refused)]).toEqual([
      409,
      expect.objectContaining({ code: "REFUND_NOT_ALLOWED", reasonCode: "TOO_LATE" }),
    ]);

    await handle.accounts.setLimits("acme", { freePerMonth: { calls: 5 } });
    const { key } = await handle.accounts.createKey("acme");
    const byKey = { authorization: `Bearer ${key}` };
    const free = (await bodyOf(await get(WORK, byKey))).meta?.requestId as string;
    expect(await bodyOf(await ask({ requestId: free }, byKey))).toMatchObject({ reasonCode: "NOTHING_CHARGED" });
    const statuses = [];
    for (let i = 0; i < 21; i++) statuses.push((await ask({ requestId: UNKNOWN }, byKey)).status);
    expect(statuses.filter((status) => status === 404).length).toBe(19);
    expect(statuses.at(-1)).toBe(429);
  });

  it("is met at once where the policy says so, within its bounds", async () => {
    const { buy, askAs, handle } = open({ refundPolicy: { ...POLICY, atOnce: { maxUsd: "0.1", perDay: 2 } } });
    const states = [];
    for (const path of ["/test/dear?n=1", "/test/work?n=1", "/test/work?n=2", "/test/work?n=3"]) {
      const answer = await askAs(alice, { requestId: await buy(path) });
      states.push(((await answer.json()) as { state: string }).state);
    }
    expect(states).toEqual(["queued", "credited", "credited", "queued"]);
    const entries = [];
    for await (const { by, what } of handle.audit()) entries.push(`${by} ${what}`);
    expect(entries).toEqual(Array(2).fill(`eip155:8453:${alice.address.toLowerCase()} refund`));
  });

  it("tells the token of credit to a sign-in, and to no session, which pays for nothing", async () => {
    const { buy, ask, askAs, handle, signedIn } = open({
      accounts: { keys: true, topUp: { minUsd: "1", maxUsd: "9" } },
      refundPolicy: { ...POLICY, atOnce: true },
    });
    const requestId = await buy();
    const opened = await handle(
      new Request("http://shop.test/api/account/session", {
        method: "POST",
        headers: { "content-type": "application/json", ...(await signedIn(alice, "/account/session")) },
        body: "{}",
      }),
      { clientAddress: "203.0.113.7" },
    );
    const { session } = (await opened.json()) as { session: string };
    const bySession = await (await ask({ requestId }, { authorization: `Bearer ${session}` })).json();
    expect(bySession).toMatchObject({ state: "credited" });
    expect(bySession).not.toHaveProperty("creditToken");
    expect(await (await askAs(alice, { requestId })).json()).toHaveProperty("creditToken");
  });

  it("is refused for a call of which the host gave back a part", async () => {
    const { buy, askAs, handle } = open({ refundPolicy: { ...POLICY, atOnce: true } });
    const requestId = await buy();
    await handle.refund({ requestId }, { usd: "0.0005" });
    const refused = await askAs(alice, { requestId });
    expect([refused.status, await bodyOf(refused)]).toMatchObject([409, { reasonCode: "NOT_LEFT" }]);
    expect((await handle.ledger()).total).toMatchObject({ creditedUsd: "0.0005" });
  });

  it("cannot be declined while its money may be on its way, and goes on after the store was silent", async () => {
    const inner = createMemoryStore();
    let isSilent = false;
    const put: Store["put"] = async (key, ...given) => {
      if (isSilent && key.startsWith("host-refund:")) throw new Error("the store is silent");
      return inner.put(key, ...given);
    };
    const { buy, askAs, handle } = open({ store: { ...inner, put } });
    const requestId = await buy();
    await askAs(alice, { requestId });
    isSilent = true;
    await expect(handle.refundRequests.approve(requestId)).rejects.toThrow();
    isSilent = false;
    await expect(handle.refundRequests.decline(requestId, "No.")).rejects.toMatchObject({ code: "REFUND_NOT_ALLOWED" });
    expect(await handle.refundRequests.approve(requestId)).toMatchObject({ state: "credited", usd: "0.001" });
  });

  it("gives an account its price back at once, and nothing twice that the host gave back before", async () => {
    const { ask, handle, get } = open({ refundPolicy: { ...POLICY, atOnce: true } });
    await handle.accounts.topUp("acme", "1", { reference: "r" });
    const { key } = await handle.accounts.createKey("acme");
    const byKey = { authorization: `Bearer ${key}` };
    const buy = async () => (await bodyOf(await get(WORK, byKey))).meta?.requestId as string;
    const [one, other] = [await buy(), await buy()];
    for (let i = 0; i < 2; i++)
      expect(await (await ask({ requestId: one }, byKey)).json()).toMatchObject({ state: "returned", usd: "0.001" });
    await handle.refund({ requestId: other }, { usd: "0.0005" });
    expect(await (await ask({ requestId: other }, byKey)).json()).toMatchObject({ state: "returned", usd: "0.0005" });
    expect(await handle.accounts.balance("acme")).toMatchObject({ availableUsd: "0.9995" });
  });
});

describe("RFQ-2 the policy", () => {
  it("stands in the 402, in header and body, in the directory and in OpenAPI", async () => {
    const { get, handle } = open();
    const answer = await get(WORK);
    expect(quoteOf(answer)).toMatchObject({ extensions: { "refund-policy": { info: POLICY } } });
    expect(await answer.json()).toMatchObject({ extensions: { "refund-policy": { info: POLICY } } });
    expect(await (await get("/directory")).json()).toMatchObject({
      refundPolicy: { ...POLICY, path: "/api/payment/refund-request" },
    });
    expect(handle.openapi().paths).toHaveProperty("/api/payment/refund-request");
    expect((await openShop().get("/payment/refund-request")).status).toBe(404);
  });
});

describe.each(Object.entries(STORES))("RFQ-3 requests at two instances on %s", (_, make) => {
  it("and refunds of the host beside them give a price back once", async () => {
    const [clock, facilitator] = [fakeClock(new Date().toISOString()), fakeFacilitator()];
    const [one, other] = make().map((store) =>
      open({ store, clock, facilitator, refundPolicy: { ...POLICY, atOnce: { perDay: 1000 } } }),
    );
    if (!one || !other) throw new Error("there are two");
    const { accounts } = one.handle;
    await accounts.topUp("acme", "1", { reference: "r" });
    const { key } = await accounts.createKey("acme");
    const byKey = { authorization: `Bearer ${key}` };
    const id = (await bodyOf(await one.get(WORK, byKey))).meta?.requestId as string;
    const asked = await Promise.all([
      ...Array.from({ length: 8 }, (_, i) => (i % 2 ? one : other).ask({ requestId: id }, byKey)),
      one.handle.refund({ requestId: id }),
      other.handle.refund({ requestId: id }),
    ]);
    for (const answer of asked) if ("status" in answer) expect(answer.status).toBe(200);
    expect(await other.handle.accounts.balance("acme")).toEqual({ availableUsd: "1", heldUsd: "0" });
    expect((await other.handle.refundRequests.list()).map(({ state }) => state)).toEqual(["returned"]);
  }, 30_000);
});
