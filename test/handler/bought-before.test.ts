/** What was bought is bought: changed terms, other keys and dead payments beside it take nothing of it away. */
import { randomUUID } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import type { PaymentRequirements } from "../../src/payment/x402/wire.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import type { Store } from "../../src/stores/store.js";
import { billedByUsage } from "../support/billed-by-usage.js";
import { bodyOf } from "../support/body.js";
import { fakeClock } from "../support/clock.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { failing, openShop, type ShopOptions } from "../support/shop.js";
import { alice, mallory, quoteOf, sign, toHeader } from "../support/wallets.js";

const WORK = "/test/work?n=1";
const MODEL = "/test/model?n=1";
const NETWORK = "eip155:8453";
const OTHER_TOKEN = { address: "0x036CbD53842c5426634e7929541eC2318f3dCF7e", name: "Other", version: "1" };
const codeOf = async (response: Response) => {
  const body = await bodyOf(response);
  return body.code ?? body.extensions?.code;
};

/** The same business before and after its host changed something. */
function reopen(changed: ShopOptions, first: ShopOptions = {}) {
  const shared = { facilitator: fakeFacilitator(), store: createMemoryStore(), clock: fakeClock() };
  return { before: openShop({ ...shared, ...first }), after: openShop({ ...shared, ...changed }) };
}
const paying = (payment: object) => ({
  payment: { treasury: { [NETWORK]: mallory.address }, facilitator: { url: "https://facilitator.test" }, ...payment },
});

describe("a payment that bought something", () => {
  it.each<[string, ShopOptions]>([
    ["a fallen price", { pricing: { markup: 0.5 } }],
    ["a new markup", { pricing: { markup: 3 } }],
    ["another treasury", paying({})],
    ["another token", paying({ assets: { [NETWORK]: OTHER_TOKEN } })],
    ["longer signatures", paying({ maxTimeoutSeconds: 600 })],
  ])("is good for it after %s, in either version of the protocol", async (_, changed) => {
    const { before, after } = reopen(changed);
    const payment = await before.payFor(WORK);
    const bought = await before.pay(WORK, payment);
    expect(bought.status).toBe(200);
    const again = await after.pay(WORK, payment);
    expect(again.headers.get("x-svc-replay")).toBe("1");
    expect(await again.text()).toBe(await bought.text());

    const { payload } = await before.payFor(WORK);
    const version1 = { x402Version: 1, scheme: "exact", network: "base", payload };
    const headers = { "x-payment": toHeader(version1), "idempotency-key": randomUUID() };
    expect((await before.get(WORK, headers)).status).toBe(200);
    expect((await after.get(WORK, headers)).headers.get("x-svc-replay")).toBe("1");
    expect(after.facilitator.settled).toHaveLength(2);
  });

  it.each<[string, ShopOptions]>([
    ["a fallen price", { pricing: { markup: 0.5 } }],
    ["a new markup", { pricing: { markup: 3 } }],
    ["another treasury", paying({})],
    ["another token", paying({ assets: { [NETWORK]: OTHER_TOKEN } })],
    ["longer signatures", paying({ maxTimeoutSeconds: 600 })],
  ])("is good for it after %s, where credit paid for a part of it", async (_, changed) => {
    const used = ["0.0075", "0.02"];
    const capabilities = [billedByUsage(({ meter }) => void meter.add(used.shift() ?? ""))];
    const { before, after } = reopen({ capabilities, ...changed }, { capabilities });
    const credit = (await before.pay(MODEL, await before.payFor(MODEL))).headers.get("x-svc-credit") ?? "";
    const quote = quoteOf(await before.get(MODEL, { "x-svc-credit": credit }));
    const [terms] = quote.accepts;
    // Two cents less what is left of the first two.
    expect(terms?.amount).toBe("7500");
    const payment = await sign(terms as PaymentRequirements, { now: before.clock.seconds() });
    const headers = { "x-svc-credit": credit, "payment-signature": toHeader(payment) };
    const bought = await before.get(MODEL, headers);
    expect(bought.status).toBe(200);
    const text = await bought.text();
    // The credit is used up by now; whether it is named again or not, the payment is known.
    for (const sent of [headers, { "payment-signature": headers["payment-signature"] }]) {
      const again = await after.get(MODEL, sent);
      expect([again.headers.get("x-svc-replay"), await again.text()]).toEqual(["1", text]);
      expect(again.headers.get("x-svc-credit")).toBe(bought.headers.get("x-svc-credit"));
    }
    expect(after.facilitator.settled.map(({ value }) => value)).toEqual([20_000n, 7500n]);
  });

  it("is settled and delivered after them, where the settlement was unclear, for what was signed", async () => {
    const { before, after } = reopen({ pricing: { markup: 3 } });
    const payment = await before.payFor(WORK);
    before.facilitator.faults.settle.push("drop");
    expect((await before.pay(WORK, payment)).status).toBe(502);
    expect((await after.pay(WORK, payment)).status).toBe(200);
    expect(after.facilitator.settled).toMatchObject([{ value: 1000n }]);
  });
});

