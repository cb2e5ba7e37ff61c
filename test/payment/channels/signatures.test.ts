/** What counts as a voucher's signature: what the contract takes when it is claimed, and nothing else. */
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CLAIM_TYPES, domainOf } from "../../../src/payment/rails/evm/channel-typed-data.js";
import { type ChannelChain, startChannelChain } from "../../support/channel-chain.js";
import { AUTHORIZER, craft, offerOf, openChannelShop, receiptOf, WORK } from "../../support/channel-shop.js";

let chain: ChannelChain;
beforeAll(async () => {
  chain = await startChannelChain();
});
afterAll(() => chain.stop());

const ORDER = secp256k1.Point.Fn.ORDER;
const word = (value: bigint) => value.toString(16).padStart(64, "0");

/** Ways to write a signature, by name: most are no signature for a contract. */
const ENCODINGS: Record<string, (r: bigint, s: bigint, v: number) => string> = {
  ...Object.fromEntries(
    [0, 1, 2, 3, 4, 26, 27, 28, 29, 30, 31, 35, 36, 127, 128, 155, 156, 255].map((v) => [
      `v of ${v}`,
      (r: bigint, s: bigint) => word(r) + word(s) + v.toString(16).padStart(2, "0"),
    ]),
  ),
  "as it was signed": (r, s, v) => word(r) + word(s) + v.toString(16),
  "the other v": (r, s, v) => word(r) + word(s) + (55 - v).toString(16),
  "its parity alone": (r, s, v) => `${word(r) + word(s)}0${v - 27}`,
  "64 bytes": (r, s) => word(r) + word(s),
  "compact (EIP-2098)": (r, s, v) => word(r) + word(s | (BigInt(v - 27) << 255n)),
  "compact and a byte more": (r, s, v) => `${word(r) + word(s | (BigInt(v - 27) << 255n))}1b`,
  "high s": (r, s, v) => word(r) + word(ORDER - s) + (55 - v).toString(16),
  "high s and the same v": (r, s, v) => word(r) + word(ORDER - s) + v.toString(16),
  "r of zero": (_, s, v) => word(0n) + word(s) + v.toString(16),
  "s of zero": (r, _, v) => word(r) + word(0n) + v.toString(16),
  "r beyond the order": (_, s, v) => word(ORDER + 5n) + word(s) + v.toString(16),
  "r of the order": (_, s, v) => word(ORDER) + word(s) + v.toString(16),
  "s beyond the order": (r, s, v) => word(r) + word((ORDER + s) % 2n ** 256n) + v.toString(16),
  "all zero": () => `${word(0n) + word(0n)}1b`,
  "a trailing byte": (r, s, v) => `${word(r) + word(s) + v.toString(16)}00`,
  "a leading byte": (r, s, v) => `00${word(r) + word(s) + v.toString(16)}`,
  "upper-case hex": (r, s, v) => (word(r) + word(s) + v.toString(16)).toUpperCase(),
  "mixed-case hex": (r, s, v) => word(r).toUpperCase() + word(s) + v.toString(16),
  "r and s changed about": (r, s, v) => word(s) + word(r) + v.toString(16),
};

describe("ATK-2 a voucher's signature", () => {
  it("CH-7 is good here in exactly the encodings that the contract takes", async () => {
    const shop = openChannelShop(chain);
    await shop.fetch(WORK);
    const buyer = await chain.buyer(shop.fetch);
    expect((await buyer.fetch(`${WORK}?n=0`)).status).toBe(200);
    const offer = await offerOf(shop.fetch);
    const good: string[] = [];
    let charged = 1000n;
    for (const [n, [name, encode]] of Object.entries(ENCODINGS).entries()) {
      const ceiling = charged + 1000n;
      const { payload } = await craft(offer, buyer.account, ceiling);
      const { signature, channelId } = payload.voucher;
      const [r, s, v] = [[2, 66] as const, [66, 130] as const, [130, 132] as const].map(([from, to]) =>
        BigInt(`0x${signature.slice(from, to)}`),
      );
      const encoded = `0x${encode(r ?? 0n, s ?? 0n, Number(v))}`;
      const claims = [
        { channelId: channelId as `0x${string}`, maxClaimableAmount: ceiling, totalClaimed: ceiling },
      ] as const;
      const message = { claims };
      const batch = { domain: domainOf(8453), types: CLAIM_TYPES, primaryType: "ClaimBatch", message } as const;
      const row = {
        voucher: { channel: payload.channelConfig, maxClaimableAmount: ceiling },
        signature: encoded,
        totalClaimed: ceiling,
      };
      const isTaken = await chain.takes([row], await AUTHORIZER.signTypedData(batch));
      const voucher = { ...payload.voucher, signature: encoded };
      const { header } = await craft(offer, buyer.account, ceiling, { payload: { voucher } });
      const response = await shop.fetch(`${WORK}?n=${n + 1}`, { headers: { "payment-signature": header } });
      expect(response.status, name).toBe(isTaken ? 200 : 402);
      if (!isTaken) continue;
      good.push(name);
      charged = BigInt(String(receiptOf(response).extra.channelState.chargedCumulativeAmount));
    }
    expect(good).toEqual(expect.arrayContaining(["as it was signed", "upper-case hex", "mixed-case hex"]));
    // What was sold is claimed to the last unit.
    shop.ahead.ms += 90_000_000;
    await shop.handle.tick();
    expect((await shop.handle.ledger()).channels).toMatchObject({ unclaimedUsd: "0", lostUsd: "0" });
    await shop.handle.close();
  }, 60_000);

  it("CH-35 of our own key that writes v as 0 or 1 is sent as the contract takes it", async () => {
    const older = {
      address: AUTHORIZER.address,
      async signTypedData(data: Parameters<typeof AUTHORIZER.signTypedData>[0]) {
        const signature = await AUTHORIZER.signTypedData(data);
        return `${signature.slice(0, -2)}0${Number.parseInt(signature.slice(-2), 16) - 27}`;
      },
    };
    const shop = openChannelShop(chain, { channels: { signer: older as never } });
    await shop.fetch(WORK);
    const buyer = await chain.buyer(shop.fetch, { salt: `0x${"07".repeat(32)}` });
    for (let n = 0; n < 2; n++) expect((await buyer.fetch(`${WORK}?n=${n}`)).status).toBe(200);
    shop.ahead.ms += 90_000_000;
    await shop.handle.tick();
    expect((await shop.handle.ledger()).channels).toMatchObject({ claimedUsd: "0.002", unclaimedUsd: "0" });
    expect((await buyer.fetch(`${WORK}?n=3`)).status).toBe(200);
    expect(await buyer.channel.refund(WORK, { fetch: shop.fetch } as never)).toMatchObject({ success: true });
    await shop.handle.close();
  });
});
