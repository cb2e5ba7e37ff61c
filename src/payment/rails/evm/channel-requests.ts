/** The facilitator's requests for channels: deposits as their buyers signed them, claims and refunds signed by us. */

import type { ChannelKey, ChannelSigner } from "../../options/channels.js";
import type { PaymentToSettle } from "../../x402/facilitator.js";
import { CHANNEL_SCHEME, type ChannelRail, type ClaimRow } from "../channel.js";
import { sameAddress } from "./chain/signature.js";
import type { DepositReader } from "./channel-deposits.js";
import { type ChannelConfig, CLAIM_TYPES, domainOf, REFUND_TYPES } from "./channel-typed-data.js";
import type { Token } from "./transfer.js";

/** Validity of our own requests; facilitators refuse requests with a shorter one. */
const REQUEST_SECONDS = 300;

export interface RequestOptions {
  network: string;
  chainId: number;
  asset: Token;
  deposits: DepositReader;
  payTo: string;
  keys: readonly [ChannelKey, ...ChannelKey[]];
}

type Requests = Pick<ChannelRail, "toDeposit" | "toClaim" | "toSweep" | "toRefund">;

export function channelRequests({ network, chainId, asset, deposits, payTo, keys }: RequestOptions): Requests {
  /** Our own requests name no amount, because the signed content contains it. */
  const own = (payload: Record<string, unknown>, payer: string, key: ChannelKey = keys[0]): PaymentToSettle => ({
    payload,
    requirements: {
      scheme: CHANNEL_SCHEME,
      network,
      amount: "0",
      asset: asset.address,
      payTo,
      maxTimeoutSeconds: REQUEST_SECONDS,
      extra: {
        ...deposits.extra,
        receiverAuthorizer: key.signer.address,
        withdrawDelay: key.withdrawDelay,
      },
    },
    payer,
    unlikeAmount: true,
  });
  /** The key that a channel named when it was opened. */
  const keyOf = (config: Record<string, unknown>): ChannelKey => {
    const { receiverAuthorizer, withdrawDelay } = config as unknown as ChannelConfig;
    const found = keys.find(
      (key) => sameAddress(key.signer.address, receiverAuthorizer) && key.withdrawDelay === withdrawDelay,
    );
    if (!found) throw new Error("the channel is with another key");
    return found;
  };
  const sign = async (
    { signer }: ChannelKey,
    types: Parameters<ChannelSigner["signTypedData"]>[0]["types"],
    message: Record<string, unknown>,
  ) => {
    const primaryType = Object.keys(types)[0] ?? "";
    // guard: channel: what our key signs is sent as the contract takes it | without onChain | signatures
    return onChain(await signer.signTypedData({ domain: domainOf(chainId), types, primaryType, message }));
  };
  const signClaims = (key: ChannelKey, rows: ClaimRow[]) =>
    sign(key, CLAIM_TYPES, {
      claims: rows.map(({ id, voucher, total }) => ({
        channelId: id,
        maxClaimableAmount: voucher.ceiling,
        totalClaimed: total,
      })),
    });

  return {
    toDeposit: ({ deposit, terms }) => ({
      ...own(deposit?.payload ?? {}, terms.payer, keyOf(terms.config)),
      ...(deposit?.extensions ? { extensions: deposit.extensions } : {}),
    }),
    async toClaim(rows) {
      const key = keyOf(rows[0]?.config ?? {});
      const claimAuthorizerSignature = await signClaims(key, rows);
      return own({ type: "claim", claims: rows.map(rowOf), claimAuthorizerSignature }, payTo, key);
    },
    toSweep: () => own({ type: "settle", receiver: payTo, token: asset.address }, payTo),
    async toRefund({ id, config, payer, voucher, amount, nonce, claims }) {
      const key = keyOf(config);
      const row: ClaimRow = { id, config, voucher, total: voucher.ceiling };
      return own(
        {
          type: "refund",
          channelConfig: config,
          voucher: {
            channelId: id,
            maxClaimableAmount: voucher.ceiling.toString(),
            signature: voucher.signature,
          },
          amount: amount.toString(),
          refundNonce: nonce.toString(),
          claims: claims ? [rowOf(row)] : [],
          ...(claims ? { claimAuthorizerSignature: await signClaims(key, [row]) } : {}),
          refundAuthorizerSignature: await sign(key, REFUND_TYPES, { channelId: id, nonce, amount }),
        },
        payer,
        key,
      );
    },
  };
}

const rowOf = ({ config, voucher, total }: ClaimRow) => ({
  voucher: { channel: config, maxClaimableAmount: voucher.ceiling.toString() },
  signature: voucher.signature,
  totalClaimed: total.toString(),
});

/** Key services write the last byte, `v`, as 0 or 1; the contract accepts only 27 and 28. */
const onChain = (signature: string): string =>
  /^0x[0-9a-f]{128}0[01]$/i.test(signature)
    ? signature.slice(0, -2) + (signature.endsWith("0") ? "1b" : "1c")
    : signature;
