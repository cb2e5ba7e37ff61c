/** What goes wrong without anybody's fault: clients that leave, clocks that differ, prices that change. */
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { bodyOf } from "../support/body.js";
import { fakeClock } from "../support/clock.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { openShop, type Shop } from "../support/shop.js";
import { alice, quoteOf, toHeader } from "../support/wallets.js";

const WORK = "/test/work?n=1";

/** A paid request whose client can leave. */
function leavable(shop: Shop, path: string, payment: unknown) {
  const client = new AbortController();
  const headers = { "payment-signature": toHeader(payment) };
  const request = new Request(`http://shop.test/api${path}`, { headers, signal: client.signal });
  return { leave: () => client.abort(), answer: () => shop.handle(request) };
}

describe("PAY-28 a client that leaves", () => {
  it("before the work is not charged, and can use its payment later", async () => {
    const shop = openShop();
    const payment = await shop.payFor(WORK);
    const { leave, answer } = leavable(shop, WORK, payment);
    leave();
    expect((await answer()).status).toBe(502);
    expect([shop.runs(), shop.facilitator.asked("settle")]).toEqual([0, 0]);
    expect((await shop.pay(WORK, payment)).status).toBe(200);
    expect(shop.facilitator.settled).toHaveLength(1);
  });

  it("during the work ends it, is not charged, and can use its payment later", async () => {
    const shop = openShop();
    const payment = await shop.payFor(WORK);
    const { leave, answer } = leavable(shop, WORK, payment);
    let stopped = false;
    shop.behaviours.push(async (signal) => {
      signal.addEventListener("abort", () => {
        stopped = true;
      });
      leave();
      await new Promise(() => {});
    });
    expect((await answer()).status).toBe(502);
    expect([stopped, shop.facilitator.asked("settle")]).toEqual([true, 0]);
    expect((await shop.pay(WORK, payment)).status).toBe(200);
    expect(shop.facilitator.settled).toHaveLength(1);
  });

  it("during the settlement is charged once, and finds the result when it comes back", async () => {
    const facilitator = fakeFacilitator();
    let leaving = () => {};
    const fetch: typeof globalThis.fetch = (input, init) => {
      if (String(input).endsWith("/settle")) leaving();
      return facilitator.fetch(input, init);
    };
    const shop = openShop({ facilitator, fetch });
    const payment = await shop.payFor(WORK);
    const { leave, answer } = leavable(shop, WORK, payment);
    leaving = leave;
    const first = await answer();
    const again = await shop.pay(WORK, payment);
    expect(await again.text()).toBe(await first.text());
    expect([shop.runs(), facilitator.settled.length]).toEqual([1, 1]);
  });

  it("of work that costs us money does not end it: the result is settled and kept", async () => {
    let finish = () => {};
    const model = defineCapability({
      id: "test.model",
      summary: "Is billed by usage.",
      price: "0.02",
      billing: "upto",
      source: { provider: "test", url: "", license: "MIT" },
      input: () => z.strictObject({ n: z.int().describe("Any number") }),
      output: one(z.object({ aborted: z.boolean() })),
      example: { n: 1 },
      async run(_, { signal, meter }) {
        finish();
        await new Promise((resolve) => setImmediate(resolve));
        meter.add("0.02");
        return { item: { aborted: signal.aborted } };
      },
    });
    const shop = openShop({ capabilities: [model] });
    const payment = await shop.payFor("/test/model?n=1");
    const { leave, answer } = leavable(shop, "/test/model?n=1", payment);
    finish = leave;
    await answer();
    const again = await shop.pay("/test/model?n=1", payment);
    expect(again.headers.get("x-svc-replay")).toBe("1");
    expect((await bodyOf(again)).data.items).toEqual([{ aborted: false }]);
    expect(shop.facilitator.settled).toHaveLength(1);
  });
});

