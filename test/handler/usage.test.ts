import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import { CapabilityError } from "../../src/errors.js";
import { createCredits } from "../../src/payment/refund/credit.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import type { ListedRecord } from "../../src/stores/store.js";
import { billedByUsage } from "../support/billed-by-usage.js";
import { bodyOf } from "../support/body.js";
import { fakeClock } from "../support/clock.js";
import type { Fault } from "../support/facilitator.js";
import { openShop, receiptOf, type ShopOptions } from "../support/shop.js";
import { alice, mallory, quoteOf, sign, toHeader } from "../support/wallets.js";

const MODEL = "/test/model?n=1";
/** What the next runs report as used; null reports nothing. */
let reports: (string | null)[] = [];
let runs = 0;

const model = (estimate?: string) =>
  billedByUsage(({ meter }) => {
    const report = reports.shift();
    runs++;
    if (report === "fail") throw new CapabilityError("UPSTREAM_ERROR", "The model is down.");
    if (report) meter.add(report);
    return runs;
  }, estimate);

/** The refund wallet is a stranger's, as far as the treasury is concerned. */
function open(options: ShopOptions & { estimate?: string; refunds?: boolean } = {}) {
  reports = [];
  runs = 0;
  const { estimate, refunds = true, ...rest } = options;
  const treasury = { "eip155:8453": "0x209693Bc6afc0C5328bA36FaF03C514EF312287C" };
  const shop = openShop({
    capabilities: [model(estimate)],
    payment: {
      treasury,
      facilitator: { url: "https://facilitator.test" },
      ...(refunds ? { refunds: { "eip155:8453": mallory } } : {}),
    },
    ...rest,
  });
  const buy = async (reported: string | null, credit?: string) => {
    reports.push(reported);
    const headers: Record<string, string> = credit ? { "x-svc-credit": credit } : {};
    const quote = await shop.get(MODEL, headers);
    if (quote.status !== 402) return quote;
    const payment = await shop.payFor(MODEL, { authorization: { value: quoteOf(quote).accepts[0]?.amount ?? "" } });
    const accepted = { ...quoteOf(quote).accepts[0] };
    return shop.get(MODEL, { ...headers, "payment-signature": toHeader({ ...payment, accepted }) });
  };
  const moved = () => shop.facilitator.settled.map(({ from, value }) => [from === alice.address ? "in" : "out", value]);
  return { ...shop, buy, moved };
}

const usageOf = async (response: Response) => (await bodyOf(response)).meta.usage;

describe("PAY-39 usage below the maximum", () => {
  it("settles the maximum and pays the rest back, to the payer alone", async () => {
    const shop = open();
    const response = await shop.buy("0.0075");
    expect(response.status).toBe(200);
    expect(await usageOf(response)).toEqual({
      authorizedUsd: "0.02",
      usedUsd: "0.0075",
      settledUsd: "0.02",
      returnedUsd: "0.0125",
      method: "exact",
    });
    expect(shop.facilitator.settled).toMatchObject([
      { from: alice.address, value: 20_000n },
      { from: mallory.address, to: alice.address, value: 12_500n },
    ]);
    expect(receiptOf(response)).toMatchObject({ success: true, amount: "20000" });
  });

  it("of a fraction of a micro-dollar is rounded up", async () => {
    const shop = open();
    expect(await usageOf(await shop.buy("0.0000000001"))).toMatchObject({
      usedUsd: "0.000001",
      returnedUsd: "0.019999",
    });
  });

  it("equal to the maximum returns nothing; above it costs the maximum", async () => {
    const shop = open();
    expect(await usageOf(await shop.buy("0.02"))).toEqual(
      expect.not.objectContaining({ returnedUsd: expect.anything() }),
    );
    expect(await usageOf(await shop.buy("0.5"))).toMatchObject({ usedUsd: "0.02", settledUsd: "0.02" });
    expect(shop.moved()).toEqual([
      ["in", 20_000n],
      ["in", 20_000n],
    ]);
  });

  it("of zero settles nothing and still delivers, once", async () => {
    const shop = open();
    reports = ["0", "0.01"];
    const payment = await shop.payFor(MODEL);
    const first = await shop.pay(MODEL, payment);
    expect(await bodyOf(first.clone())).toMatchObject({
      meta: { costUsd: "0", usage: { settledUsd: "0", method: "none" } },
    });
    expect(first.headers.has("payment-response")).toBe(false);
    const second = await shop.pay(MODEL, payment);
    expect(await second.text()).toBe(await first.text());
    expect([runs, shop.facilitator.asked("settle")]).toEqual([1, 0]);
  });

  it.each(["NaN", "-1", "1e3", null])("reported as %j is our own estimate, marked so", async (report) => {
    expect(await usageOf(await open({ estimate: "0.004" }).buy(report))).toMatchObject({
      usedUsd: "0.004",
      estimated: true,
    });
    expect(await usageOf(await open().buy(report))).toMatchObject({ usedUsd: "0.02", estimated: true });
  });

  it("of a failed run settles nothing", async () => {
    const shop = open();
    expect((await shop.buy("fail")).status).toBe(502);
    expect(shop.facilitator.asked("settle")).toBe(0);
  });

  it("is marked up as the price is, and a host's fixed price is the price", async () => {
    expect(await usageOf(await open({ pricing: { markup: 2 } }).buy("0.0075"))).toMatchObject({
      authorizedUsd: "0.04",
      usedUsd: "0.015",
    });
    const fixed = open({ pricing: { overrides: { "test.model": "0.03" } } });
    expect(await usageOf(await fixed.buy("0.0075"))).toMatchObject({ usedUsd: "0.03", settledUsd: "0.03" });
  });
});

