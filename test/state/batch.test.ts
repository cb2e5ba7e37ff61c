/** Changes in a batch: all of them or none, in their order, once a payment. */
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { batchRun } from "../../src/capabilities/batch/index.js";
import { convertUnit } from "../../src/capabilities/convert/index.js";
import * as lock from "../../src/capabilities/lock/index.js";
import * as queue from "../../src/capabilities/queue/index.js";
import * as store from "../../src/capabilities/store/index.js";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import { CapabilityError } from "../../src/errors.js";
import { createCredits } from "../../src/payment/refund/credit.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { bodyOf } from "../support/body.js";
import { openWalletShop, type WalletShop } from "../support/wallet-shop.js";
import { alice, bob, quoteOf } from "../support/wallets.js";
import { onBothEngines } from "../support/wallets-engine.js";

const WALLET = `eip155:8453:${alice.address.toLowerCase()}`;
const ns = "batch";
const add = (key: string, more: object = {}) => ({ endpoint: "store.kv-increment", params: { ns, key, ...more } });
const put = (key: string, value: unknown) => ({ endpoint: "store.kv-put", params: { ns, key, value } });
const convert = { endpoint: "convert.unit", params: { value: 1, from: "kg", to: "lb" } };

const broken = defineCapability({
  id: "test.broken",
  summary: "Its upstream is away.",
  price: "0.001",
  source: { provider: "test", url: "", license: "MIT" },
  input: () => z.strictObject({}),
  output: one(z.object({})),
  example: {},
  run() {
    throw new CapabilityError("UPSTREAM_ERROR", "The upstream is down.");
  },
});

interface Answer {
  data: { items: { index: number; endpoint: string; result: { items: Record<string, unknown>[]; meta: object } }[] };
}
const resultsOf = async (response: Response) =>
  (JSON.parse(await response.text()) as Answer).data.items.map(({ result }) => result.items[0]);

