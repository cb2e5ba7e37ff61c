/** Who may ask for a deposit back: a claim publishes exactly what a refund asks for, so that alone closes nobody's channel. */
import { createSIWxPayload, encodeSIWxHeader } from "@x402/extensions/sign-in-with-x";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import type { ChannelChain } from "../../support/channel-chain.js";
import {
  type ChannelShop,
  type ChannelShopOptions,
  correctionOf,
  craft,
  offerOf,
  WORK,
} from "../../support/channel-shop.js";
import { onChannelChain } from "../../support/on-channel-chain.js";
import { mallory, quoteOf } from "../../support/wallets.js";

const ORIGIN = "http://shop.test";
const brand = { name: "Shop", slug: "svc", baseUrl: ORIGIN };
const METERED = `${ORIGIN}/api/test/metered`;
let chain: ChannelChain;
const shops = onChannelChain((started) => {
  chain = started;
});

function open(options: ChannelShopOptions = {}): Promise<ChannelShop> {
  return shops.open({ brand, ...options });
}

/** A channel of which everything is claimed, so that whoever reads the chain has its last voucher. */
async function claimed(options: ChannelShopOptions = {}, voucherSigner?: PrivateKeyAccount) {
  const shop = await open(options);
  const account = privateKeyToAccount(generatePrivateKey());
  await chain.mint(account.address, 5_000_000n);
  const buyer = await chain.buyer(shop.fetch, { account, ...(voucherSigner ? { voucherSigner } : {}) });
  expect((await buyer.fetch(`${WORK}?n=1`)).status).toBe(200);
  shop.ahead.ms += 90_000_000;
  await shop.handle.tick();
  const offer = await offerOf(shop.fetch);
  const config = { payer: account.address, payerAuthorizer: (voucherSigner ?? account).address };
  const signer = voucherSigner ?? account;
  const { payload } = await craft(offer, account, 1000n, { signer, config });
  const ask = async (ceiling: bigint, { headers = {}, amount, url = WORK }: Asked = {}) => {
    const made = { type: "refund", ...(amount ? { amount } : {}) };
    const { header } = await craft(offer, account, ceiling, { signer, config, payload: made });
    return shop.fetch(url, { headers: { "payment-signature": header, ...headers } });
  };
  return { shop, buyer, account, offer, id: payload.voucher.channelId, ask };
}
interface Asked {
  headers?: Record<string, string>;
  amount?: string;
  url?: string;
}

/** A proof that an account was there, of the offer in a 402. */
async function signInTo(response: Response, account: PrivateKeyAccount): Promise<Record<string, string>> {
  const offer = quoteOf(response).extensions?.["sign-in-with-x"] as {
    info: { domain: string };
    supportedChains: object[];
  };
  const info = { ...offer.info, ...offer.supportedChains[0] } as Parameters<typeof createSIWxPayload>[0];
  const proof = await createSIWxPayload(info, account, `http://${offer.info.domain}`);
  return { "sign-in-with-x": encodeSIWxHeader(proof) };
}