describe("idempotency keys", () => {
  const keyed = (shop: ReturnType<typeof openShop>, payment: unknown, key: string) =>
    shop.get(WORK, { "payment-signature": toHeader(payment), "idempotency-key": key });

  it("that change after a failed run end: the payment buys what it is bound to", async () => {
    const shop = openShop();
    const payment = await shop.payFor(WORK);
    shop.behaviours.push(failing());
    expect((await keyed(shop, payment, "key A of this buyer")).status).toBe(502);
    expect((await keyed(shop, payment, "key B of this buyer")).status).toBe(200);
    expect((await shop.pay(WORK, payment)).headers.get("x-svc-replay")).toBe("1");
    expect(shop.facilitator.settled).toHaveLength(1);
  });

  it("whose first payment can never pay are bought under with the next one", async () => {
    const shop = openShop({ node: true });
    shop.facilitator.showChain();
    const first = await shop.payFor(WORK);
    shop.facilitator.faults.settle.push("refuse", "refuse");
    expect(await codeOf(await keyed(shop, first, "one purchase"))).toBe("SETTLEMENT_PENDING");
    shop.clock.advance(300);
    const second = await shop.payFor(WORK);
    expect((await keyed(shop, second, "one purchase")).status).toBe(200);
    expect(shop.facilitator.settled).toMatchObject([{ from: alice.address }]);
  });

  it("whose first call broke off and whose payment expired are bought under with the next one", async () => {
    const shared = { facilitator: fakeFacilitator(), store: createMemoryStore(), clock: fakeClock() };
    const dying = openShop(shared);
    dying.behaviours.push(() => new Promise(() => {}));
    const first = await dying.payFor(WORK);
    void keyed(dying, first, "one purchase");
    await vi.waitFor(() => expect(dying.runs()).toBe(1));
    shared.clock.advance(600);
    const shop = openShop(shared);
    expect((await keyed(shop, await shop.payFor(WORK), "one purchase")).status).toBe(200);
    expect(shared.facilitator.settled).toHaveLength(1);
  });
});

describe("who waits for a copy of the same payment", () => {
  it("waits no longer than the buyer does", async () => {
    const shared = { facilitator: fakeFacilitator(), store: createMemoryStore() };
    let reads = 0;
    const get: Store["get"] = (key) => {
      reads++;
      return shared.store.get(key);
    };
    const [busy, other] = [openShop(shared), openShop({ ...shared, store: { ...shared.store, get } })];
    busy.behaviours.push(() => new Promise(() => {}));
    const payment = await busy.payFor(WORK);
    void busy.pay(WORK, payment);
    await vi.waitFor(() => expect(busy.runs()).toBe(1));
    const client = new AbortController();
    const headers = { "payment-signature": toHeader(payment) };
    const waiting = other.handle(new Request("http://shop.test/api/test/work?n=1", { headers, signal: client.signal }));
    client.abort();
    expect(await codeOf(await waiting)).toBe("SETTLEMENT_PENDING");
    expect(reads, "it was looked at once or twice").toBeLessThan(10);
  });

  it("PAY-31 waits while the lease lasts, and gets what the other one made", async () => {
    const shared = { facilitator: fakeFacilitator(), store: createMemoryStore() };
    const [busy, other] = [openShop(shared), openShop(shared)];
    let finish = () => {};
    busy.behaviours.push(
      () =>
        new Promise<void>((resolve) => {
          finish = resolve;
        }),
    );
    const payment = await busy.payFor(WORK);
    const first = busy.pay(WORK, payment);
    await vi.waitFor(() => expect(busy.runs()).toBe(1));
    const second = other.pay(WORK, payment);
    await new Promise((resolve) => setTimeout(resolve, 100));
    finish();
    expect(await (await second).text()).toBe(await (await first).text());
    expect([busy.runs(), other.runs()]).toEqual([1, 0]);
  });
});
