/** Deposits through Permit2: any ERC-20 fills a channel, by the official client, facilitator and the chain. */
import { expect, it } from "vitest";
import { PERMIT2 } from "../../../src/payment/rails/evm/chain/permit2-contracts.js";
import type { ChannelChain } from "../../support/channel-chain.js";
import { type ChannelShop, offerOf, receiptOf, WORK } from "../../support/channel-shop.js";
import { onChannelChain } from "../../support/on-channel-chain.js";
import { toHeader } from "../../support/wallets.js";

let chain: ChannelChain;
const shops = onChannelChain((started) => {
  chain = started;
});
const assets = (domain = { name: "USD Coin", version: "2" }) => ({
  [chain.network]: { address: chain.usdc.address, ...domain, transferMethod: "permit2" as const },
});

interface Deposit {
  x402Version: 2;
  accepted: { extra: Record<string, unknown> };
  payload: {
    channelConfig: { payer: string };
    voucher: { channelId: string };
    deposit: { amount: string; authorization: { permit2Authorization: Permit } };
  };
  extensions?: Record<string, { info: Record<string, unknown> }>;
}
interface Permit {
  from: string;
  permitted: { token: string; amount: string };
  spender: string;
  nonce: string;
  witness: { channelId: string };
  signature: string;
}

const EIP2612 = { eip2612GasSponsoring: { info: {}, schema: {} } };

/** A buyer without ether or allowance, and its deposit as the stock client signs it. */
async function depositor(shop: ChannelShop) {
  const buyer = await chain.buyer(shop.fetch);
  const make = async (): Promise<Deposit> => {
    const accepted = await offerOf(shop.fetch);
    const made = await buyer.channel.createPaymentPayload(2, accepted as never, { extensions: EIP2612 } as never);
    return { ...made, accepted } as unknown as Deposit;
  };
  const send = (payment: object, { fetch } = shop, n = 1) =>
    fetch(`${WORK}?n=${n}`, { headers: { "payment-signature": toHeader(payment) } });
  return { ...buyer, make, send };
}
const deposits = () => chain.asked.filter((name) => name === "settle deposit").length;
const codeOf = async (response: Response) =>
  ((await response.json()) as { extensions?: { code?: string } }).extensions?.code;
const open = (options = {}) => shops.open({ assets: assets(), ...options });

it("CH-6 a buyer without ether deposits by a permit, pays by vouchers, is claimed from, and gets the rest back", async () => {
  const shop = await open();
  const buyer = await chain.buyer(shop.fetch);
  expect((await offerOf(shop.fetch)).extra).toMatchObject({ assetTransferMethod: "permit2", name: "USD Coin" });
  for (let n = 1; n <= 3; n++) {
    const response = await buyer.fetch(`${WORK}?n=${n}`);
    expect([response.status, receiptOf(response).extra.chargedAmount]).toEqual([200, "1000"]);
  }
  expect(deposits()).toBe(1);
  expect(await chain.balanceOf(buyer.account.address)).toBe(19_000_000n);
  expect(await buyer.channel.refund(WORK, { fetch: shop.fetch })).toMatchObject({ success: true });
  expect(await chain.balanceOf(buyer.account.address)).toBe(19_997_000n);
  expect((await shop.handle.ledger()).channels).toMatchObject({ earnedUsd: "0.003" });
});

it("CH-6 a token without a permit of its own is allowed by a signed approval", async () => {
  const shop = await open({ assets: assets({} as never) });
  expect((await offerOf(shop.fetch)).extra).not.toHaveProperty("name");
  const buyer = await chain.buyer(shop.fetch);
  expect((await buyer.fetch(`${WORK}?n=1`)).status).toBe(200);
  expect(await chain.balanceOf(buyer.account.address)).toBe(19_000_000n);
});

it("CH-33 one deposit on two instances at once is made once, and bought with once", async () => {
  const shop = await open();
  const other = await open({ store: shop.store });
  const buyer = await depositor(shop);
  const payment = await buyer.make();
  const answers = await Promise.all([buyer.send(payment), buyer.send(payment, other)]);
  expect(answers.map(({ status }) => status)).toContain(200);
  expect((await buyer.send(payment)).status).toBe(200);
  expect([deposits(), shop.runs() + other.runs()]).toEqual([1, 1]);
  expect((await chain.stateOf(payment.payload.voucher.channelId)).balance).toBe(1_000_000n);
});

