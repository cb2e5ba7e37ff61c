/** What a voucher buys and what it does not: hostile senders, senders out of step, and the same bytes twice. */
import { secp256k1 } from "@noble/curves/secp256k1.js";
import type { PrivateKeyAccount } from "viem/accounts";
import { describe, expect, it, vi } from "vitest";
import { fastestRecovery } from "../../../src/payment/rails/evm/chain/recover.js";
import type { PaymentRequirements } from "../../../src/payment/x402/wire.js";
import type { ChannelChain } from "../../support/channel-chain.js";
import {
  type ChannelShopOptions,
  correctionOf,
  craft,
  offerOf,
  receiptOf,
  sharedStore,
  WORK,
} from "../../support/channel-shop.js";
import { onChannelChain } from "../../support/on-channel-chain.js";
import { mallory } from "../../support/wallets.js";

const METERED = "http://shop.test/api/test/metered";
const MISMATCH = "invalid_batch_settlement_evm_cumulative_amount_mismatch";
const BELOW = "invalid_batch_settlement_evm_cumulative_below_claimed";
let chain: ChannelChain;
const shops = onChannelChain((started) => {
  chain = started;
});

const open = shops.openUnasked;

/** A shop with a buyer that has paid for one call, and so owes 1000. */
async function opened(options: ChannelShopOptions = {}) {
  const shop = open(options);
  await shop.fetch(WORK);
  const buyer = await chain.buyer(shop.fetch);
  expect((await buyer.fetch(`${WORK}?n=1`)).status).toBe(200);
  const offer = await offerOf(shop.fetch);
  const pay = (header: string, url = `${WORK}?n=2`, more = {}) =>
    shop.fetch(url, { headers: { "payment-signature": header, ...more } });
  const send = async (ceiling: bigint | string, more: Parameters<typeof craft>[3] = {}, url?: string) =>
    pay((await craft(offer, buyer.account, ceiling, more)).header, url);
  return { shop, buyer, offer, pay, send };
}

const flip = (signature: string): string => {
  const s = BigInt(`0x${signature.slice(66, 130)}`);
  const high = (secp256k1.Point.Fn.ORDER - s).toString(16).padStart(64, "0");
  return `${signature.slice(0, 66)}${high}${signature.endsWith("1b") ? "1c" : "1b"}`;
};

async function spoilt(offer: PaymentRequirements, account: PrivateKeyAccount, change: (signature: string) => string) {
  const { payload } = await craft(offer, account, 2000n);
  const voucher = { ...payload.voucher, signature: change(payload.voucher.signature) };
  return craft(offer, account, 2000n, { payload: { voucher } });
}

