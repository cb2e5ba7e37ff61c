/** How channels are opened and topped up: settled first, once, by the chain's word, and never below the smallest deposit. */
import { describe, expect, it } from "vitest";
import { convertUnit } from "../../../src/capabilities/convert/unit.js";
import { createHandler } from "../../../src/handler/handler.js";
import { createMemoryStore } from "../../../src/stores/memory/memory.js";
import type { ChannelChain } from "../../support/channel-chain.js";
import {
  AUTHORIZER,
  type ChannelShop,
  correctionOf,
  craft,
  offerOf,
  receiptOf,
  sharedStore,
  TREASURY,
  WORK,
} from "../../support/channel-shop.js";
import { onChannelChain } from "../../support/on-channel-chain.js";
import { quoteOf } from "../../support/wallets.js";

let chain: ChannelChain;
const shops = onChannelChain((started) => {
  chain = started;
});

const { open } = shops;

/** A buyer, and its deposit as the stock client signs it. */
async function depositor(shop: ChannelShop) {
  const buyer = await chain.buyer(shop.fetch);
  const make = async (offer = {}) => {
    const terms = { ...(await offerOf(shop.fetch)), ...offer };
    const { payload } = await buyer.channel.createPaymentPayload(2, terms as never);
    return { x402Version: 2, accepted: terms, payload } as {
      x402Version: 2;
      accepted: object;
      payload: { voucher: { channelId: string }; deposit: { amount: string; authorization: object } };
    };
  };
  const send = (payment: object, n = 1) =>
    shop.fetch(`${WORK}?n=${n}`, {
      headers: { "payment-signature": Buffer.from(JSON.stringify(payment)).toString("base64") },
    });
  return { ...buyer, make, send };
}
const deposits = () => chain.asked.filter((name) => name === "settle deposit").length;

describe("a deposit", () => {
  it("CH-29 is settled before the work: refused, nothing runs; where the work fails, it stays good for the next call", async () => {
    const shop = await open();
    const buyer = await depositor(shop);
    const payment = await buyer.make();
    chain.faults.set("settle deposit", ["refuse"]);
    const refused = await buyer.send(payment);
    expect(refused.status).toBe(402);
    expect(shop.runs()).toBe(0);
    shop.behaviours.push(async () => {
      throw new Error("broken");
    });
    expect((await buyer.send(payment)).status).toBe(500);
    expect(await chain.stateOf(payment.payload.voucher.channelId)).toEqual({ balance: 1_000_000n, claimed: 0n });
    const served = await buyer.send(payment);
    expect(served.status).toBe(200);
    expect(receiptOf(served).extra.chargedAmount).toBe("1000");
    expect(deposits()).toBe(2);
  });

  it.each(["lose the answer", "fall silent", "lie"] as const)(
    "CH-30, CH-31 whose answer is not to be had (%s) is never made twice, nor believed",
    async (fault) => {
      const shop = await open();
      const buyer = await depositor(shop);
      const payment = await buyer.make();
      chain.faults.set("settle deposit", [fault]);
      const first = await buyer.send(payment);
      // The chain shows it, where it was made.
      expect(first.status).toBe(fault === "lose the answer" ? 200 : 502);
      if (first.status === 502) {
        expect(shop.runs()).toBe(0);
        expect(first.headers.get("retry-after")).toBeTruthy();
        expect((await buyer.send(payment)).status).toBe(200);
      }
      expect(await chain.stateOf(payment.payload.voucher.channelId)).toEqual({ balance: 1_000_000n, claimed: 0n });
      expect(shop.runs()).toBe(1);
    },
    15_000,
  );

  it("CH-30 is not made where the balance covers the call already", async () => {
    const shop = await open();
    const buyer = await depositor(shop);
    const second = await buyer.make();
    expect((await buyer.send(await buyer.make())).status).toBe(200);
    await open({ store: shop.store });
    const forgetful = { ...second, payload: { ...second.payload } };
    const { payload } = await craft(await offerOf(shop.fetch), buyer.account, 2000n);
    forgetful.payload.voucher = payload.voucher;
    expect((await buyer.send(forgetful, 2)).status).toBe(200);
    expect(deposits()).toBe(1);
    expect((await chain.stateOf(payload.voucher.channelId)).balance).toBe(1_000_000n);
  });

  it("CH-30 is not made where another one has come to the channel meanwhile", async () => {
    const shop = await open();
    const buyer = await depositor(shop);
    const topUp = await buyer.make();
    expect((await buyer.send(await buyer.make())).status).toBe(200);
    expect(await chain.facilitator.settle(topUp, topUp.accepted)).toMatchObject({ success: true });
    const asked = deposits();
    const dear = "http://shop.test/api/test/dear?n=1";
    for (const ceiling of [501_000n, 1_001_000n]) {
      const { header } = await craft(await offerOf(shop.fetch, dear), buyer.account, ceiling);
      const url = `http://shop.test/api/test/dear?n=${ceiling % 99_000n}`;
      expect((await shop.fetch(url, { headers: { "payment-signature": header } })).status).toBe(200);
    }
    expect(deposits()).toBe(asked);
  });

  it("CH-32 below the smallest one, or not signed as it says, is refused and nobody is asked", async () => {
    const shop = await open();
    const buyer = await depositor(shop);
    const small = await buyer.make({ extra: { ...(await offerOf(shop.fetch)).extra, minDeposit: "5000" } });
    const refused = await buyer.send(small);
    expect(refused.status).toBe(402);
    expect(((await refused.json()) as { extensions: { code: string } }).extensions.code).toBe("DEPOSIT_TOO_SMALL");
    const payment = await buyer.make();
    const { deposit } = payment.payload;
    const more = { ...payment, payload: { ...payment.payload, deposit: { ...deposit, amount: "2000000" } } };
    expect((await buyer.send(more)).status).toBe(402);
    expect(deposits()).toBe(0);
    expect(shop.runs()).toBe(0);
  });

  it("CH-6 through Permit2 is refused and nobody is asked: the token takes authorizations, and the offer says no other way", async () => {
    const shop = await open();
    const buyer = await depositor(shop);
    const offer = await offerOf(shop.fetch);
    expect(offer.extra).not.toHaveProperty("assetTransferMethod");
    const permit2 = await buyer.make({ extra: { ...offer.extra, assetTransferMethod: "permit2" } });
    expect(permit2.payload.deposit.authorization).toHaveProperty("permit2Authorization");
    const refused = await buyer.send(permit2);
    expect(refused.status).toBe(402);
    expect(deposits()).toBe(0);
    expect((await buyer.send(await buyer.make())).status).toBe(200);
  });

  it("CH-34 into a channel that was emptied goes on from what was claimed, also where the store was lost", async () => {
    const shop = await open();
    const buyer = await depositor(shop);
    for (let n = 1; n <= 3; n++) expect((await buyer.fetch(`${WORK}?n=${n}`)).status).toBe(200);
    expect(await buyer.channel.refund(WORK, { fetch: shop.fetch })).toMatchObject({ success: true });
    const other = await open();
    for (const [n, seller] of [shop, other].entries()) {
      // Its buyer has forgotten it, too, and reads off the chain where it stands.
      const again = await chain.buyer(seller.fetch, { account: buyer.account });
      const response = await again.fetch(`${WORK}?n=${n}`);
      expect(response.status).toBe(200);
      expect(receiptOf(response).extra.channelState).toMatchObject({
        totalClaimed: "3000",
        chargedCumulativeAmount: "4000",
      });
    }
    expect(deposits()).toBe(2);
  });

  it("CH-33 of ten openings at once is one, and all are served", async () => {
    const shop = await open();
    const buyer = await chain.buyer(shop.fetch);
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => buyer.fetch(`${WORK}?n=${n}`)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(deposits()).toBe(1);
    expect(shop.runs()).toBe(10);
  }, 20_000);
});

