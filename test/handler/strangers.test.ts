/** What is public once a payment is settled buys nobody what its payer bought (ATK-3). */
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { bodyOf } from "../support/body.js";
import { fakeClock } from "../support/clock.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { openShop, type Shop } from "../support/shop.js";
import { quoteOf, type SignedPayment, toHeader, withoutRetryKey } from "../support/wallets.js";

const WORK = "/test/work?n=1";

/** Two instances on one store. */
function twoShops(): [Shop, Shop] {
  const shared = { facilitator: fakeFacilitator(), store: createMemoryStore(), clock: fakeClock() };
  return [openShop(shared), openShop(shared)];
}

const version1 = ({ payload }: SignedPayment) => ({ x402Version: 1, scheme: "exact", network: "base", payload });

/** As each client would send it, from what the chain shows and a 402 of one's own. */
async function rebuilt(shop: Shop, { payload }: SignedPayment): Promise<Record<string, object>> {
  const { accepts, resource, extensions } = quoteOf(await shop.get(WORK));
  const accepted = { ...accepts[0] };
  return {
    "with an own 402": { x402Version: 2, accepted, resource, extensions, payload },
    "without its secret": withoutRetryKey({ x402Version: 2, accepted, resource, extensions, payload }),
    "in version 1": { x402Version: 1, scheme: "exact", network: "base", payload },
  };
}

/** All that an answer tells, but for what is new in each. */
async function told(response: Response) {
  const { error, extensions } = await bodyOf(response);
  const again = response.headers.get("x-svc-replay");
  return {
    status: response.status,
    error,
    code: extensions?.code,
    again,
    receipt: response.headers.get("payment-response"),
  };
}

