/** Channels of several networks, treasuries and keys in one store: each is served and claimed as it was opened. */
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ChannelConfig } from "../../../src/payment/rails/evm/channel-typed-data.js";
import type { PaymentRequirements } from "../../../src/payment/x402/wire.js";
import { type ChannelChain, startChannelChain } from "../../support/channel-chain.js";
import {
  AUTHORIZER,
  type ChannelShop,
  correctionOf,
  craft,
  offerOf,
  openChannelShop,
  sharedStore,
  WORK,
} from "../../support/channel-shop.js";

const DAY_MS = 86_400_000;
const OTHER_KEY = privateKeyToAccount(`0x${"33".repeat(32)}`);
let base: ChannelChain;
let sepolia: ChannelChain;
const shops: ChannelShop[] = [];
beforeAll(async () => {
  [base, sepolia] = await Promise.all([startChannelChain(), startChannelChain({ chainId: 84532 })]);
});
beforeEach(() => {
  for (const { sent, asked } of [base, sepolia]) for (const list of [sent, asked]) list.length = 0;
});
afterEach(async () => {
  for (const { handle } of shops.splice(0)) await handle.close();
});
afterAll(async () => {
  for (const chain of [base, sepolia]) await chain.stop();
});

async function open(chain: ChannelChain, options: Parameters<typeof openChannelShop>[1] = {}): Promise<ChannelShop> {
  const shop = openChannelShop(chain, options);
  shops.push(shop);
  await shop.fetch(WORK);
  return shop;
}

async function buyerOf(chain: ChannelChain, shop: ChannelShop, offer: PaymentRequirements, calls: number) {
  const buyer = await chain.buyer(shop.fetch);
  for (let n = 0; n < calls; n++) expect((await buyer.fetch(`${WORK}?n=${n}`)).status).toBe(200);
  const { payload } = await craft(offer, buyer.account, 1n);
  return { ...buyer, id: payload.voucher.channelId, config: payload.channelConfig };
}

/** Who signed for the rows of each claim, and on which network. */
const claimsOf = (chain: ChannelChain) =>
  chain.sent
    .filter(({ asked }) => asked === "settle claim")
    .map(({ payload }) => {
      const rows = payload.payload.claims as { voucher: { channel: ChannelConfig } }[];
      return rows.map(({ voucher: { channel } }) => `${channel.receiverAuthorizer} ${channel.receiver}`.toLowerCase());
    });

