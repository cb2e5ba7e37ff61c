/** What a buyer of wallets' state sees: whose it is, when its money moves, and what a trial leaves behind. */
import { afterEach, expect, it } from "vitest";
import { batchRun } from "../../src/capabilities/batch/index.js";
import * as store from "../../src/capabilities/store/index.js";
import { bodyOf } from "../support/body.js";
import { openWalletShop, type WalletShop } from "../support/wallet-shop.js";
import { alice, mallory } from "../support/wallets.js";
import { onBothEngines } from "../support/wallets-engine.js";

const PUT = "store.kv-put";
const GET = "store.kv-get";
const itemOf = async (response: Response) => {
  const body = (await bodyOf(response)) as unknown as { data: { items: Record<string, unknown>[]; meta: object } };
  return { ...body.data.items[0], meta: body.data.meta };
};

onBothEngines("a host that keeps state for wallets", (engine) => {
  const shops: WalletShop[] = [];
  const open = (options: Partial<Parameters<typeof openWalletShop>[0]> = {}) => {
    const capabilities = [...Object.values(store), batchRun];
    const shop = openWalletShop({ capabilities, wallets: engine.options(), ...options });
    shops.push(shop);
    return shop;
  };
  afterEach(async () => {
    for (const shop of shops.splice(0)) await shop.handle.close();
  });

  it("gives a wallet what it put, and another one nothing", async () => {
    const shop = open();
    const put = await shop.buy(PUT, { ns: "n", key: "mine", value: { a: 1 } });
    expect(await itemOf(put)).toMatchObject({
      stored: true,
      meta: { wallet: `eip155:8453:${alice.address.toLowerCase()}` },
    });
    expect(shop.facilitator.trace).toEqual(["verify", "settle"]);
    expect(await itemOf(await shop.buy(GET, { ns: "n", key: "mine" }))).toMatchObject({ value: { a: 1 } });
    const settled = shop.facilitator.settled.length;
    const foreign = await shop.buy(GET, { ns: "n", key: "mine" }, { wallet: mallory });
    const missing = await shop.buy(GET, { ns: "n", key: "none" }, { wallet: mallory });
    const { requestId: _, ...problem } = await bodyOf(foreign);
    expect([foreign.status, problem]).toEqual([404, expect.objectContaining({ code: "NOT_FOUND" })]);
    expect(await bodyOf(missing)).toMatchObject(problem);
    expect(shop.facilitator.settled.length).toBe(settled);
  });

  it("WAL-13 refuses for free what would not fit, and the same payment buys what does", async () => {
    const shop = open({ wallets: engine.options({ limits: { bytes: 1000 } }) });
    const large = { ns: "full", key: "k", value: "x".repeat(900) };
    const payment = await shop.payFor(PUT, large);
    const refused = await shop.pay(PUT, large, payment);
    expect([refused.status, (await bodyOf(refused)).code]).toEqual([400, "QUOTA_EXCEEDED"]);
    expect(shop.facilitator.settled).toEqual([]);
    expect((await shop.pay(PUT, { ...large, value: "x" }, payment)).status).toBe(200);
  });

  it("WAL-11 changes nothing where the settlement is refused", async () => {
    const shop = open();
    const input = { ns: "n", key: "refused", value: 1 };
    shop.facilitator.faults.settle.push("refuse-poor");
    expect((await shop.buy(PUT, input)).status).toBe(402);
    expect((await shop.buy(GET, { ns: "n", key: "refused" })).status).toBe(404);
  });

  it("WAL-12 changes nothing while the settlement is unclear, and once when it is known", async () => {
    const shop = open();
    const input = { ns: "n", key: "pending" };
    const count = "store.kv-increment";
    const payment = await shop.payFor(count, input);
    shop.facilitator.faults.settle.push("drop-after");
    expect((await bodyOf(await shop.pay(count, input, payment))).code).toBe("SETTLEMENT_PENDING");
    expect((await shop.buy(GET, input)).status).toBe(404);
    for (let i = 0; i < 2; i++) expect(await itemOf(await shop.pay(count, input, payment))).toMatchObject({ value: 1 });
    expect(await itemOf(await shop.buy(GET, input))).toMatchObject({ value: 1 });
  });

  it("WAL-7 tries every operation on sample data, and keeps nothing of it", async () => {
    const shop = open();
    for (const capability of Object.values(store)) {
      const tried = await shop.post(capability.id, capability.example, { "x-svc-trial": "1" });
      // The test's Postgres has no pgvector.
      const works = engine.name === "PGlite" || !capability.id.startsWith("store.vector-");
      expect([capability.id, tried.status]).toEqual([capability.id, works ? 200 : 502]);
      if (!works) continue;
      if (tried.headers.get("content-type") !== "application/json") continue;
      expect(await itemOf(tried)).toMatchObject({ meta: { wallet: "trial", trial: true } });
    }
    const again = await shop.handle
      .call(GET, { ns: "memory", key: "greeting" } as never, { wallet: "trial" })
      .catch((e) => e);
    expect(again).toMatchObject({ code: "NOT_FOUND" });
  });

  it("WAL-4 believes no header, query or field about whose wallet it is", async () => {
    const shop = open();
    const victim = `eip155:8453:${alice.address.toLowerCase()}`;
    await shop.buy(PUT, { ns: "n", key: "secret", value: 1 });
    const headers = { "x-wallet": victim, payer: victim, from: victim };
    const got = await shop.buy(GET, { ns: "n", key: "secret" }, { wallet: mallory, headers });
    expect(got.status).toBe(404);
    expect((await shop.post(GET, { ns: "n", key: "secret", wallet: victim })).status).toBe(400);
    const request = new Request("http://shop.test/api/store/kv-get", {
      method: "POST",
      body: '{"ns":"n","key":"secret"}',
    });
    expect((await shop.handle(request, { wallet: victim })).status).toBe(402);
  });

  it("WAL-8 needs a wallet where calls are free, by the word of the host", async () => {
    const shop = open({ payment: false });
    const call = (wallet?: string) => {
      const body = '{"ns":"n","key":"free","by":1}';
      const request = new Request("http://shop.test/api/store/kv-increment", {
        ...{ method: "POST", body, headers: { "idempotency-key": "once" } },
      });
      return shop.handle(request, wallet ? { wallet } : {});
    };
    const without = await call();
    expect([without.status, (await bodyOf(without)).code]).toEqual([400, "WALLET_REQUIRED"]);
    for (let i = 0; i < 3; i++)
      expect(await itemOf(await call("user-7"))).toMatchObject({ value: 1, meta: { wallet: "user-7" } });
    expect(await itemOf(await call("user-8"))).toMatchObject({ value: 1 });
  });
});