describe("what a host must say", () => {
  const payment = {
    treasury: { "eip155:8453": TREASURY },
    facilitator: { url: "https://facilitator.example" },
    schemes: ["exact", "batch-settlement"] as const,
  };
  const start = (channels: unknown, more = {}) =>
    createHandler({
      capabilities: [convertUnit],
      payment: { ...payment, ...(channels ? { channels } : {}), ...more } as never,
      store: sharedStore(),
    }).close();

  it("CH-3 is checked when it starts", async () => {
    expect(() => start(undefined)).toThrow(/payment\.channels\.signer/);
    expect(() => start({ signer: { address: AUTHORIZER.address } })).toThrow(/payment\.channels\.signer/);
    for (const delay of [899, 2_592_001, 1000.5])
      expect(() => start({ signer: AUTHORIZER, withdrawDelaySeconds: delay })).toThrow(/withdrawDelaySeconds/);
    expect(() => start({ signer: AUTHORIZER, claimAfterSeconds: 80_000 })).toThrow(/claimAfterSeconds/);
    expect(() => start({ signer: AUTHORIZER, minDepositUsd: "0" })).toThrow(/minDepositUsd/);
    expect(() => start({ signer: AUTHORIZER, claimAboveUsd: "x" })).toThrow(/claimAboveUsd/);
    expect(() => start({ signer: AUTHORIZER, authorizer: 1 })).toThrow(/payment\.channels\.authorizer/);
    expect(() => start({ signer: AUTHORIZER }, { rpc: false })).toThrow(/payment\.rpc/);
    expect(() => start({ signer: AUTHORIZER }, { schemes: ["exact"] })).toThrow(/payment\.channels is for/);
    await start({ signer: AUTHORIZER });
  });

  it("CH-3 includes that a store in memory will do", async () => {
    const open = (allowMemoryStore?: boolean) =>
      createHandler({
        capabilities: [convertUnit],
        payment: {
          ...payment,
          channels: { signer: AUTHORIZER, ...(allowMemoryStore ? { allowMemoryStore } : {}) },
        },
        store: createMemoryStore(),
        logger: { debug() {}, info() {}, warn() {}, error() {} },
      });
    expect(() => open()).toThrow(/allowMemoryStore/);
    await open(true).close();
  });

  it("CH-1 is nothing where no channels are wanted: the quote is byte for byte the same", async () => {
    const plain = { schemes: ["exact"], channels: undefined };
    const shop = await open({
      payment: {
        treasury: { [chain.network]: TREASURY },
        facilitator: chain.facilitator,
        ...plain,
      } as never,
    });
    expect(quoteOf(await shop.fetch(`${WORK}?n=1`)).accepts.map(({ scheme }) => scheme)).toEqual(["exact"]);
  });

  it("CH-2 is a facilitator that lists the scheme: else it is not offered, and what comes is to be sent again", async () => {
    const shop = await open();
    const buyer = await depositor(shop);
    const made = await buyer.make();
    const deaf = { ...chain.facilitator, supported: async () => ({ kinds: [] }) };
    const without = await open({
      payment: {
        treasury: { [chain.network]: TREASURY },
        facilitator: deaf,
        rpc: { [chain.network]: chain.rpcUrl },
        schemes: ["exact", "batch-settlement"],
        channels: { signer: AUTHORIZER },
      },
    });
    const response = await without.fetch(`${WORK}?n=1`);
    expect(correctionOf(response).schemes).toEqual(["exact"]);
    const header = Buffer.from(JSON.stringify(made)).toString("base64");
    const paid = await without.fetch(`${WORK}?n=1`, { headers: { "payment-signature": header } });
    expect(paid.status).toBe(502);
    expect(paid.headers.get("retry-after")).toBeTruthy();
  });
});