it.each(["lose the answer", "fall silent", "lie"] as const)(
  "CH-30, CH-31 whose answer is not to be had (%s) is never made twice, nor believed",
  async (fault) => {
    const shop = await open();
    const buyer = await depositor(shop);
    const payment = await buyer.make();
    chain.faults.set("settle deposit", [fault]);
    const first = await buyer.send(payment);
    expect(first.status).toBe(fault === "lose the answer" ? 200 : 502);
    if (first.status === 502) expect((await buyer.send(payment)).status).toBe(200);
    expect(await chain.stateOf(payment.payload.voucher.channelId)).toEqual({ balance: 1_000_000n, claimed: 0n });
    expect(await chain.balanceOf(buyer.account.address)).toBe(19_000_000n);
    expect(shop.runs()).toBe(1);
  },
  15_000,
);

const STRANGER = `0x${"11".repeat(20)}`;
const changes: [string, (permit: Permit) => Permit, string][] = [
  ["by somebody else", (permit) => ({ ...permit, from: STRANGER }), "PAYMENT_MISMATCH"],
  [
    "of another token",
    (permit) => ({ ...permit, permitted: { ...permit.permitted, token: STRANGER } }),
    "PAYMENT_MISMATCH",
  ],
  [
    "of more than the deposit",
    (permit) => ({ ...permit, permitted: { ...permit.permitted, amount: "2000000" } }),
    "PAYMENT_MISMATCH",
  ],
  ["for another spender", (permit) => ({ ...permit, spender: PERMIT2 }), "PAYMENT_MISMATCH"],
  [
    "for another channel",
    (permit) => ({ ...permit, witness: { channelId: `0x${"22".repeat(32)}` } }),
    "PAYMENT_MISMATCH",
  ],
  ["without a number", (permit) => ({ ...permit, nonce: "seven" }), "PAYMENT_MALFORMED"],
];
it.each(changes)("CH-32 a permit %s is refused, and nobody is asked", async (_, change, code) => {
  const shop = await open();
  const buyer = await depositor(shop);
  const payment = await buyer.make();
  const { authorization } = payment.payload.deposit;
  authorization.permit2Authorization = change(authorization.permit2Authorization);
  const refused = await buyer.send(payment);
  expect([refused.status, await codeOf(refused)]).toEqual([402, code]);
  expect([deposits(), shop.runs()]).toEqual([0, 0]);
});

it("CH-32 another amount than was signed is refused on the chain, and buys nothing", async () => {
  const shop = await open();
  const buyer = await depositor(shop);
  const payment = await buyer.make();
  const { deposit } = payment.payload;
  deposit.amount = "2000000";
  deposit.authorization.permit2Authorization.permitted.amount = "2000000";
  delete payment.extensions;
  expect((await buyer.send(payment)).status).toBe(402);
  expect(shop.runs()).toBe(0);
  expect(await chain.balanceOf(buyer.account.address)).toBe(20_000_000n);
});

it("CH-32 an allowance of another amount or token is refused, and nobody is asked", async () => {
  const shop = await open();
  const buyer = await depositor(shop);
  for (const change of [{ amount: "1" }, { asset: STRANGER }, { from: STRANGER }]) {
    const payment = await buyer.make();
    const sponsored = payment.extensions?.eip2612GasSponsoring;
    Object.assign(sponsored?.info ?? {}, change);
    expect((await buyer.send(payment)).status, JSON.stringify(change)).toBe(402);
  }
  expect([deposits(), shop.runs()]).toEqual([0, 0]);
});

it("CH-6 an authorization of the token is refused where Permit2 is offered, and both at once are", async () => {
  const shop = await open();
  const buyer = await depositor(shop);
  const accepted = await offerOf(shop.fetch);
  const { assetTransferMethod: _, ...extra } = accepted.extra;
  const byToken = await buyer.channel.createPaymentPayload(2, { ...accepted, extra } as never);
  const payment = { ...byToken, accepted } as unknown as Deposit;
  expect(payment.payload.deposit.authorization).toHaveProperty("erc3009Authorization");
  expect((await buyer.send(payment)).status).toBe(402);
  const both = await buyer.make();
  Object.assign(both.payload.deposit.authorization, payment.payload.deposit.authorization);
  expect((await buyer.send(both)).status).toBe(402);
  expect([deposits(), shop.runs()]).toEqual([0, 0]);
});