describe("PAY-13 a clock of ours that is off", () => {
  it("by being slow serves no expired payment: the chain has the last word", async () => {
    const ours = fakeClock();
    const facilitator = fakeFacilitator({ chainSeconds: () => ours.seconds() + 120 });
    const shop = openShop({ facilitator, clock: ours });
    const response = await shop.pay(WORK, await shop.payFor(WORK));
    expect(response.status).toBe(402);
    expect([shop.runs(), facilitator.settled.length]).toEqual([0, 0]);
  });

  it("by being fast refuses early, and charges nothing", async () => {
    const ours = fakeClock();
    const facilitator = fakeFacilitator({ chainSeconds: () => ours.seconds() - 120 });
    const shop = openShop({ facilitator, clock: ours });
    const signedByTheirClock = await shop.payFor(WORK, { now: ours.seconds() - 120 });
    expect((await shop.pay(WORK, signedByTheirClock)).status).toBe(402);
    expect(facilitator.settled).toEqual([]);
    expect((await shop.pay(WORK, await shop.payFor(WORK))).status).toBe(200);
  });

  it("jumping an hour causes no second charge and no second trial", async () => {
    const shop = openShop();
    const payment = await shop.payFor(WORK);
    await shop.pay(WORK, payment);
    const trial = () => shop.get("/test/work?n=2", { "x-svc-trial": "1" });
    expect((await trial()).status).toBe(200);
    shop.clock.advance(-3600);
    expect((await trial()).status).toBe(402);
    expect((await shop.pay(WORK, payment)).headers.get("x-svc-replay")).toBe("1");
    shop.clock.advance(7200);
    expect((await shop.pay(WORK, payment)).headers.get("x-svc-replay")).toBe("1");
    expect(shop.facilitator.settled).toHaveLength(1);
  });
});

describe("a price that changes between quote and payment", () => {
  it("PAY-20 is asked anew, and nothing is charged", async () => {
    const facilitator = fakeFacilitator();
    const store = createMemoryStore();
    const before = openShop({ facilitator, store });
    const after = openShop({ facilitator, store, pricing: { markup: 2 } });
    const payment = await before.payFor(WORK);
    const response = await after.pay(WORK, payment);
    expect([response.status, quoteOf(response).accepts[0]?.amount]).toEqual([402, "2000"]);
    expect([after.runs(), facilitator.calls.length]).toEqual([0, 0]);
  });

  it("PAY-21 never takes more than was signed", async () => {
    let micros = 5000n;
    const live = defineCapability({
      id: "test.live",
      summary: "Has a live price.",
      price: { min: "0.001", max: "1", quote: async () => micros },
      source: { provider: "test", url: "", license: "MIT" },
      input: () => z.strictObject({ n: z.int().describe("Any number") }),
      output: one(z.object({})),
      example: { n: 1 },
      run() {
        micros = 9000n;
        return { item: {} };
      },
    });
    const shop = openShop({ capabilities: [live] });
    const [first, second] = [await shop.payFor("/test/live?n=1"), await shop.payFor("/test/live?n=1")];
    expect((await shop.pay("/test/live?n=1", first)).status).toBe(200);
    const risen = await shop.pay("/test/live?n=1", second);
    expect([risen.status, quoteOf(risen).accepts[0]?.amount]).toEqual([402, "9000"]);
    expect(shop.facilitator.settled).toMatchObject([{ value: 5000n }]);
  });
});

describe("PAY-43 what belongs to a payer", () => {
  it("is given to who proves to be it, not to who names it in a header", async () => {
    const shop = openShop();
    const key = { "idempotency-key": "purchase-of-alice-1" };
    await shop.get(WORK, { ...key, "payment-signature": toHeader(await shop.payFor(WORK)) });
    // A contract wallet's kind of signature cannot be judged here, so it proves nothing here.
    const claimed = await shop.payFor(WORK);
    const forged = { ...claimed, payload: { ...claimed.payload, signature: `0x${"ab".repeat(100)}` } };
    expect(forged.payload.authorization.from).toBe(alice.address);
    shop.facilitator.faults.verify.push("refuse");
    const response = await shop.get(WORK, { ...key, "payment-signature": toHeader(forged) });
    expect(response.status).toBe(402);
    expect(await response.text()).not.toContain('"run":1');
  });
});
