import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { legacy, one } from "../../src/capability/output.js";
import { defineOwnCapability } from "../../src/capability/own/own.js";
import { CapabilityError } from "../../src/errors.js";
import { silent } from "../../src/lib/logger.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { billedByUsage } from "../support/billed-by-usage.js";
import { bodyOf } from "../support/body.js";
import { fakeClock } from "../support/clock.js";
import { readEvents, readUntil } from "../support/events.js";
import { FACILITATOR_URL, type Fault } from "../support/facilitator.js";
import { fated } from "../support/mortal-store.js";
import { NETWORK, openShop, receiptOf, type ShopOptions } from "../support/shop.js";
import { alice, mallory, type SignedPayment, TREASURY, toHeader } from "../support/wallets.js";

const MODEL = "/test/model?n=1";
const FLAT = "/test/flat?n=1";
let reports: string[] = [];
let runs = 0;

const model = billedByUsage(({ meter }) => {
  const report = reports.shift() ?? "0.005";
  runs++;
  if (report === "fail") throw new CapabilityError("UPSTREAM_ERROR", "The model is down.");
  meter.add(report);
  return runs;
});

const flat = defineCapability({
  id: "test.flat",
  summary: "Costs half a cent.",
  price: "0.005",
  source: { provider: "test", url: "", license: "MIT" },
  input: () => z.strictObject({ n: z.int().describe("Any number") }),
  output: one(z.object({ run: z.number() })),
  example: { n: 1 },
  run: () => ({ item: { run: ++runs } }),
});

const TALK = "/test/talk?words=2";
const talk = defineOwnCapability({
  id: "test.talk",
  summary: "Talks, by the word.",
  price: "0.015",
  billing: "upto",
  source: { provider: "test", url: "", license: "MIT" },
  input: () => z.strictObject({ words: z.int().min(1).max(1000).describe("How many") }),
  output: legacy(() => z.object({ words: z.number() })),
  example: { words: 3 },
  async *stream({ words }, { meter }) {
    for (let word = 1; word <= words; word++) {
      meter.add("0.001");
      yield { word };
    }
    return { words };
  },
});

/** A shop whose buyers leave a cent and a half of credit with each settled call, unless `reports` says otherwise. */
function open(options: ShopOptions = {}) {
  reports = [];
  runs = 0;
  const clock = options.clock ?? fakeClock();
  const shop = openShop({ capabilities: [model, flat], clock, store: createMemoryStore({ clock }), ...options });
  const buy = async (path = MODEL) => shop.pay(path, await shop.payFor(path));
  const settles = () => shop.facilitator.asked("settle");
  /** What the wallet has left, by a call that credit pays. */
  const books = async () => (await shop.handle.ledger({ from: "2026-01-01", to: "2026-12-31" })).total;
  return { ...shop, buy, settles, books };
}

const usageOf = async (response: Response) => (await bodyOf(response.clone())).meta.usage;