describe("a voucher that is not what it should be", () => {
  it("CH-7, CH-54 buys nothing with a signature that is not the channel's, and learns nothing of the channel", async () => {
    const { shop, buyer, offer, pay, send } = await opened();
    const asked = chain.asked.length;
    const other = await craft({ ...offer, network: "eip155:1" }, buyer.account, 2000n);
    const answers = [
      await send(2000n, { signer: mallory }),
      await pay((await spoilt(offer, buyer.account, flip)).header),
      await pay((await spoilt(offer, buyer.account, (signature) => signature.slice(0, -2))).header),
      await pay((await craft(offer, buyer.account, 2000n, { payload: { voucher: other.payload.voucher } })).header),
      await send(2000n, { config: { payerAuthorizer: mallory.address as `0x${string}` } }),
      // An unknown channel of a stranger's.
      await pay((await craft(offer, mallory, 1000n, { signer: buyer.account })).header),
    ];
    for (const response of answers) {
      expect(response.status).toBe(402);
      expect(correctionOf(response).extra).not.toHaveProperty("channelState");
    }
    expect(shop.runs()).toBe(1);
    expect(chain.asked.length).toBe(asked);
    expect((await send(2000n)).status).toBe(200);
  });

  it("CH-8, CH-11 is of the channel offered here in each of its members; the id's case says nothing", async () => {
    const { shop, offer, buyer, send, pay } = await opened();
    const wrong = {
      payer: mallory.address,
      payerAuthorizer: mallory.address,
      receiver: mallory.address,
      receiverAuthorizer: mallory.address,
      token: mallory.address,
      withdrawDelay: 900,
      salt: `0x${"01".repeat(32)}`,
    };
    for (const [name, value] of Object.entries(wrong)) {
      const response = await send(2000n, { config: { [name]: value } });
      expect(response.status, name).toBe(402);
      // Whoever pays into a channel with somebody else could show a balance for it.
      if (/^(receiver|token|withdraw)/.test(name))
        expect(correctionOf(response).error, name).toContain(`${name} is not the one offered`);
      expect(shop.runs(), name).toBe(1);
    }
    const { payload } = await craft(offer, buyer.account, 2000n);
    const voucher = { ...payload.voucher, channelId: `0x${payload.voucher.channelId.slice(2).toUpperCase()}` };
    expect((await pay((await craft(offer, buyer.account, 2000n, { payload: { voucher } })).header)).status).toBe(200);
  });

  it("CH-9 gets a correction where it is one unit off, and none where it is no number or below what is claimed", async () => {
    const { shop, buyer, send, pay } = await opened();
    for (const ceiling of [2001n, 1999n, 5_000_000n]) {
      const { error, extra } = correctionOf(await send(ceiling));
      expect(error).toBe(MISMATCH);
      expect(extra.channelState).toMatchObject({ chargedCumulativeAmount: "1000", balance: "1000000" });
      expect(extra.voucherState).toMatchObject({ signedMaxClaimable: "1000" });
    }
    const { error, extra } = correctionOf(await send(0n));
    expect(error).toBe(BELOW);
    expect(extra).not.toHaveProperty("channelState");
    for (const ceiling of [String(2n ** 128n), "1e3", "0x7d0", " 2000", ""])
      expect(correctionOf(await send(ceiling)).error).toMatch(/not a voucher/);
    expect(shop.runs()).toBe(1);
    expect((await buyer.fetch(`${WORK}?n=2`)).status).toBe(200);
    // In step, but beyond the deposit.
    const dear = "http://shop.test/api/test/dear?n=1";
    expect((await buyer.fetch(dear)).status).toBe(200);
    const beyond = await pay((await craft(await offerOf(shop.fetch, dear), buyer.account, 1_002_000n)).header, dear);
    expect(correctionOf(beyond).error).toBe(MISMATCH);
    expect(shop.runs()).toBe(3);
  });

  it("CH-12 names no contract that would have to be asked", async () => {
    const { send } = await opened();
    const { error } = correctionOf(await send(2000n, { config: { payerAuthorizer: `0x${"00".repeat(20)}` } }));
    expect(error).toMatch(/voucher key/);
  });

  it("CH-13 costs no work on the curve where its hashes do not fit", async () => {
    const { offer, buyer, pay, send } = await opened();
    await send(2000n);
    const recover = vi.spyOn(await fastestRecovery(), "recover");
    const { payload } = await craft(offer, buyer.account, 3000n);
    const other = { ...payload.channelConfig, salt: `0x${"01".repeat(32)}` };
    const wrong = [
      { channelConfig: other },
      { channelConfig: { ...payload.channelConfig, receiver: mallory.address } },
      { voucher: { ...payload.voucher, channelId: `0x${"02".repeat(32)}` } },
      { voucher: { ...payload.voucher, maxClaimableAmount: "0x10" } },
      { voucher: { ...payload.voucher, signature: "0x12" } },
    ];
    for (const each of wrong)
      expect((await pay((await craft(offer, buyer.account, 3000n, { payload: each })).header)).status).toBe(402);
    expect(recover).not.toHaveBeenCalled();
    expect((await send(3000n, {}, `${WORK}?n=3`)).status).toBe(200);
    expect(recover).toHaveBeenCalledTimes(1);
    recover.mockRestore();
  });

  it("CH-13 never breaks anything, however it is bent", async () => {
    const { shop, offer, buyer } = await opened();
    const { header } = await craft(offer, buyer.account, 2000n);
    const json = Buffer.from(header, "base64").toString();
    for (let i = 0; i < 300; i++) {
      const at = (i * 7919) % json.length;
      const bent = json.slice(0, at) + String.fromCharCode(33 + ((i * 31) % 90)) + json.slice(at + 1);
      const response = await shop.fetch(`${WORK}?n=2`, {
        headers: { "payment-signature": Buffer.from(bent).toString("base64") },
      });
      expect(response.status === 402 || response.status === 200, bent).toBe(true);
    }
    // What was bent where it does not matter is the voucher itself.
    expect(shop.runs()).toBeLessThanOrEqual(2);
  });
});

