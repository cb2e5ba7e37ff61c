/** What is hashed by hand here is what the official package and the contract hash. */
import { privateKeyToAccount } from "viem/accounts";
import { hashTypedData } from "viem/utils";
import { describe, expect, it } from "vitest";
import {
  type ChannelConfig,
  CLAIM_TYPES,
  channelHashes,
  domainOf,
  REFUND_TYPES,
} from "../../../src/payment/rails/evm/channel-typed-data.js";

const buyer = privateKeyToAccount(`0x${"11".repeat(32)}`);
const authorizer = privateKeyToAccount(`0x${"22".repeat(32)}`);
const ID = "0x55a23d253f58150e64df53359de9062d7f7db15eeac27c0ed546249b0e8d0571";
const config: ChannelConfig = {
  payer: buyer.address,
  payerAuthorizer: buyer.address,
  receiver: "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
  receiverAuthorizer: authorizer.address,
  token: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  withdrawDelay: 86_400,
  salt: `0x${"00".repeat(32)}`,
};
const hex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString("hex")}`;

describe("CH-5 the digests of a channel", () => {
  it("are those that buyers sign", async () => {
    const { idOf, voucherDigest, depositNonce } = await channelHashes(8453);
    expect(idOf(config)).toBe(ID);
    expect(idOf({ ...config, payer: buyer.address.toLowerCase() })).toBe(ID);
    expect(hex(voucherDigest(ID, 1000n))).toBe("0x6df90968df90a4fadb18f5bfd8d7fcd56c7bcff8fcb3bbfd656a68583c5cf612");
    expect(depositNonce(ID, 1n)).toBe("0x86fba02d37b59e07179200ed2e34d6307c6daa2738f2f5593207f6aa5bf84047");
  });

  it("are those that the receiver's authorizer signs", async () => {
    const domain = domainOf(8453);
    const claims = [{ channelId: ID as `0x${string}`, maxClaimableAmount: 1000n, totalClaimed: 700n }];
    const batch = { domain, types: CLAIM_TYPES, primaryType: "ClaimBatch", message: { claims } } as const;
    expect(hashTypedData(batch)).toBe("0x0f2dcbfcaf7966fb6c83930993016c0fe2c4cb01d80ba4f0566a0c910004906e");
    expect(await authorizer.signTypedData(batch)).toBe(
      "0xae793fb5db52d3076b5d362b948e27afb60530469785a3df0ef549d671e6f46100dc1dbedf89533a43b969f02dba98be5d2470e5561e728b98d506921b7f84f61c",
    );
    const message = { channelId: ID as `0x${string}`, nonce: 0n, amount: 300n };
    expect(hashTypedData({ domain, types: REFUND_TYPES, primaryType: "Refund", message })).toBe(
      "0x10647d0a6f15e563d799206ce26e61c83c3533b49a47450bc640ad701f5c63be",
    );
  });
});