describe("ATK-21 credit of the wallet that signed", () => {
  it("pays the next call without a header, and nothing is settled", async () => {
    const shop = open();
    await shop.buy();
    await shop.buy();
    expect(shop.settles()).toBe(2);
    // Three cents are left of two calls.
    const third = await shop.buy();
    expect([third.status, shop.settles()]).toEqual([200, 2]);
    expect(receiptOf(third)).toEqual({
      success: true,
      transaction: "",
      network: "eip155:8453",
      payer: expect.any(String),
      amount: "0",
      extensions: { credit: { usedUsd: "0.005", leftUsd: "0.025" } },
    });
    expect(await bodyOf(third)).toMatchObject({
      meta: {
        caller: "paid",
        costUsd: "0.005",
        payment: { scheme: "exact", amount: "0", transaction: "" },
        usage: {
          authorizedUsd: "0.02",
          usedUsd: "0.005",
          settledUsd: "0",
          creditUsedUsd: "0.005",
          creditLeftUsd: "0.025",
          method: "credit",
        },
      },
    });
    expect(await shop.books()).toMatchObject({
      settledUsd: "0.04",
      creditUsedUsd: "0.005",
      creditedUsd: "0.03",
      earnedUsd: "0.015",
    });
  });

  it("pays at every endpoint, also one that is not billed by usage", async () => {
    const shop = open();
    await shop.buy();
    const response = await shop.buy(FLAT);
    expect([response.status, shop.settles()]).toEqual([200, 1]);
    expect(await usageOf(response)).toMatchObject({ creditUsedUsd: "0.005", creditLeftUsd: "0.01", method: "credit" });
  });

  it("five calls of a stock buyer cost little more than what they used", async () => {
    const shop = open();
    reports = Array(5).fill("0.001");
    for (let i = 0; i < 5; i++) await shop.buy();
    // The first two are settled, and the rest of them pays for the other three.
    expect(shop.settles()).toBe(2);
    expect(await shop.books()).toMatchObject({ settledUsd: "0.04", earnedUsd: "0.005", calls: 5 });
  });

  it("that does not cover the price leaves the payment to be settled in full", async () => {
    const shop = open();
    reports = ["0.0000015"];
    await shop.buy();
    await shop.buy();
    expect(shop.settles()).toBe(2);
  });

  it("is another wallet's for another wallet", async () => {
    const shop = open();
    await shop.buy();
    const payment = await shop.payFor(FLAT, { wallet: mallory });
    await shop.pay(FLAT, payment);
    expect(shop.settles()).toBe(2);
  });

  it("PAY-3 counts the payment as used: sent again it gets the same answer, and for another request none", async () => {
    const shop = open();
    await shop.buy();
    const payment = await shop.payFor(FLAT);
    const first = await shop.pay(FLAT, payment);
    const again = await shop.pay(FLAT, payment);
    expect([again.status, await again.text()]).toEqual([200, await first.text()]);
    expect(again.headers.get("payment-response")).toBe(first.headers.get("payment-response"));
    expect(await shop.pay("/test/flat?n=2", payment)).toMatchObject({ status: 402 });
    expect([shop.settles(), runs]).toEqual([1, 2]);
  });

  it("is given back when the run fails, and the same payment uses it then", async () => {
    const shop = open();
    await shop.buy();
    await shop.buy();
    reports = ["fail", "0.002"];
    const payment = await shop.payFor(MODEL);
    expect((await shop.pay(MODEL, payment)).status).toBe(502);
    const second = await shop.pay(MODEL, payment);
    expect(await usageOf(second)).toMatchObject({ creditUsedUsd: "0.002", creditLeftUsd: "0.028" });
    expect(shop.settles()).toBe(2);
  });

  it("for one of several calls at once pays one, and the others are settled", async () => {
    const shop = open();
    await shop.buy();
    const path = (n: number) => `/test/flat?n=${n}`;
    const payments = await Promise.all([1, 2, 3, 4, 5].map((n) => shop.payFor(path(n))));
    const answers = await Promise.all(payments.map((payment, i) => shop.pay(path(i + 1), payment)));
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
    // A cent and a half covers three of them.
    expect(shop.settles()).toBe(1 + 2);
    expect(await shop.books()).toMatchObject({ creditUsedUsd: "0.015" });
  });

  it("of two instances on one store is spent once", async () => {
    const clock = fakeClock();
    const store = createMemoryStore({ clock });
    const one = open({ clock, store });
    const two = open({ clock, store, facilitator: one.facilitator });
    await one.buy();
    const path = (n: number) => `/test/flat?n=${n}`;
    const payments = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => one.payFor(path(n))));
    await Promise.all(payments.map((payment, i) => [one, two][i % 2]?.pay(path(i + 1), payment)));
    expect(one.facilitator.settled).toHaveLength(1 + 3);
    expect(await one.books()).toMatchObject({ creditUsedUsd: "0.015" });
  });

  it("and its token spend the same money", async () => {
    const shop = open();
    const token = (await shop.buy()).headers.get("x-svc-credit") ?? "";
    for (let i = 0; i < 2; i++) expect((await shop.get(FLAT, { "x-svc-credit": token })).status).toBe(200);
    await shop.buy(FLAT);
    expect((await shop.get(FLAT, { "x-svc-credit": token })).status).toBe(402);
    await shop.buy(FLAT);
    expect(shop.settles()).toBe(2);
  });

  it("is spent though a token comes along that covers less", async () => {
    const shop = open();
    reports = ["0.019"];
    const token = (await shop.buy()).headers.get("x-svc-credit") ?? "";
    await shop.buy();
    await shop.buy();
    const [asked, settles] = [await shop.get(FLAT, { "x-svc-credit": token }), shop.settles()];
    expect(asked.status).toBe(402);
    const [terms] = JSON.parse(Buffer.from(asked.headers.get("payment-required") ?? "", "base64").toString()).accepts;
    const payment = await shop.payFor(FLAT, { authorization: { value: terms.amount } });
    const headers = { "x-svc-credit": token };
    const signed = { ...payment, accepted: terms };
    const response = await shop.get(FLAT, {
      ...headers,
      "payment-signature": Buffer.from(JSON.stringify(signed)).toString("base64"),
    });
    expect(await usageOf(response)).toMatchObject({ creditUsedUsd: "0.005", method: "credit" });
    expect(shop.settles()).toBe(settles);
  });

  it("is given back as credit when the host refunds a call that it paid", async () => {
    const shop = open();
    await shop.buy();
    const response = await shop.buy(FLAT);
    const { requestId } = (await bodyOf(response)).meta;
    expect(await shop.handle.refund({ requestId })).toMatchObject({ state: "credited", usd: "0.005" });
    for (let i = 0; i < 3; i++) await shop.buy(FLAT);
    expect(shop.settles()).toBe(1);
  });
});