describe("the same voucher twice", () => {
  it("CH-14 brings the same answer again for the same request, also after other calls, and charges once", async () => {
    const { shop, send } = await opened();
    const first = await send(2000n);
    const [text, receipt] = [await first.text(), receiptOf(first)];
    expect((await send(3000n, {}, `${WORK}?n=3`)).status).toBe(200);
    const again = await send(2000n);
    expect(again.headers.get("x-svc-replay")).toBe("1");
    expect(await again.text()).toBe(text);
    expect(receiptOf(again)).toEqual(receipt);
    expect(shop.runs()).toBe(3);
    expect((await shop.handle.ledger()).channels).toMatchObject({ earnedUsd: "0.003" });
  });

  it("CH-15 is corrected for another request, which a stock buyer pays for anew", async () => {
    const { shop, buyer, send } = await opened();
    expect((await send(2000n)).status).toBe(200);
    expect(correctionOf(await send(2000n, {}, `${WORK}?n=9`)).error).toBe(MISMATCH);
    expect(shop.runs()).toBe(2);
    // The buyer still believes that it owes 1000.
    const response = await buyer.fetch(`${WORK}?n=9`);
    expect(response.status).toBe(200);
    expect(receiptOf(response).extra.channelState.chargedCumulativeAmount).toBe("3000");
  });

  it("CH-16 with identical bytes is two purchases where usage left room, and none where it was charged nothing", async () => {
    const { shop, send, offer, buyer, pay } = await opened();
    const metered = await offerOf(shop.fetch, `${METERED}?n=1`);
    const dear = await craft(metered, buyer.account, 11_000n);
    const first = await pay(dear.header, `${METERED}?n=1&used=9000`);
    expect(receiptOf(first).extra).toMatchObject({ chargedAmount: "9000" });
    const cheap = await craft(offer, buyer.account, 11_000n);
    expect(cheap.payload.voucher).toEqual(dear.payload.voucher);
    expect((await pay(cheap.header)).status).toBe(200);
    expect(shop.runs()).toBe(3);
    const nothing = await craft(metered, buyer.account, 21_000n);
    for (const n of [1, 2]) {
      const response = await pay(nothing.header, `${METERED}?n=${n}&used=0`);
      expect(receiptOf(response).extra).toMatchObject({ chargedAmount: "0" });
    }
    expect(shop.runs()).toBe(5);
    expect((await shop.handle.ledger()).channels).toMatchObject({ earnedUsd: "0.011" });
    expect((await send(12_000n)).status).toBe(200);
  });

  it("CH-17 a hundred copies over two instances are one run and one charge", async () => {
    const store = sharedStore();
    const first = await opened({ store });
    const second = open({ store });
    await second.fetch(WORK);
    const { header } = await craft(first.offer, first.buyer.account, 2000n);
    const copies = Array.from({ length: 100 }, (_, i) =>
      (i % 2 ? second : first.shop).fetch(`${WORK}?n=2`, { headers: { "payment-signature": header } }),
    );
    const answers = await Promise.all(copies);
    for (const { status } of answers) expect([200, 502]).toContain(status);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(50);
    expect(first.shop.runs() + second.runs()).toBe(2);
    expect((await second.handle.ledger()).channels).toMatchObject({ earnedUsd: "0.002" });
  });

  it("CH-23 is good for another try where the work failed, and charges nothing for that", async () => {
    const { shop, send } = await opened();
    shop.behaviours.push(async () => {
      throw new Error("broken");
    });
    expect((await send(2000n)).status).toBe(500);
    expect((await shop.handle.ledger()).channels).toMatchObject({ earnedUsd: "0.001" });
    expect((await send(2000n)).status).toBe(200);
  });

  it("CH-14 with an idempotency key is delivered again also when a claim has published it", async () => {
    const { shop, offer, buyer, pay } = await opened();
    const { header } = await craft(offer, buyer.account, 2000n);
    const key = { "idempotency-key": "purchase-2-of-0x7e57" };
    const first = await (await pay(header, undefined, key)).text();
    shop.ahead.ms += 90_000_000;
    await shop.handle.tick();
    const again = await pay(header, undefined, key);
    expect(again.status).toBe(200);
    expect(await again.text()).toBe(first);
    expect(correctionOf(await pay(header)).error).toBe(BELOW);
    expect(shop.runs()).toBe(2);
  });
});

