/** Channels as stock buyers live them: the official client, the official facilitator, and the contracts on a local chain. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { batchRun } from "../../../src/capabilities/batch/index.js";
import { defineCapability } from "../../../src/capability/define.js";
import { one } from "../../../src/capability/output.js";
import { CapabilityError } from "../../../src/errors.js";
import { type ChannelChain, startChannelChain } from "../../support/channel-chain.js";
import { openChannelShop, receiptOf, TREASURY, WORK } from "../../support/channel-shop.js";
import { quoteOf, toHeader } from "../../support/wallets.js";

let chain: ChannelChain;
beforeAll(async () => {
  chain = await startChannelChain();
});
afterAll(() => chain.stop());

describe("a stock buyer of channels", () => {
  it("CH-4 deposits once and then pays by voucher, of which neither facilitator nor chain is asked", async () => {
    const shop = openChannelShop(chain);
    const buyer = await chain.buyer(shop.fetch);
    const opened = await buyer.fetch(`${WORK}?n=0`);
    expect(opened.status).toBe(200);
    const first = receiptOf(opened);
    expect(first).toMatchObject({ success: true, amount: "1000000", extra: { chargedAmount: "1000" } });
    expect(first.transaction).toMatch(/^0x[0-9a-f]{64}$/);
    const asked = chain.asked.length;
    for (let n = 1; n <= 20; n++) {
      const response = await buyer.fetch(`${WORK}?n=${n}`);
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ data: { items: [{ n }] }, meta: { costUsd: "0.001" } });
      expect(receiptOf(response)).toMatchObject({ success: true, transaction: "", amount: "" });
      expect(receiptOf(response).extra).toMatchObject({
        chargedAmount: "1000",
        channelState: { chargedCumulativeAmount: String(1000 * (n + 1)) },
      });
    }
    expect(chain.asked.length).toBe(asked);
    expect(shop.runs()).toBe(21);
    await shop.handle.close();
  });

  it("CH-1 are offered after exact and in the header alone", async () => {
    const shop = openChannelShop(chain);
    await shop.fetch(WORK);
    const response = await shop.fetch(`${WORK}?n=1`);
    const offers = quoteOf(response).accepts;
    expect(offers.map(({ scheme }) => scheme)).toEqual(["exact", "batch-settlement"]);
    expect(offers[1]).toMatchObject({
      amount: "1000",
      payTo: TREASURY,
      extra: { minDeposit: "1000000", withdrawDelay: 86_400 },
    });
    expect(response.headers.get("payment-required")?.length).toBeLessThan(4096);
    expect(await response.text()).not.toContain("batch-settlement");
    await shop.handle.close();
  });
});

describe("a host that offers channels to buyers that ask", () => {
  it("CH-1 shows them to no other, for whom an unknown scheme may be the end, and sells to a stock buyer that asks", async () => {
    const shop = openChannelShop(chain, { channels: { offer: "asked" } });
    const schemes = async (headers: Record<string, string> = {}) =>
      quoteOf(await shop.fetch(`${WORK}?n=1`, { headers })).accepts.map(({ scheme }) => scheme);
    await schemes();
    const asking = { "x-svc-accept-scheme": "batch-settlement" };
    expect(await schemes()).toEqual(["exact"]);
    expect(await schemes(asking)).toEqual(["batch-settlement", "exact"]);
    expect(await schemes({ "payment-signature": "e30=" })).toEqual(["exact"]);
    const buyer = await chain.buyer(shop.fetch);
    for (let n = 0; n < 2; n++) expect((await buyer.fetch(`${WORK}?n=${n}`, { headers: asking })).status).toBe(200);
    // Whoever pays by channel reads the offer, and has to, to mend what was refused.
    const { accepts } = quoteOf(await shop.fetch(`${WORK}?n=1`, { headers: asking }));
    const payment = { x402Version: 2, accepted: accepts[0], payload: { type: "voucher" } };
    expect(await schemes({ "payment-signature": toHeader(payment) })).toEqual(["exact", "batch-settlement"]);
    await shop.handle.close();
  });
});

describe("many calls of one buyer", () => {
  it("CH-18 take turns: ten at once, and thirty, are all served, each charged once", async () => {
    const shop = openChannelShop(chain);
    await shop.fetch(WORK);
    const buyer = await chain.buyer(shop.fetch);
    await buyer.fetch(`${WORK}?n=1000`);
    for (const many of [10, 30]) {
      const calls = Array.from({ length: many }, (_, n) => buyer.fetch(`${WORK}?n=${n}`));
      const answers = await Promise.all(calls);
      expect(answers.map(({ status }) => status)).toEqual(Array(many).fill(200));
    }
    expect(shop.runs()).toBe(41);
    expect((await shop.handle.ledger()).channels).toMatchObject({ earnedUsd: "0.041" });
    await shop.handle.close();
  }, 30_000);

  it("CH-19 by two processes of one wallet both get on, without a deadlock", async () => {
    const shop = openChannelShop(chain);
    await shop.fetch(WORK);
    const first = await chain.buyer(shop.fetch);
    const second = await chain.buyer(shop.fetch, { account: first.account });
    const work = async (buyer: typeof first, from: number) => {
      let served = 0;
      for (let n = 0; n < 20; n++) if ((await buyer.fetch(`${WORK}?n=${from + n}`)).status === 200) served++;
      return served;
    };
    const served = await Promise.all([work(first, 0), work(second, 100)]);
    for (const each of served) expect(each).toBeGreaterThanOrEqual(5);
    expect(shop.runs()).toBe(served[0] + served[1]);
    const { earnedUsd } = (await shop.handle.ledger()).channels ?? {};
    expect(earnedUsd).toBe(`0.0${String(served[0] + served[1]).padStart(2, "0")}`.replace(/0+$/, ""));
    await shop.handle.close();
  }, 30_000);

  it("CH-18 over two instances are charged for what they got, whoever serves them", async () => {
    const first = openChannelShop(chain);
    const second = openChannelShop(chain, { store: first.store });
    for (const { fetch } of [first, second]) await fetch(WORK);
    let turn = 0;
    const balanced: typeof globalThis.fetch = (...args) => (turn++ % 2 ? first : second).fetch(...args);
    const buyer = await chain.buyer(balanced);
    await buyer.fetch(`${WORK}?n=1000`);
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => buyer.fetch(`${WORK}?n=${n}`)));
    const served = answers.filter(({ status }) => status === 200).length;
    expect(served).toBeGreaterThanOrEqual(4);
    expect(first.runs() + second.runs()).toBe(served + 1);
    expect((await first.handle.ledger()).channels?.earnedUsd).toBe(
      `0.0${String(served + 1).padStart(2, "0")}`.replace(/0$/, ""),
    );
    for (const { handle } of [first, second]) await handle.close();
  }, 30_000);

  it("CH-20 on twenty channels wait for none of the others", async () => {
    const shop = openChannelShop(chain);
    await shop.fetch(WORK);
    const buyer = await chain.buyer(shop.fetch);
    await buyer.fetch(`${WORK}?n=1`);
    let slow = () => {};
    const held = new Promise<void>((resolve) => {
      slow = resolve;
    });
    shop.behaviours.push(() => held);
    const waiting = buyer.fetch(`${WORK}?n=2`);
    await expect.poll(() => shop.runs()).toBe(2);
    const others = await Promise.all(Array.from({ length: 19 }, () => chain.buyer(shop.fetch)));
    const answers = await Promise.all(others.map((other) => other.fetch(`${WORK}?n=3`)));
    expect(answers.map(({ status }) => status)).toEqual(Array(19).fill(200));
    slow();
    expect((await waiting).status).toBe(200);
    await shop.handle.close();
  });
});

describe("a buyer that forgot its channel", () => {
  it("CH-10 is told by a correction, and served; without a node it cannot be helped", async () => {
    const shop = openChannelShop(chain);
    await shop.fetch(WORK);
    const buyer = await chain.buyer(shop.fetch);
    for (let n = 0; n < 3; n++) await buyer.fetch(`${WORK}?n=${n}`);
    const forgetful = await chain.buyer(shop.fetch, { account: buyer.account });
    const response = await forgetful.fetch(`${WORK}?n=5`);
    expect(response.status).toBe(200);
    expect(receiptOf(response).extra.channelState.chargedCumulativeAmount).toBe("4000");
    const blind = await chain.buyer(shop.fetch, { account: buyer.account, node: false });
    expect((await blind.fetch(`${WORK}?n=6`)).status).toBe(402);
    expect(shop.runs()).toBe(4);
    await shop.handle.close();
  });
});

describe("a batch", () => {
  it("CH-27 of fifty calls is one voucher for their sum; one that fails is charged nothing", async () => {
    let runs = 0;
    const unit = defineCapability({
      id: "test.unit",
      summary: "Works for a fraction of a cent, unless told to fail.",
      price: "0.00144",
      source: { provider: "test", url: "", license: "MIT" },
      input: () => z.strictObject({ n: z.int().describe("Any number; 13 fails") }),
      output: one(z.object({ n: z.number() })),
      example: { n: 1 },
      async run({ n }) {
        runs++;
        if (n === 13) throw new CapabilityError("UPSTREAM_ERROR", "It is not to be had.");
        return { item: { n } };
      },
    });
    const shop = openChannelShop(chain, { more: [unit, batchRun] });
    await shop.fetch(WORK);
    const buyer = await chain.buyer(shop.fetch);
    const batch = (from: number) => {
      const calls = Array.from({ length: 50 }, (_, i) => ({ endpoint: "test.unit", params: { n: from + i } }));
      return buyer.fetch("http://shop.test/api/batch/run", { method: "POST", body: JSON.stringify({ calls }) });
    };
    const first = await batch(100);
    expect(first.status).toBe(200);
    expect(receiptOf(first).extra).toMatchObject({
      chargedAmount: "72000",
      channelState: { chargedCumulativeAmount: "72000" },
    });
    expect(runs).toBe(50);
    expect((await batch(0)).status).toBe(502);
    expect((await shop.handle.ledger()).channels).toMatchObject({ earnedUsd: "0.072" });
    const after = await batch(200);
    expect(receiptOf(after).extra.channelState.chargedCumulativeAmount).toBe("144000");
    await shop.handle.close();
  });
});

describe("usage", () => {
  it("CH-26 is charged in the voucher as it was, from nothing to the maximum", async () => {
    const shop = openChannelShop(chain);
    await shop.fetch(WORK);
    const buyer = await chain.buyer(shop.fetch);
    const use = async (used: number) => {
      const response = await buyer.fetch(`http://shop.test/api/test/metered?n=1&used=${used}`);
      const { meta } = (await response.json()) as { meta: { usage: object } };
      return { charged: receiptOf(response).extra.chargedAmount, usage: meta.usage, headers: response.headers };
    };
    expect(await use(0)).toMatchObject({ charged: "0" });
    const one = await use(1);
    expect(one).toMatchObject({
      charged: "1",
      usage: { authorizedUsd: "0.01", settledUsd: "0.000001", method: "channel" },
    });
    expect(one.usage).not.toHaveProperty("returnedUsd");
    expect(one.headers.has("x-svc-credit")).toBe(false);
    expect(await use(10_000)).toMatchObject({ charged: "10000" });
    expect(await use(20_000)).toMatchObject({ charged: "10000" });
    expect(await use(-1)).toMatchObject({ charged: "5000", usage: { estimated: true } });
    expect((await shop.handle.ledger()).channels).toMatchObject({ earnedUsd: "0.025001" });
    await shop.handle.close();
  });

  it("CH-28 of a trial leaves the voucher that came along as it was", async () => {
    const shop = openChannelShop(chain, { trial: { perHour: 1 } });
    await shop.fetch(WORK);
    const buyer = await chain.buyer(shop.fetch);
    await buyer.fetch(`${WORK}?n=1`);
    const trial = { headers: { "x-svc-trial": "1" } };
    const { headers } = await buyer.fetch(`${WORK}?n=2`, trial);
    expect(headers.get("payment-response")).toBeNull();
    expect(receiptOf(await buyer.fetch(`${WORK}?n=3`)).extra.channelState.chargedCumulativeAmount).toBe("2000");
    await shop.handle.close();
  });
});