describe("ATK-3 what proves the wallet", () => {
  const used = async (shop: ReturnType<typeof open>): Promise<SignedPayment> => {
    const payment = await shop.payFor(FLAT);
    shop.facilitator.useUp(payment.payload.authorization, "used");
    return payment;
  };

  it("is not a message that is on chain already, though the facilitator says yes", async () => {
    const shop = open({ node: true });
    shop.facilitator.showChain();
    await shop.buy();
    const payment = await used(shop);
    shop.facilitator.faults.verify.push("lie-yes");
    // Its own transfer pays it, as it would without credit.
    await shop.pay(FLAT, payment);
    expect(await shop.books()).toMatchObject({ creditUsedUsd: "0" });
    expect(await usageOf(await shop.buy(FLAT))).toMatchObject({ creditUsedUsd: "0.005" });
  });

  it("is no expired, forged or refused payment", async () => {
    const shop = open();
    await shop.buy();
    const forged = await shop.payFor(FLAT, { domain: { name: "Another" } });
    expect((await shop.pay(FLAT, forged)).status).toBe(402);
    const late = await shop.payFor(FLAT, { authorization: { validBefore: String(shop.clock.seconds() - 1) } });
    expect((await shop.pay(FLAT, late)).status).toBe(402);
    shop.facilitator.faults.verify.push("refuse");
    expect((await shop.buy(FLAT)).status).toBe(402);
    expect([runs, shop.settles()]).toEqual([1, 1]);
  });

  it("is none that outlives its record, which is settled", async () => {
    const shop = open();
    await shop.buy();
    const payment = await shop.payFor(FLAT, {
      authorization: { validBefore: String(shop.clock.seconds() + 30 * 86_400) },
    });
    expect((await shop.pay(FLAT, payment)).status).toBe(200);
    expect(shop.settles()).toBe(2);
  });
});