describe("channels in one store", () => {
  it("CH-44 of two networks, two keys and two treasuries are never claimed in one batch", async () => {
    const store = sharedStore();
    const ahead = { ms: 0 };
    const treasuries = [`0x${"7a".repeat(20)}`, `0x${"7b".repeat(20)}`] as const;
    const facilitatorOf = (requirements: object) =>
      ("network" in requirements && requirements.network === base.network ? base : sepolia).facilitator;
    const both: ChannelChain["facilitator"] = {
      supported: async () => {
        const lists = await Promise.all([base, sepolia].map(({ facilitator }) => facilitator.supported?.()));
        return { kinds: lists.flatMap((list) => (list as { kinds: unknown[] }).kinds) };
      },
      verify: (payload, requirements) => facilitatorOf(requirements).verify(payload, requirements),
      settle: (payload, requirements) => facilitatorOf(requirements).settle(payload, requirements),
    };
    const payment = {
      facilitator: both,
      treasury: { [base.network]: treasuries[0], [sepolia.network]: treasuries[0] },
      rpc: { [base.network]: base.rpcUrl, [sepolia.network]: sepolia.rpcUrl },
      schemes: ["exact", "batch-settlement"] as const,
      channels: { signer: AUTHORIZER },
    };
    const first = await open(base, { store, ahead, payment });
    const rivals = [
      await open(base, { store, ahead, treasury: treasuries[0], channels: { signer: OTHER_KEY } }),
      await open(base, { store, ahead, treasury: treasuries[1] }),
    ];
    const buyers = [];
    for (const shop of [first, first, ...rivals])
      buyers.push(await buyerOf(base, shop, await offerOf(shop.fetch), buyers.length + 1));
    // Whoever has money on the other network alone takes that network's offer.
    const abroad = await sepolia.buyer(async (input, init) => {
      const response = await first.fetch(input, init);
      const header = response.headers.get("payment-required");
      if (!header) return response;
      const quote = JSON.parse(Buffer.from(header, "base64").toString());
      quote.accepts = quote.accepts.filter(({ network }: PaymentRequirements) => network === sepolia.network);
      const headers = { "payment-required": Buffer.from(JSON.stringify(quote)).toString("base64") };
      return new Response(JSON.stringify(quote), { status: 402, headers });
    });
    expect((await abroad.fetch(`${WORK}?n=1`)).status).toBe(200);

    ahead.ms += DAY_MS;
    for (const { handle } of [first, ...rivals]) await handle.tick();
    for (const { handle } of [first, ...rivals]) await handle.tick();
    const name = (key: string, treasury: string) => `${key} ${treasury}`.toLowerCase();
    expect(claimsOf(base).sort()).toEqual(
      [
        Array(2).fill(name(AUTHORIZER.address, treasuries[0])),
        [name(OTHER_KEY.address, treasuries[0])],
        [name(AUTHORIZER.address, treasuries[1])],
      ].sort(),
    );
    expect(claimsOf(sepolia)).toEqual([[name(AUTHORIZER.address, treasuries[0])]]);
    for (const [i, { id }] of buyers.entries()) expect((await base.stateOf(id)).claimed).toBe(1000n * BigInt(i + 1));
    const earned = [];
    for (const { handle } of [first, ...rivals]) earned.push((await handle.ledger()).channels?.earnedUsd);
    expect(earned).toEqual(["0.004", "0.003", "0.004"]);
  }, 30_000);

  it("CH-11 of a key and delay that were offered before are served, claimed and refunded while they are listed", async () => {
    const ahead = { ms: 0 };
    const treasury = `0x${"7c".repeat(20)}`;
    const before = await open(base, { ahead, treasury, channels: { withdrawDelaySeconds: 3600 } });
    const offer = await offerOf(before.fetch);
    const buyer = await buyerOf(base, before, offer, 2);
    const { store } = before;
    const pay = async (shop: ChannelShop, ceiling: bigint, payload = {}) =>
      shop.fetch(`${WORK}?n=${ceiling}`, {
        headers: { "payment-signature": (await craft(offer, buyer.account, ceiling, { payload })).header },
      });
    const strict = await open(base, { store, ahead, treasury, channels: { signer: OTHER_KEY } });
    expect(correctionOf(await pay(strict, 3000n)).error).toMatch(/receiverAuthorizer/);
    const former = [{ signer: AUTHORIZER, withdrawDelaySeconds: 3600 }];
    const after = await open(base, { store, ahead, treasury, channels: { signer: OTHER_KEY, former } });
    expect((await offerOf(after.fetch)).extra).toMatchObject({ receiverAuthorizer: OTHER_KEY.address });
    expect((await pay(after, 3000n)).status).toBe(200);
    expect(correctionOf(await pay(strict, 4000n)).error).toMatch(/receiverAuthorizer/);
    const other = await buyerOf(base, after, await offerOf(after.fetch), 1);
    // Sooner than others: a withdrawal from it takes an hour.
    ahead.ms += 1_800_000;
    await after.handle.tick();
    expect((await base.stateOf(buyer.id)).claimed).toBe(3000n);
    expect((await base.stateOf(other.id)).claimed).toBe(0n);
    expect((await pay(after, 4000n)).status).toBe(200);
    ahead.ms += DAY_MS;
    await after.handle.tick();
    expect((await base.stateOf(buyer.id)).claimed).toBe(4000n);
    expect((await base.stateOf(other.id)).claimed).toBe(1000n);
    expect(claimsOf(base).map((rows) => rows.length)).toEqual([1, 1, 1]);
    // The claim has published the last voucher; the next one is the buyer's alone.
    expect((await pay(after, 5000n)).status).toBe(200);
    expect((await pay(after, 5000n, { type: "refund" })).status).toBe(200);
    expect(await base.stateOf(buyer.id)).toEqual({ balance: 5000n, claimed: 5000n });
  });

  it("CH-11 names what is wrong with a former key", () => {
    const start = (former: unknown) => openChannelShop(base, { channels: { former: former as never } });
    expect(() => start([{}])).toThrow(/payment\.channels\.former\[0\]\.signer/);
    expect(() => start([{ signer: OTHER_KEY, withdrawDelaySeconds: 1 }])).toThrow(/former\[0\]\.withdrawDelaySeconds/);
  });
});