describe("PAY-40 a return", () => {
  it.each<Fault>(["drop-after", "pending-after", "drop", "status500"])(
    "that ends in %s stays owed, is retried, and is made exactly once",
    async (fault) => {
      const shop = open();
      reports = ["0.01"];
      const payment = await shop.payFor(MODEL);
      // The payment settles, the return meets the fault.
      shop.facilitator.faults.settle.push("none", fault);
      const first = await shop.pay(MODEL, payment);
      expect(await usageOf(first)).toMatchObject({ settledUsd: "0.02", owedUsd: "0.01" });
      for (let i = 0; i < 3; i++) {
        shop.clock.advance(61);
        await shop.handle.reconcile();
      }
      expect(shop.moved()).toEqual([
        ["in", 20_000n],
        ["out", 10_000n],
      ]);
    },
  );

  it("by the background and by a lost write at the same time is still one: the chain knows its nonce", async () => {
    const shop = open();
    shop.facilitator.showChain();
    await shop.buy("0.01");
    const [, back] = shop.facilitator.calls.filter(({ path }) => path === "settle");
    await shop.facilitator.fetch("https://facilitator.test/settle", {
      method: "POST",
      body: JSON.stringify(back?.body),
    });
    expect(shop.moved()).toEqual([
      ["in", 20_000n],
      ["out", 10_000n],
    ]);
  });

  it("whose answer was lost does not become credit as well, also where the chain cannot be read", async () => {
    const shop = open();
    reports = ["0.01"];
    const payment = await shop.payFor(MODEL);
    shop.facilitator.faults.settle.push("none", "drop-after");
    await shop.pay(MODEL, payment);
    for (let i = 0; i < 8; i++) {
      shop.clock.advance(61);
      await shop.handle.reconcile();
    }
    const again = await shop.pay(MODEL, payment);
    expect(await usageOf(again)).toMatchObject({ settledUsd: "0.02", returnedUsd: "0.01" });
    expect(again.headers.has("x-svc-credit")).toBe(false);
  });

  it("is made for each payment of an idempotency key that is used again after it was forgotten", async () => {
    const clock = fakeClock();
    const shop = open({ clock, store: createMemoryStore({ clock }) });
    for (let i = 0; i < 2; i++) {
      reports = ["0.01"];
      const headers = { "payment-signature": toHeader(await shop.payFor(MODEL)), "idempotency-key": "weekly" };
      expect(await usageOf(await shop.get(MODEL, headers))).toMatchObject({ returnedUsd: "0.01" });
      clock.advance(8 * 24 * 3600);
    }
    expect(shop.moved().map(([way]) => way)).toEqual(["in", "out", "in", "out"]);
  });

  it("whose answers were all lost while no node could be read does not become credit on top", async () => {
    const shop = open();
    // The first settles and loses its answer; so do the four that repeat it. The last one hears that it was used.
    shop.facilitator.faults.settle.push("none", "status500-after", ...Array<Fault>(4).fill("status500"));
    const response = await shop.buy("0.01");
    expect(response.status).toBe(200);
    for (let i = 0; i < 8; i++) {
      shop.clock.advance(300);
      await shop.handle.reconcile();
    }
    expect(shop.moved()).toEqual([
      ["in", 20_000n],
      ["out", 10_000n],
    ]);
    const { total } = await shop.handle.ledger({ from: "2026-06-01", to: "2026-06-30" });
    expect(total).toMatchObject({ returnedUsd: "0.01", creditedUsd: "0", owedUsd: "0" });
  });

  it("that keeps failing becomes credit, which the payer finds by repeating the call", async () => {
    const shop = open();
    shop.facilitator.fund(mallory.address, 0n);
    reports = ["0.01"];
    const payment = await shop.payFor(MODEL);
    expect(await usageOf(await shop.pay(MODEL, payment))).toMatchObject({ owedUsd: "0.01" });
    for (let i = 0; i < 6; i++) {
      shop.clock.advance(181);
      await shop.handle.reconcile();
    }
    const again = await shop.pay(MODEL, payment);
    expect(again.headers.get("x-svc-credit")).toMatch(/^[\w-]{43}$/);
    expect(await usageOf(again)).toMatchObject({ creditedUsd: "0.01" });
    expect(shop.moved()).toEqual([["in", 20_000n]]);
  });
});