describe("ATK-5 a payment that credit replaced", () => {
  it("and that is on chain all the same becomes credit, once", async () => {
    const shop = open();
    shop.facilitator.showChain();
    await shop.buy();
    const payment = await shop.payFor(FLAT);
    await shop.pay(FLAT, payment);
    shop.facilitator.useUp(payment.payload.authorization, "used");
    for (let i = 0; i < 6; i++) {
      shop.clock.advance(120);
      await shop.handle.reconcile();
    }
    expect(await shop.books()).toMatchObject({
      settledUsd: "0.025",
      creditedUsd: "0.02",
      creditUsedUsd: "0.005",
      earnedUsd: "0.01",
      owedUsd: "0",
    });
    const next = await shop.buy(FLAT);
    expect(await usageOf(next)).toMatchObject({ creditUsedUsd: "0.005", creditLeftUsd: "0.01" });
    expect(shop.settles()).toBe(1);
    expect((await shop.pay(FLAT, payment)).status).toBe(200);
  });

  it("is looked for once, after its end", async () => {
    const shop = open();
    shop.facilitator.showChain();
    await shop.buy();
    await shop.buy(FLAT);
    const before = shop.facilitator.reads();
    for (let i = 0; i < 20; i++) {
      shop.clock.advance(60);
      await shop.handle.reconcile();
    }
    expect(shop.facilitator.reads() - before).toBeLessThan(4);
  });
});

describe("credit beyond a bound", () => {
  const withRefunds = (maxCreditUsd: string) =>
    open({
      payment: {
        treasury: { [NETWORK]: TREASURY },
        facilitator: { url: FACILITATOR_URL },
        refunds: { [NETWORK]: mallory },
        minReturnUsd: "0.015001",
        maxCreditUsd,
      },
    });
  const backs = (shop: ReturnType<typeof open>) =>
    shop.facilitator.settled.filter(({ from }) => from === mallory.address).map(({ to, value }) => [to, value]);

  it("goes back to its wallet, once, by the background", async () => {
    const shop = withRefunds("0.02");
    shop.facilitator.showChain();
    await shop.buy();
    await shop.handle.reconcile();
    expect(backs(shop)).toEqual([]);
    await shop.buy();
    for (let i = 0; i < 4; i++) {
      shop.clock.advance(61);
      await shop.handle.reconcile();
    }
    expect(backs(shop)).toEqual([[alice.address, 30_000n]]);
    expect(await shop.books()).toMatchObject({
      settledUsd: "0.04",
      earnedUsd: "0.01",
      returnedUsd: "0.03",
      owedUsd: "0",
    });
    await shop.buy(FLAT);
    expect(shop.facilitator.settled.filter(({ from }) => from === alice.address)).toHaveLength(3);
  });

  it.each<Fault>(["drop-after", "drop", "status500"])("is paid once although a refund ends in %s", async (fault) => {
    const shop = withRefunds("0.02");
    shop.facilitator.showChain();
    await shop.buy();
    await shop.buy();
    shop.facilitator.faults.settle.push(fault);
    for (let i = 0; i < 6; i++) {
      shop.clock.advance(400);
      await shop.handle.reconcile();
    }
    expect(backs(shop)).toEqual([[alice.address, 30_000n]]);
    expect(await shop.books()).toMatchObject({ returnedUsd: "0.03", owedUsd: "0" });
  });

  it("stays below it where the host names no wallet, and the start says so", async () => {
    const warned: string[] = [];
    const logger = { ...silent, warn: (_: object, text?: string) => void warned.push(text ?? "") };
    const shop = open({ logger });
    expect(warned.join()).toContain("payment.refunds: no wallet returns what is left");
    expect(warned.join()).toContain("test.model");
    for (let i = 0; i < 3; i++) await shop.buy();
    await shop.handle.reconcile();
    expect(shop.facilitator.settled.every(({ from }) => from === alice.address)).toBe(true);
    warned.splice(0);
    open({ logger, capabilities: [flat] });
    open({ logger, pricing: { overrides: { "test.model": "0.01" } } });
    expect(warned.join()).not.toContain("payment.refunds: no wallet");
  });
});