describe("ATK-3 a stranger who rebuilds a settled payment", () => {
  it("gets nothing, on any instance and however it is written, while its payer gets the same bytes again", async () => {
    const [first, second] = twoShops();
    const payment = await first.payFor(WORK);
    const bought = await (await first.pay(WORK, payment)).text();
    for (const shop of [first, second]) {
      for (const [how, copy] of Object.entries(await rebuilt(shop, payment)))
        expect([how, await told(await shop.pay(WORK, copy))]).toMatchObject([
          how,
          { status: 402, code: "PAYMENT_ALREADY_USED", again: null, receipt: null },
        ]);
      expect(await (await shop.pay(WORK, payment)).text()).toBe(bought);
    }
    expect([first.runs() + second.runs(), first.facilitator.settled.length]).toEqual([1, 1]);
  });

  it("hears the same whether the request is the one that was bought or any other, whatever the terms it names", async () => {
    const [shop] = twoShops();
    const payment = await shop.payFor(WORK);
    await shop.pay(WORK, payment);
    const copy = (await rebuilt(shop, payment))["with an own 402"] as SignedPayment;
    const longer = { ...copy, accepted: { ...copy.accepted, maxTimeoutSeconds: 600, amount: "500000" } };
    const answers: object[] = [];
    for (const sent of [copy, longer])
      for (const path of [WORK, "/test/work?n=2", "/test/other?n=1", "/test/dear?n=1"])
        answers.push(await told(await shop.pay(path, { ...sent, resource: undefined })));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  it("gets nothing while the settlement is unclear, which its payer can still end", async () => {
    const [shop, other] = twoShops();
    const payment = await shop.payFor(WORK);
    shop.facilitator.faults.settle.push("drop-after");
    expect((await shop.pay(WORK, payment)).status).toBe(502);
    for (const copy of Object.values(await rebuilt(other, payment)))
      expect((await other.pay(WORK, copy)).status).toBe(402);
    expect((await other.pay(WORK, payment)).status).toBe(200);
    expect(shop.facilitator.settled).toHaveLength(1);
  });

  it("cannot name the purchase by a key of its own", async () => {
    const [shop] = twoShops();
    const payment = await shop.payFor(WORK);
    const key = { "idempotency-key": randomUUID() };
    await shop.get(WORK, { ...key, "payment-signature": toHeader(payment) });
    for (const headers of [{}, { "idempotency-key": randomUUID() }, key])
      for (const copy of Object.values(await rebuilt(shop, payment)))
        expect((await shop.get(WORK, { ...headers, "payment-signature": toHeader(copy) })).status).toBe(402);
  });
});

describe("ATK-3 a client that sends back no secret", () => {
  it("may repeat its payment until the settlement is known, and waits for its twin", async () => {
    const [first, second] = twoShops();
    const payment = version1(await first.payFor(WORK));
    let finish = () => {};
    first.behaviours.push(() => new Promise((resolve) => (finish = resolve)));
    const bought = first.pay(WORK, payment, "x-payment");
    await expect.poll(() => first.runs()).toBe(1);
    const copies = [first, second].map((shop) => shop.pay(WORK, payment, "x-payment"));
    await new Promise((resolve) => setTimeout(resolve, 50));
    finish();
    expect((await bought).status).toBe(200);
    for (const copy of await Promise.all(copies)) expect(copy.headers.get("x-svc-replay")).toBe("1");
    expect((await second.pay(WORK, payment, "x-payment")).status).toBe(402);
    expect([first.runs() + second.runs(), first.facilitator.settled.length]).toEqual([1, 1]);
  });

  it("may repeat it where the settlement is unclear, as it was told to", async () => {
    const [shop] = twoShops();
    const payment = version1(await shop.payFor(WORK));
    shop.facilitator.faults.settle.push("drop-after");
    expect((await shop.pay(WORK, payment, "x-payment")).status).toBe(502);
    expect((await shop.pay(WORK, payment, "x-payment")).status).toBe(200);
    expect((await shop.pay(WORK, payment, "x-payment")).status).toBe(402);
  });

  it("may repeat it at any time under the Idempotency-Key that it first came with", async () => {
    const [shop, other] = twoShops();
    const payment = version1(await shop.payFor(WORK));
    const headers = { "idempotency-key": randomUUID(), "x-payment": toHeader(payment) };
    const bought = await (await shop.get(WORK, headers)).text();
    expect(await (await other.get(WORK, headers)).text()).toBe(bought);
    const guess = { ...headers, "idempotency-key": randomUUID() };
    expect((await other.get(WORK, guess)).status).toBe(402);
    expect((await other.pay(WORK, payment, "x-payment")).status).toBe(402);
  });

  it("has no secret in a key that can be guessed", async () => {
    const [shop] = twoShops();
    const headers = { "idempotency-key": "order 17", "x-payment": toHeader(version1(await shop.payFor(WORK))) };
    expect((await shop.get(WORK, headers)).status).toBe(200);
    expect((await shop.get(WORK, headers)).status).toBe(402);
  });
});

it("ATK-3 each 402 has a secret of its own, the same in all its offers, which facilitators never see", async () => {
  const [shop] = twoShops();
  const keysOf = async (response: Response) => {
    const body = await bodyOf(response.clone());
    return [...quoteOf(response).accepts, ...body.accepts].map(({ extra }) => extra.retryKey);
  };
  const [one, two] = [await keysOf(await shop.get(WORK)), await keysOf(await shop.get(WORK))];
  expect([...one, ...two].every((key) => /^[\w-]{36}$/.test(String(key)))).toBe(true);
  expect([new Set(one).size, new Set(two).size, new Set([...one, ...two]).size]).toEqual([1, 1, 2]);
  const payment = await shop.payFor(WORK);
  const refused = await shop.pay(WORK, { ...payment, accepted: { ...payment.accepted, amount: "1" } });
  expect(new Set(await keysOf(refused)).size).toBe(1);
  await shop.pay(WORK, payment);
  expect(shop.facilitator.calls.length).toBeGreaterThan(1);
  expect(JSON.stringify(shop.facilitator.calls)).not.toContain("retryKey");
});