describe("credit", () => {
  it("takes the place of a return below the minimum, or without a wallet to return from", async () => {
    const dust = await open().buy("0.016");
    expect(await usageOf(dust)).toMatchObject({ creditedUsd: "0.004" });
    const none = open({ refunds: false });
    expect(await usageOf(await none.buy("0.005"))).toMatchObject({ creditedUsd: "0.015" });
    expect(none.moved()).toEqual([["in", 20_000n]]);
  });

  it("lowers the next quote, is used up first, and is spent once", async () => {
    const shop = open({ refunds: false });
    const credit = (await shop.buy("0.008")).headers.get("x-svc-credit") ?? "";
    const quote = await shop.get(MODEL, { "x-svc-credit": credit });
    expect(quoteOf(quote).accepts[0]?.amount).toBe("8000");
    expect((await bodyOf(quote)).extensions.code).toBe("CREDIT_INSUFFICIENT");
    const second = await shop.buy("0.015", credit);
    expect(await bodyOf(second.clone())).toMatchObject({ meta: { costUsd: "0.015" } });
    expect(shop.moved()).toEqual([
      ["in", 20_000n],
      ["in", 8000n],
    ]);
    // 20000 + 8000 paid, 8000 + 15000 used: 5000 are the payer's, on the second call's own token.
    expect(await usageOf(second)).toMatchObject({ creditedUsd: "0.005" });
    expect(quoteOf(await shop.get(MODEL, { "x-svc-credit": credit })).accepts[0]?.amount).toBe("20000");
  });

  it("PAY-3 a payment that used credit up gets its result again, though its amount is not what is asked now", async () => {
    const shop = open({ refunds: false });
    const credit = (await shop.buy("0.008")).headers.get("x-svc-credit") ?? "";
    const quote = await shop.get(MODEL, { "x-svc-credit": credit });
    const accepted = { ...quoteOf(quote).accepts[0] };
    const payment = await shop.payFor(MODEL, { authorization: { value: accepted.amount ?? "" } });
    const send = (extra: Record<string, string>) =>
      shop.get(MODEL, { ...extra, "payment-signature": toHeader({ ...payment, accepted }) });
    reports = ["0.015"];
    const first = await send({ "x-svc-credit": credit });
    const text = await first.text();
    expect([first.status, await (await send({ "x-svc-credit": credit })).text()]).toEqual([200, text]);
    // Whoever forgets the token paid no less.
    expect(await (await send({})).text()).toBe(text);
    expect([runs, shop.moved().length]).toEqual([2, 2]);
  });

  it("covers a whole call without any payment", async () => {
    const shop = open({ refunds: false, pricing: { markup: 1 } });
    const credits: string[] = [];
    for (let i = 0; i < 2; i++) credits.push((await shop.buy("0.000001")).headers.get("x-svc-credit") ?? "");
    const [credit = ""] = credits;
    reports = ["fail", "0.0075"];
    // 19999 of credit do not cover a quote of 20000.
    expect((await shop.get(MODEL, { "x-svc-credit": credit })).status).toBe(402);
    expect(shop.moved()).toHaveLength(2);
  });

  it("pays for fixed prices too, is given back by a failed run, and never goes below zero in a race", async () => {
    const cheap = defineCapability({
      id: "test.cheap",
      summary: "Costs a tenth of a cent.",
      price: "0.001",
      source: { provider: "test", url: "", license: "MIT" },
      input: () => z.strictObject({ n: z.int().describe("Any number") }),
      output: one(z.object({})),
      example: { n: 1 },
      run({ n }) {
        if (n === 0) throw new CapabilityError("UPSTREAM_ERROR", "Down.");
        return { item: {} };
      },
    });
    const shop = open({ refunds: false, capabilities: [model(), cheap] });
    const credit = (await shop.buy("0.015")).headers.get("x-svc-credit") ?? "";
    const call = (n: number) => shop.get(`/test/cheap?n=${n}`, { "x-svc-credit": credit });
    expect((await call(0)).status).toBe(502);
    const answers = await Promise.all(Array.from({ length: 12 }, () => call(1)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(7);
    expect(shop.moved()).toEqual([["in", 20_000n]]);
  });

  it("of an unknown token changes nothing", async () => {
    const shop = open();
    const response = await shop.get(MODEL, { "x-svc-credit": "x".repeat(43) });
    expect(response.status).toBe(402);
    expect(quoteOf(response).accepts[0]?.amount).toBe("20000");
    expect((await shop.get(MODEL, { "x-svc-credit": "x".repeat(5000) })).status).toBe(402);
  });
});

describe("the token of a credit", () => {
  it("is kept nowhere in clear, and is the same whenever its payment comes back", async () => {
    const store = createMemoryStore();
    const shop = open({ store, refunds: false });
    const [first, again] = [open({ store, refunds: false, clock: shop.clock }), shop];
    reports = ["0.0075"];
    const payment = await shop.payFor(MODEL);
    const token = (await first.pay(MODEL, payment)).headers.get("x-svc-credit") ?? "";
    expect(token.length).toBeGreaterThan(20);
    const kept = (await store.list("", { limit: 1000 })).map(({ key, value }) => key + value).join();
    expect(kept).not.toContain(token);
    expect((await again.pay(MODEL, payment)).headers.get("x-svc-credit")).toBe(token);
  });

  it("of an older release, which kept it with the payment, is delivered still", async () => {
    const store = createMemoryStore();
    const shop = open({ store, refunds: false });
    reports = ["0.0075"];
    const payment = await shop.payFor(MODEL);
    await shop.pay(MODEL, payment);
    const [{ key, value, version }] = (await store.list("payment:", { limit: 1 })) as [ListedRecord];
    const record = JSON.parse(value);
    const older = { ...record, refund: { ...record.refund, token: "a token of an older release" } };
    await store.put(key, JSON.stringify(older), { ifVersion: version, ttlMs: 3_600_000 });
    expect((await shop.pay(MODEL, payment)).headers.get("x-svc-credit")).toBe("a token of an older release");
  });
});

describe("ATK-12 credit beside a payment", () => {
  it("is free again when the settlement is refused, and used once when the payment comes back", async () => {
    const [store, clock] = [createMemoryStore(), fakeClock()];
    const shop = openShop({ store, clock });
    const credits = createCredits(store, () => clock().getTime());
    const token = await credits.issue("earlier", alice.address, 400n);
    const headers = { "x-svc-credit": token };
    const [terms] = quoteOf(await shop.get("/test/work?n=1", headers)).accepts;
    if (!terms) throw new Error("nothing offered");
    expect(terms.amount).toBe("600");
    const payment = await sign(terms, { now: clock.seconds() });
    const pay = () => shop.get("/test/work?n=1", { ...headers, "payment-signature": toHeader(payment) });
    shop.facilitator.faults.settle.push("refuse-poor");
    expect((await pay()).status).toBe(402);
    expect((await credits.find(token))?.available).toBe(400n);
    expect((await pay()).status).toBe(200);
    expect((await credits.find(token))?.available).toBe(0n);
    expect(shop.runs()).toBe(1);
  });
});