describe("a channel that is new here", () => {
  const codeOf = async (response: Response) =>
    ((await response.json()) as { extensions: { code: string } }).extensions.code;

  it("is not sold on a first ceiling far above its call, which sums would tell and nobody could claim", async () => {
    const shop = await open();
    const buyer = await depositor(shop);
    const payment = await buyer.make();
    const { payload } = await craft(await offerOf(shop.fetch), buyer.account, 900_000n);
    const far = { ...payment, payload: { ...payment.payload, voucher: payload.voucher } };
    shop.behaviours.push(async () => {
      throw new Error("broken");
    });
    const response = await buyer.send(far);
    expect(correctionOf(response).error).toMatch(/cumulative_amount_mismatch/);
    expect([shop.runs(), deposits()]).toEqual([0, 0]);
    expect((await shop.handle.ledger()).channels).toMatchObject({ earnedUsd: "0", unclaimedUsd: "0" });
  });

  it("CH-50 owes by its buyer's word what can be claimed, also where its first call fails", async () => {
    const before = await open();
    const buyer = await depositor(before);
    for (let n = 1; n <= 3; n++) expect((await buyer.fetch(`${WORK}?n=${n}`)).status).toBe(200);
    const shop = await open();
    shop.behaviours.push(async () => {
      throw new Error("broken");
    });
    const { header } = await craft(await offerOf(shop.fetch), buyer.account, 4000n);
    expect((await shop.fetch(`${WORK}?n=4`, { headers: { "payment-signature": header } })).status).toBe(500);
    expect((await shop.handle.ledger()).channels).toMatchObject({ earnedUsd: "0.003", unclaimedUsd: "0.003" });
    shop.ahead.ms += 90_000_000;
    await shop.handle.tick();
    expect((await shop.handle.ledger()).channels).toMatchObject({ claimedUsd: "0.003", unclaimedUsd: "0" });
  });

  it("CH-32 was deposited on chain by its buyer itself: not below the smallest deposit either", async () => {
    const shop = await open();
    const buyer = await depositor(shop);
    const { payload, header } = await craft(await offerOf(shop.fetch), buyer.account, 1000n);
    await chain.depositAs(buyer.account, payload.channelConfig, 999_999n);
    const pay = () => shop.fetch(`${WORK}?n=1`, { headers: { "payment-signature": header } });
    const refused = await pay();
    expect(refused.status).toBe(402);
    expect(await codeOf(refused)).toBe("DEPOSIT_TOO_SMALL");
    await chain.depositAs(buyer.account, payload.channelConfig, 1n);
    expect((await pay()).status).toBe(200);
    expect(shop.runs()).toBe(1);
  });

  it("CH-32 is topped up on chain by as much as by a deposit that is sent here", async () => {
    const shop = await open({ channels: { minDepositUsd: "0.003" } });
    const buyer = await depositor(shop);
    for (let n = 1; n <= 3; n++) expect((await buyer.fetch(`${WORK}?n=${n}`)).status).toBe(200);
    const { payload, header } = await craft(await offerOf(shop.fetch), buyer.account, 4000n);
    await chain.depositAs(buyer.account, payload.channelConfig, 1000n);
    const pay = () => shop.fetch(`${WORK}?n=4`, { headers: { "payment-signature": header } });
    expect(await codeOf(await pay())).toBe("DEPOSIT_TOO_SMALL");
    // Also where the claimer is the one that sees it first.
    await shop.handle.tick();
    expect(await codeOf(await pay())).toBe("DEPOSIT_TOO_SMALL");
    await chain.depositAs(buyer.account, payload.channelConfig, 2000n);
    expect((await pay()).status).toBe(200);
    expect(shop.runs()).toBe(4);
  });
});