describe("ATK-5 a refund that is asked for with a published voucher", () => {
  it("closes nothing for a stranger, who is told of the timed withdrawal and nothing of the channel", async () => {
    const { id, ask } = await claimed();
    for (const amount of [undefined, "5", "x"]) {
      const refused = await ask(1000n, amount ? { amount } : {});
      expect(refused.status).toBe(402);
      const { error, extra } = correctionOf(refused);
      expect(error).toMatch(/SIGN-IN-WITH-X.*initiateWithdraw.*finalizeWithdraw/);
      expect(extra).not.toHaveProperty("channelState");
      expect(((await refused.json()) as { extensions: { code: string } }).extensions.code).toBe("REFUND_REFUSED");
    }
    const byMallory = await ask(1000n, { headers: await signInTo(await ask(1000n), mallory) });
    expect(byMallory.status).toBe(402);
    expect((await chain.stateOf(id)).balance).toBe(1_000_000n);
  });

  it.each(["payer", "voucher key"] as const)("is made for its %s, who signs in beside it, once", async (who) => {
    const key = privateKeyToAccount(generatePrivateKey());
    const { id, account, ask } = await claimed({}, key);
    const headers = await signInTo(await ask(1000n), who === "payer" ? account : key);
    expect((await ask(1000n, { headers, amount: "300000" })).status).toBe(200);
    expect((await chain.stateOf(id)).balance).toBe(700_000n);
    const again = await ask(1000n, { headers, amount: "300000" });
    expect(((await again.json()) as { extensions: { code: string } }).extensions.code).toBe("SIGN_IN_REFUSED");
  });

  it("is refused where nobody can sign in, by the same words", async () => {
    const { id, ask } = await claimed({ brand: { name: "Shop", slug: "svc" } });
    const refused = await ask(1000n);
    expect(correctionOf(refused).error).toMatch(/initiateWithdraw/);
    expect(quoteOf(refused).extensions).not.toHaveProperty("sign-in-with-x");
    expect((await ask(1000n, { headers: { "sign-in-with-x": "e30=" } })).status).toBe(402);
    expect((await chain.stateOf(id)).balance).toBe(1_000_000n);
  });

  it("tells no newer voucher either: with that, the next refund would not be a published one", async () => {
    const { shop, buyer, ask, id } = await claimed();
    expect((await buyer.fetch(`${WORK}?n=2`)).status).toBe(200);
    const { extra } = correctionOf(await ask(1000n));
    expect(extra).not.toHaveProperty("voucherState");
    expect(extra).not.toHaveProperty("channelState");
    // The buyer's own, of a charge that is not claimed yet, is as it was.
    expect(await buyer.channel.refund(WORK, { fetch: shop.fetch })).toMatchObject({ success: true });
    expect((await chain.stateOf(id)).balance).toBe(2000n);
  });

  it("with a ceiling beyond what was claimed, as usage leaves it, is no other", async () => {
    const { shop, buyer, account, ask, id } = await claimed();
    expect((await buyer.fetch(`${METERED}?n=1&used=4000`)).status).toBe(200);
    shop.ahead.ms += 90_000_000;
    await shop.handle.tick();
    // Published is 11000; claimed are 5000; the next call makes it 11000 charged.
    const metered = await offerOf(shop.fetch, `${METERED}?n=2`);
    const { header } = await craft(metered, account, 15_000n);
    const url = `${METERED}?n=2&used=6000`;
    expect((await shop.fetch(url, { headers: { "payment-signature": header } })).status).toBe(200);
    expect(correctionOf(await ask(11_000n)).error).toMatch(/SIGN-IN-WITH-X/);
    expect((await chain.stateOf(id)).balance).toBe(1_000_000n);
  });

  it("may be sent again as long as it asks for no more than was signed, also where its first answer was lost", async () => {
    const { shop, buyer, ask, id } = await claimed();
    expect((await buyer.fetch(`${WORK}?n=2`)).status).toBe(200);
    chain.faults.set("settle refund", ["fall silent"]);
    expect((await ask(2000n, { amount: "4000" })).status).toBe(502);
    shop.ahead.ms += 61_000;
    expect(correctionOf(await ask(2000n, { amount: "4001" })).error).toMatch(/SIGN-IN-WITH-X/);
    expect((await ask(2000n, { amount: "4000" })).status).toBe(200);
    expect((await chain.stateOf(id)).balance).toBe(996_000n);
  });

  it("to a store that was lost asks for a sign-in, too, once something was claimed", async () => {
    const before = await claimed();
    expect((await before.buyer.fetch(`${WORK}?n=2`)).status).toBe(200);
    const shop = await open();
    const { header } = await craft(before.offer, before.account, 2000n, { payload: { type: "refund" } });
    const refused = await shop.fetch(WORK, { headers: { "payment-signature": header } });
    expect(correctionOf(refused).error).toMatch(/SIGN-IN-WITH-X/);
  });
});