describe("PAY-29 a crash of a call on credit", () => {
  /** One instance that dies at an operation of its store, and one that lives on. */
  async function crashAt(left: number, done: boolean) {
    const clock = fakeClock();
    const living = createMemoryStore({ clock });
    const fate = { left: Number.POSITIVE_INFINITY, done, forGood: true };
    const mortal = fated(living, fate);
    const next = open({ clock, store: living });
    const dying = openShop({
      capabilities: [model, flat, talk],
      clock,
      store: mortal.store,
      facilitator: next.facilitator,
    });
    await next.buy();
    await dying.get(FLAT);
    const payment = await next.payFor(FLAT, { authorization: { validBefore: String(clock.seconds() + 86_400) } });
    fate.left = left;
    const answer = dying.pay(FLAT, payment).catch(() => undefined);
    const end = await Promise.race([answer, mortal.failed]);
    return { clock, next, payment, isOver: end instanceof Response };
  }

  it("anywhere costs its buyer the price once, and holds nothing", async () => {
    for (const done of [false, true])
      for (let left = 0, isOver = false; !isOver; left++) {
        const crash = await crashAt(left, done);
        const { clock, next, payment } = crash;
        isOver = crash.isOver;
        clock.advance(left % 2 === 0 ? 600 : 200);
        if (left % 2 === 0) await next.handle.reconcile();
        const again = await next.pay(FLAT, payment);
        expect([left, done, again.status]).toEqual([left, done, 200]);
        clock.advance(600);
        await next.handle.reconcile();
        await next.handle.reconcile();
        const books = await next.books();
        expect([left, done, books]).toMatchObject([
          left,
          done,
          { settledUsd: "0.02", creditUsedUsd: "0.005", earnedUsd: "0.01" },
        ]);
        // A cent is left, whole.
        for (let i = 0; i < 2; i++) await next.buy(FLAT);
        expect([left, done, next.settles()]).toEqual([left, done, 1]);
      }
  });
});

describe("a stream on credit", () => {
  it("is charged by what it used, without a settlement before it", async () => {
    const shop = open({ capabilities: [model, flat, talk] });
    await shop.buy();
    await shop.buy();
    const payment = await shop.payFor(TALK);
    const headers = { accept: "text/event-stream", "payment-signature": toHeader(payment) };
    const text = await (await shop.get(TALK, headers)).text();
    expect(readEvents(text).meta).toMatchObject({
      usage: { creditUsedUsd: "0.002", creditLeftUsd: "0.028", method: "credit" },
    });
    expect(shop.settles()).toBe(2);
    expect(await (await shop.get(TALK, headers)).text()).toBe(text);
  });

  it("whose process dies costs what was sent", async () => {
    const clock = fakeClock();
    const living = createMemoryStore({ clock });
    const fate = { left: Number.POSITIVE_INFINITY, done: false, forGood: true };
    const mortal = fated(living, fate);
    const next = open({ clock, store: living, capabilities: [model, flat, talk] });
    const dying = openShop({ capabilities: [talk], clock, store: mortal.store, facilitator: next.facilitator });
    await next.buy();
    const path = "/test/talk?words=15";
    const payment = await next.payFor(path, { authorization: { validBefore: String(clock.seconds() + 86_400) } });
    const headers = { accept: "text/event-stream", "payment-signature": toHeader(payment) };
    const reader = (await dying.get(path, headers)).body?.getReader() as ReadableStreamDefaultReader<Uint8Array>;
    await readUntil(reader, (text) => text.includes('{"word":12}'));
    await new Promise((resolve) => setImmediate(resolve));
    fate.left = 0;
    void readUntil(reader, () => false);
    await mortal.failed;
    clock.advance(600);
    await next.handle.reconcile();
    const { creditUsedUsd } = await next.books();
    expect(Number(creditUsedUsd)).toBeGreaterThanOrEqual(0.005);
    expect(Number(creditUsedUsd)).toBeLessThanOrEqual(0.013);
    expect(readEvents(await (await next.get(path, headers)).text()).error.detail).toMatch(/stopped in the middle/);
    expect(await next.books()).toMatchObject({ creditUsedUsd });
    expect(next.settles()).toBe(1);
  });
});
