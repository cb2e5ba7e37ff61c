/** The `batch-settlement` scheme on EVM networks: what a channel's messages must say, and what the facilitator is sent. */
import { z } from "zod";
import { least, type Micros } from "../../../lib/money.js";
import type { PaymentToSettle } from "../../x402/facilitator.js";
import { PaymentRefused } from "../../x402/refusal.js";
import type { PaymentRequirements, PresentedPayment } from "../../x402/wire.js";
import type { ChannelMessage, ChannelRail, ChannelTerms, ClaimRow } from "../channel.js";
import type { ChannelSigner } from "../channel-options.js";
import type { Rpc } from "../rpc.js";
import { openedChannels, readAccount, readStates } from "./channel-chain.js";
import {
  type ChannelConfig,
  type ChannelHashes,
  CLAIM_TYPES,
  channelHashes,
  DEPOSIT_COLLECTOR,
  DEPOSIT_TYPES,
  domainOf,
  REFUND_TYPES,
} from "./channel-typed-data.js";
import { recoverAddress } from "./recover.js";
import { address, isSignedBy, sameAddress, signature, uint256 } from "./signature.js";

const SCHEME = "batch-settlement";
/** Facilitators refuse what our own requests would live no longer than. */
const REQUEST_SECONDS = 300;
const MAX_UINT128 = 2n ** 128n - 1n;

const bytes32 = z.string().regex(/^0x[0-9a-fA-F]{64}$/);
const uint128 = uint256.refine((text) => /^\d{1,39}$/.test(text) && BigInt(text) <= MAX_UINT128);
const config = z.object({
  payer: address,
  payerAuthorizer: address,
  receiver: address,
  receiverAuthorizer: address,
  token: address,
  withdrawDelay: z.int().min(0).max(2_592_000),
  salt: bytes32,
});
const voucher = z.object({
  channelId: bytes32,
  maxClaimableAmount: uint128,
  // Plain ECDSA alone: 65 bytes.
  signature: z.string().regex(/^0x[0-9a-fA-F]{130}$/),
});
const authorization = z.object({ validAfter: uint256, validBefore: uint256, salt: z.string().max(80), signature });
const message = z.discriminatedUnion("type", [
  z.object({ type: z.literal("voucher"), channelConfig: config, voucher }),
  z.object({ type: z.literal("refund"), channelConfig: config, voucher, amount: z.unknown().optional() }),
  z.object({
    type: z.literal("deposit"),
    channelConfig: config,
    voucher,
    deposit: z.object({ amount: uint128, authorization: z.object({ erc3009Authorization: authorization }) }),
  }),
]);

export interface ChannelRailOptions {
  network: string;
  asset: { address: string; name: string; version: string };
  payTo: string;
  signer: ChannelSigner;
  withdrawDelay: number;
  minDeposit: Micros;
  rpc: Rpc;
  /** Whether the facilitator settles the scheme here. */
  listed: () => boolean;
}