onBothEngines("a batch that changes a wallet's state", (engine) => {
  const shops: WalletShop[] = [];
  const open = (options: Partial<Parameters<typeof openWalletShop>[0]> = {}) => {
    const capabilities = [store, lock, queue].flatMap((group) => Object.values(group));
    const shop = openWalletShop({
      capabilities: [...capabilities, batchRun, convertUnit, broken],
      wallets: engine.options(),
      ...options,
    });
    shops.push(shop);
    return shop;
  };
  const keptUnder = async (shop: WalletShop, key: string): Promise<unknown> => {
    const found: unknown = await shop.handle
      .call("store.kv-get" as never, { ns, key } as never, { wallet: WALLET })
      .catch((error: unknown) => error);
    const { items, code } = found as { items?: { value: unknown }[]; code?: string };
    return items ? items[0]?.value : code;
  };
  afterEach(async () => {
    for (const shop of shops.splice(0)) await shop.handle.close();
  });

  it("WAL-15 is paid first, runs in order, and gives the same payment the same answer without doing anything twice", async () => {
    const shop = open();
    const calls = [
      add("order"),
      convert,
      add("order", { by: 10 }),
      put("order-2", { a: 1 }),
      add("order", { by: 100 }),
    ];
    const payment = await shop.payFor("batch.run", { calls });
    const first = await shop.pay("batch.run", { calls }, payment);
    expect(first.status).toBe(200);
    expect(shop.facilitator.trace).toEqual(["verify", "settle"]);
    const text = await first.clone().text();
    expect(await resultsOf(first)).toMatchObject([
      { value: 1 },
      { value: 1 },
      { value: 11 },
      { stored: true },
      { value: 111 },
    ]);
    const again = await shop.pay("batch.run", { calls }, payment);
    expect(await again.text()).toBe(text);
    expect([await keptUnder(shop, "order"), shop.facilitator.settled.length]).toEqual([111, 1]);
  });

  it("WAL-15 of fifty whose last is refused writes nothing and keeps nothing", async () => {
    const shop = open();
    // Nothing speaks against the last one before those ahead of it have run.
    const adds = Array.from({ length: 48 }, () => add("fifty"));
    const failed = await shop.buy("batch.run", { calls: [...adds, put("fifty", "a word"), add("fifty")] });
    expect(failed.status).toBe(400);
    const body = await bodyOf(failed);
    expect(body).toMatchObject({ code: "BATCH_FAILED", failures: [{ index: 49, endpoint: "store.kv-increment" }] });
    expect((body as unknown as { detail: string }).detail).toMatch(/^Nothing was changed\..*is being refunded\.$/s);
    expect(await keptUnder(shop, "fifty")).toBe("NOT_FOUND");
    expect(shop.facilitator.settled.length).toBe(1);
  });

  it("WAL-15 whose other calls fail, or that is known to be refused, costs nothing", async () => {
    const shop = open();
    await shop.handle.call("store.kv-put" as never, { ns, key: "word", value: "text" } as never, { wallet: WALLET });
    for (const [second, code] of [
      [{ endpoint: "test.broken" }, "UPSTREAM_ERROR"],
      [add("word"), "INVALID_INPUT"],
      [{ endpoint: "store.kv-get", params: { ns, key: "nothing" } }, "NOT_FOUND"],
    ] as const) {
      const failed = await shop.buy("batch.run", { calls: [add("mixed"), second] });
      expect(await bodyOf(failed)).toMatchObject({ code: "BATCH_FAILED", failures: [{ index: 1, code }] });
    }
    expect([await keptUnder(shop, "mixed"), shop.facilitator.settled]).toEqual(["NOT_FOUND", []]);
  });

  it("WAL-15 whose sum does not fit goes back whole", async () => {
    const shop = open({ wallets: engine.options({ limits: { bytes: 2000 } }) });
    const wallet = { wallet: "sum", idempotencyKey: "sum" };
    const large = (key: string) => put(key, "x".repeat(800));
    const run = (calls: unknown[]) => shop.handle.call("batch.run" as never, { calls } as never, wallet);
    await expect(run([large("one"), large("two")])).rejects.toMatchObject({ code: "QUOTA_EXCEEDED" });
    expect(await run([large("one"), add("two")])).toMatchObject({ total: 2 });
    const used = await shop.handle.call("store.usage" as never, {} as never, wallet);
    expect(used).toMatchObject({ items: [{ kv: { count: 2 } }] });
    // The same name again does nothing again, and is no name for something else.
    expect(await run([large("one"), add("two")])).toMatchObject({ items: [{}, { result: { items: [{ value: 1 }] } }] });
    await expect(run([add("two"), add("two")])).rejects.toMatchObject({ code: "BATCH_FAILED" });
  });

  it("WAL-15 gives leased bodies again, and a trial of it leaves nothing", async () => {
    const shop = open();
    const own = { wallet: "leases", idempotencyKey: "one" };
    const run = (calls: unknown[]) => shop.handle.call("batch.run" as never, { calls } as never, own);
    const calls = [
      { endpoint: "queue.enqueue", params: { queue: "q", messages: [{ body: "b".repeat(100_000) }] } },
      { endpoint: "queue.lease", params: { queue: "q", visibilitySeconds: 60 } },
      { endpoint: "lock.acquire", params: { key: "k", ttlSeconds: 60 } },
    ];
    const first = await run(calls);
    expect(first).toMatchObject({ items: [{}, { result: { items: [{ body: "b".repeat(100_000) }] } }, {}] });
    expect(await run(calls)).toEqual(first);
    const tried = await shop.post("batch.run", { calls: [add("visits"), add("visits")] }, { "x-svc-trial": "1" });
    expect(await resultsOf(tried)).toMatchObject([{ value: 1 }, { value: 2 }]);
    expect(await keptUnder(shop, "visits")).toBe("NOT_FOUND");
  });

  it("WAL-6 with wallets' calls in it is not bought by credit alone", async () => {
    const shop = open({ trial: false });
    const calls = [put("credit", "word"), add("credit")];
    // Another wallet, because credit of earlier tests would pay for this one.
    const failed = await shop.buy("batch.run", { calls }, { wallet: bob });
    const credit = failed.headers.get("x-svc-credit") ?? "";
    expect(credit).not.toBe("");
    for (const one of [add("alone"), { endpoint: "store.usage", params: {} }]) {
      const alone = await shop.post("batch.run", { calls: [one] }, { "x-svc-credit": credit });
      expect(await bodyOf(alone)).toMatchObject({ extensions: { code: "WALLET_UNPROVEN" } });
    }
    expect((await shop.post("batch.run", { calls: [convert] }, { "x-svc-credit": credit })).status).toBe(200);
  });

  describe("paid by credit", () => {
    /** A shop that owes the wallet so much; what it still owes it under a token. */
    async function owing(micros: bigint) {
      const kept = createMemoryStore();
      const credits = createCredits(kept, Date.now);
      const token = await credits.issue("earlier", alice.address, micros);
      const shop = open({ trial: false, store: kept });
      const owed = async (of: string | null = token) => (await credits.find(of ?? ""))?.available ?? 0n;
      const priceOf = async (calls: unknown[]) =>
        BigInt(quoteOf(await shop.post("batch.run", { calls })).accepts[0]?.amount ?? 0);
      return { shop, owed, priceOf, credit: { "x-svc-credit": token } };
    }
    const settledBy = ({ facilitator }: WalletShop) => facilitator.settled.map(({ value }) => value);

    it("WAL-6 alone is refused with the way out, changes nothing and uses up nothing, however often", async () => {
      const { shop, owed, credit } = await owing(1_000_000n);
      for (const calls of [
        [add("alone"), add("alone")],
        [add("alone"), put("alone", "a word")],
      ])
        for (let times = 2; times > 0; times--) {
          const refused = await shop.post("batch.run", { calls }, credit);
          expect(refused.status).toBe(402);
          expect(await bodyOf(refused)).toMatchObject({
            error: expect.stringMatching(/send a payment/),
            extensions: { code: "WALLET_UNPROVEN" },
          });
        }
      expect([await keptUnder(shop, "alone"), await owed(), settledBy(shop)]).toEqual(["NOT_FOUND", 1_000_000n, []]);
    });

    it("WAL-15 in part, beside a payment, is made once and charged once", async () => {
      const { shop, owed, priceOf, credit } = await owing(1000n);
      const calls = [add("part"), convert, add("part", { by: 10 })];
      const price = await priceOf(calls);
      const payment = await shop.payFor("batch.run", { calls }, { headers: credit });
      const first = await shop.pay("batch.run", { calls }, payment, credit);
      expect(first.status).toBe(200);
      const text = await first.text();
      for (const headers of [credit, {}])
        expect(await (await shop.pay("batch.run", { calls }, payment, headers)).text()).toBe(text);
      expect([await keptUnder(shop, "part"), settledBy(shop), await owed()]).toEqual([11, [price - 1000n], 0n]);
    });

    it("WAL-15 in part, whose change is refused, changes nothing and gives all of it back once", async () => {
      const { shop, owed, priceOf, credit } = await owing(1000n);
      const calls = [add("fails"), put("fails", "a word"), add("fails")];
      const price = await priceOf(calls);
      const payment = await shop.payFor("batch.run", { calls }, { headers: credit });
      const failed = await shop.pay("batch.run", { calls }, payment, credit);
      expect([failed.status, (await bodyOf(failed.clone())).code]).toEqual([400, "BATCH_FAILED"]);
      const given = failed.headers.get("x-svc-credit");
      const again = await shop.pay("batch.run", { calls }, payment, credit);
      expect([again.status < 200 || again.status >= 300, again.headers.get("x-svc-credit")]).toEqual([true, given]);
      expect([await keptUnder(shop, "fails"), settledBy(shop)]).toEqual(["NOT_FOUND", [price - 1000n]]);
      const tokens = [...new Set([credit["x-svc-credit"], given])];
      const all = await Promise.all(tokens.map((token) => owed(token)));
      expect(all.reduce((sum, one) => sum + one, 0n)).toBe(price);
    });

    it("WAL-15 that would cover all of it, beside a payment, leaves the credit alone", async () => {
      const { shop, owed, priceOf, credit } = await owing(1_000_000n);
      const calls = [add("whole"), add("whole")];
      const price = await priceOf(calls);
      const payment = await shop.payFor("batch.run", { calls });
      const first = await shop.pay("batch.run", { calls }, payment, credit);
      expect(first.status).toBe(200);
      expect(await (await shop.pay("batch.run", { calls }, payment, credit)).text()).toBe(await first.text());
      expect([await keptUnder(shop, "whole"), settledBy(shop), await owed()]).toEqual([2, [price], 1_000_000n]);
    });
  });
});