describe("ATK-10 a published voucher beside an idempotency key", () => {
  it("CH-55 fetches nothing by one that can be guessed, and tells a wrong key and a wrong input alike", async () => {
    const { shop, offer, buyer, pay } = await opened();
    const short = { "idempotency-key": "order-1" };
    const long = { "idempotency-key": "order-1-8f14e45fceea167a" };
    const vouchers = [await craft(offer, buyer.account, 2000n), await craft(offer, buyer.account, 3000n)];
    const [first = "", second = ""] = vouchers.map(({ header }) => header);
    expect((await pay(first, `${WORK}?n=2`, short)).status).toBe(200);
    expect((await pay(second, `${WORK}?n=3`, long)).status).toBe(200);
    // While it is the buyer's alone, the short one names its purchase as ever.
    expect((await pay(first, `${WORK}?n=2`, short)).headers.get("x-svc-replay")).toBe("1");
    shop.ahead.ms += 90_000_000;
    await shop.handle.tick();
    const told = async (header: string, n: number, key: object) => {
      const response = await pay(header, `${WORK}?n=${n}`, key);
      const { error, extra } = correctionOf(response);
      return { status: response.status, error, extra: JSON.stringify(extra) };
    };
    const strangers = await told(second, 9, {});
    expect(strangers).toMatchObject({ status: 402, error: BELOW });
    expect(await told(first, 2, short)).toEqual(strangers);
    expect(await told(second, 3, { "idempotency-key": "order-1-0000000000000000" })).toEqual(strangers);
    expect(await told(second, 9, long)).toEqual(strangers);
    expect((await pay(second, `${WORK}?n=3`, long)).status).toBe(200);
    expect(shop.runs()).toBe(3);
  });

  it("CH-55 is no other where the claim is only on its way", async () => {
    const { shop, offer, buyer, pay } = await opened();
    const key = { "idempotency-key": "order-1-8f14e45fceea167a" };
    const { header } = await craft(offer, buyer.account, 2000n);
    expect((await pay(header, `${WORK}?n=2`, key)).status).toBe(200);
    chain.faults.set("settle claim", ["fall silent"]);
    shop.ahead.ms += 90_000_000;
    await shop.handle.tick();
    const errors = [];
    for (const [n, headers] of [
      [9, key],
      [2, { "idempotency-key": "order-1-0000000000000000" }],
      [2, {}],
    ] as const)
      errors.push(correctionOf(await pay(header, `${WORK}?n=${n}`, headers)).error);
    expect(new Set(errors).size).toBe(1);
    expect((await pay(header, `${WORK}?n=2`, key)).status).toBe(200);
  });
});

describe("ATK-3 a voucher that a claim has published", () => {
  it("CH-55 buys nothing for whoever reads it, and does not stand in its buyer's way", async () => {
    const { shop, buyer, offer, pay } = await opened();
    // Quoted a cent, charged a tenth of it: the claim publishes a voucher with room.
    const metered = await buyer.fetch(`${METERED}?n=1&used=1000`);
    expect(receiptOf(metered).extra).toMatchObject({ chargedAmount: "1000" });
    shop.ahead.ms += 90_000_000;
    await shop.handle.tick();
    const claim = chain.sent
      .filter(({ asked }) => asked === "settle claim")
      .at(-1)
      ?.payload.payload.claims?.at(-1);
    const row = claim as { voucher: { channel: object; maxClaimableAmount: string }; signature: string };
    expect(row.voucher.maxClaimableAmount).toBe("11000");
    const { payload } = await craft(offer, buyer.account, 11_000n);
    expect(payload.voucher.signature).toBe(row.signature);
    for (const url of [`${METERED}?n=1&used=1000`, `${METERED}?n=5`, `${WORK}?n=2`]) {
      const stolen = await craft(await offerOf(shop.fetch, url), buyer.account, 11_000n);
      const response = await pay(stolen.header, url);
      expect(response.status).toBe(402);
      expect(correctionOf(response).extra).not.toHaveProperty("channelState");
    }
    expect(shop.runs()).toBe(2);
    expect((await buyer.fetch(`${WORK}?n=2`)).status).toBe(200);
  });

  it("CH-56 keeps the voucher with the least room, whatever is charged nothing", async () => {
    const { shop, buyer, send } = await opened();
    await buyer.fetch(`${METERED}?n=1&used=0`);
    const { extra } = correctionOf(await send(77n));
    expect(extra.voucherState).toMatchObject({ signedMaxClaimable: "1000" });
    shop.ahead.ms += 90_000_000;
    await shop.handle.tick();
    const sent = chain.sent.filter(({ asked }) => asked === "settle claim").at(-1)?.payload.payload.claims;
    expect(sent).toMatchObject([{ voucher: { maxClaimableAmount: "1000" }, totalClaimed: "1000" }]);
  });
});