export function evmChannelRail(options: ChannelRailOptions): ChannelRail {
  const { network, asset, payTo, signer, withdrawDelay, minDeposit, rpc, listed } = options;
  const chainId = Number(network.slice("eip155:".length));
  let loading: Promise<ChannelHashes> | undefined;
  const hashes = () => {
    loading ??= channelHashes(chainId);
    return loading;
  };

  /** Our own requests name no amount: it is in what is signed. */
  const own = (payload: Record<string, unknown>, payer: string): PaymentToSettle => ({
    payload,
    requirements: {
      scheme: SCHEME,
      network,
      amount: "0",
      asset: asset.address,
      payTo,
      maxTimeoutSeconds: REQUEST_SECONDS,
      extra: {
        name: asset.name,
        version: asset.version,
        receiverAuthorizer: signer.address,
        withdrawDelay,
      },
    },
    payer,
    unlikeAmount: true,
  });
  const sign = (types: Parameters<ChannelSigner["signTypedData"]>[0]["types"], value: Record<string, unknown>) =>
    signer.signTypedData({
      domain: domainOf(chainId),
      types,
      primaryType: Object.keys(types)[0] ?? "",
      message: value,
    });
  const signClaims = (rows: ClaimRow[]) =>
    sign(CLAIM_TYPES, {
      claims: rows.map((row) => ({
        channelId: row.id,
        maxClaimableAmount: row.voucher.ceiling,
        totalClaimed: row.total,
      })),
    });

  /** What can be told without the curve comes first: a stranger's nonsense costs us a few hashes. */
  async function read({ payload }: PresentedPayment): Promise<ChannelMessage> {
    const parsed = message.safeParse(payload);
    if (!parsed.success)
      throw new PaymentRefused("PAYMENT_MALFORMED", "The payment is no voucher, deposit or refund of a channel.");
    const sent = parsed.data;
    const { channelConfig, voucher } = sent;
    assertOurs(channelConfig);
    const { idOf, voucherDigest, depositNonce } = await hashes();
    const id = idOf(channelConfig);
    if (voucher.channelId.toLowerCase() !== id) throw mismatch("channelId is not that of its channelConfig");
    const ceiling = BigInt(voucher.maxClaimableAmount);
    const signedBy = await recoverAddress(voucherDigest(id, ceiling), voucher.signature);
    if (signedBy === undefined || !sameAddress(signedBy, channelConfig.payerAuthorizer))
      throw new PaymentRefused("PAYMENT_SIGNATURE_INVALID", "The voucher is not signed by the channel's voucher key.");
    const base = { id, terms: termsOf(channelConfig), voucher: { ceiling, signature: voucher.signature } };
    if (sent.type === "voucher") return { kind: "voucher", ...base };
    if (sent.type === "refund")
      return { kind: "refund", ...base, ...(sent.amount === undefined ? {} : { amount: String(sent.amount) }) };

    const amount = BigInt(sent.deposit.amount);
    const { validAfter, validBefore, salt, signature } = sent.deposit.authorization.erc3009Authorization;
    if (!/^(?:0x[0-9a-fA-F]{1,64}|\d{1,78})$/.test(salt)) throw mismatch("deposit has no salt");
    if (amount < minDeposit)
      throw new PaymentRefused(
        "DEPOSIT_TOO_SMALL",
        `A deposit must be at least ${minDeposit} atomic units of the token, extra.minDeposit of the offer.`,
      );
    await isSignedBy(channelConfig.payer, {
      hex: signature,
      data: {
        domain: {
          name: asset.name,
          version: asset.version,
          chainId,
          verifyingContract: asset.address as `0x${string}`,
        },
        types: DEPOSIT_TYPES,
        primaryType: "ReceiveWithAuthorization",
        message: {
          from: channelConfig.payer.toLowerCase() as `0x${string}`,
          to: DEPOSIT_COLLECTOR.toLowerCase() as `0x${string}`,
          value: amount,
          validAfter: BigInt(validAfter),
          validBefore: BigInt(validBefore),
          nonce: depositNonce(id, BigInt(salt)),
        },
      },
    });
    return { kind: "deposit", ...base, deposit: { amount, payload: sent } };
  }

  function assertOurs({ payerAuthorizer, receiver, receiverAuthorizer, token, withdrawDelay: delay }: ChannelConfig) {
    if (!sameAddress(receiver, payTo)) throw mismatch("receiver is not the one offered");
    if (!sameAddress(receiverAuthorizer, signer.address)) throw mismatch("receiverAuthorizer is not the one offered");
    if (!sameAddress(token, asset.address)) throw mismatch("token is not the one offered");
    if (delay !== withdrawDelay) throw mismatch("withdrawDelay is not the one offered");
    if (/^0x0{40}$/.test(payerAuthorizer))
      throw mismatch("payerAuthorizer is empty: a contract's wallet names a voucher key that signs for it");
  }

  return {
    network,
    withdrawDelay,
    requirements(amount, maxTimeoutSeconds): PaymentRequirements | undefined {
      if (!listed()) return undefined;
      const { name, version } = asset;
      const needed = minDeposit + (amount - least(amount, minDeposit));
      const extra = { name, version, receiverAuthorizer: signer.address, withdrawDelay, minDeposit: needed.toString() };
      const requirements = {
        network,
        amount: amount.toString(),
        asset: asset.address,
        payTo,
        maxTimeoutSeconds,
        extra,
      };
      return { scheme: SCHEME, ...requirements };
    },
    read,
    states: (ids) => readStates(rpc, ids),
    account: () => readAccount(rpc, payTo, asset.address),
    async *opened() {
      for await (const { id, config } of openedChannels(rpc)) {
        try {
          assertOurs(config);
        } catch {
          continue;
        }
        yield { id, terms: termsOf(config) };
      }
    },
    toDeposit: ({ deposit, terms }) => own(deposit?.payload ?? {}, terms.payer),
    async toClaim(rows) {
      const claims = rows.map(rowOf);
      return own({ type: "claim", claims, claimAuthorizerSignature: await signClaims(rows) }, payTo);
    },
    toSweep: () => own({ type: "settle", receiver: payTo, token: asset.address }, payTo),
    async toRefund({ id, config, payer, voucher, amount, nonce, claims }) {
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
          ...(claims ? { claimAuthorizerSignature: await signClaims([row]) } : {}),
          refundAuthorizerSignature: await sign(REFUND_TYPES, { channelId: id, nonce, amount }),
        },
        payer,
      );
    },
  };
}

const rowOf = ({ config, voucher, total }: ClaimRow) => ({
  voucher: { channel: config, maxClaimableAmount: voucher.ceiling.toString() },
  signature: voucher.signature,
  totalClaimed: total.toString(),
});

/** Addresses in lower case: a checksum in mixed case that is off would be refused for its case alone. */
function termsOf(config: ChannelConfig): ChannelTerms {
  const lower = Object.fromEntries(
    Object.entries(config).map(([name, value]) => [name, typeof value === "string" ? value.toLowerCase() : value]),
  );
  return { payer: config.payer.toLowerCase(), config: lower, withdrawDelay: config.withdrawDelay };
}

const mismatch = (why: string) => new PaymentRefused("PAYMENT_MISMATCH", `The channel's ${why}.`);
