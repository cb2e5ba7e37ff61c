/** Refusals of vouchers, in the wording that stock buyers act upon. */
import { fromMicros, type Micros } from "../../../lib/money.js";
import { CHANNEL_SCHEME } from "../../rails/channel.js";
import { PaymentRefused, type SettleResponse } from "../../x402/refusal.js";
import { provenBuyer } from "./changes.js";
import type { ChannelRecord } from "./record.js";

const MISMATCH = "invalid_batch_settlement_evm_cumulative_amount_mismatch";
const BELOW_CLAIMED = "invalid_batch_settlement_evm_cumulative_below_claimed";

/** State of the channel as receipts and corrections contain it. */
export const stateOf = (record: ChannelRecord) => ({
  channelId: record.id,
  balance: record.balance.toString(),
  totalClaimed: record.claimed.toString(),
  withdrawRequestedAt: record.withdrawal?.at ?? 0,
  refundNonce: record.refundNonce.toString(),
  chargedCumulativeAmount: record.charged.toString(),
});

/** The receipt of a charge; `moved` is the deposit that was made for it. */
export const chargeReceipt = (
  record: ChannelRecord,
  charge: Micros,
  moved: { transaction: string; amount: string } = { transaction: "", amount: "" },
): SettleResponse => ({
  success: true,
  ...moved,
  network: record.network,
  payer: provenBuyer(record),
  extra: {
    channelState: stateOf({ ...record, charged: record.charged + charge }),
    chargedAmount: charge.toString(),
  },
});

/** Total charge of the channel according to a receipt. */
export const chargedAfter = ({ extra }: SettleResponse): Micros =>
  BigInt((extra as { channelState: ReturnType<typeof stateOf> }).channelState.chargedCumulativeAmount);

/**
 * Corrects a buyer whose view of its channel differs: the answer contains the channel's state, with the buyer's own
 * last voucher as proof. Only for a sender with a proven, unpublished voucher.
 */
export function outOfStep(record: ChannelRecord): PaymentRefused {
  const { voucher } = record;
  const voucherState = voucher && {
    signedMaxClaimable: voucher.ceiling.toString(),
    signature: voucher.signature,
  };
  return new PaymentRefused(
    "CHANNEL_OUT_OF_STEP",
    `The voucher's ceiling does not follow the ${fromMicros(record.charged)} USD charged so far, or the deposit does not cover it.`,
    {
      correction: {
        error: MISMATCH,
        scheme: CHANNEL_SCHEME,
        network: record.network,
        extra: { channelState: stateOf(record), ...(voucherState ? { voucherState } : {}) },
      },
    },
  );
}

/** The charge that such a refusal told its buyer, who will return at once; undefined for other refusals. */
export function toldAsCharged(error: unknown): Micros | undefined {
  if (!(error instanceof PaymentRefused) || error.options.correction?.error !== MISMATCH) return undefined;
  const { chargedCumulativeAmount } = error.options.correction.extra.channelState as ReturnType<typeof stateOf>;
  return BigInt(chargedCumulativeAmount);
}

/** The ceiling is at or below the claimed total, which is public on chain. The buyer reads it there and signs anew. */
export const belowClaimed = ({ network }: ChannelRecord) =>
  new PaymentRefused("CHANNEL_OUT_OF_STEP", "The voucher's ceiling is not above what was claimed on chain.", {
    correction: { error: BELOW_CLAIMED, scheme: CHANNEL_SCHEME, network, extra: {} },
  });

/** A claim has published the voucher, so anybody may have sent it. */
export const published = () =>
  new PaymentRefused(
    "PAYMENT_ALREADY_USED",
    "A claim published this voucher, so it buys nothing any more. Ask for something at another price, or pay this call with a separate payment.",
    { withoutChannels: true },
  );

/** The smallest deposit also holds for buyers who deposit on chain themselves. */
export const tooSmall = (minDeposit: Micros) =>
  new PaymentRefused(
    "DEPOSIT_TOO_SMALL",
    `The channel's balance was raised by less than ${minDeposit} atomic units of the token, extra.minDeposit of the offer.`,
  );

/** A signed refund never expires, so the amount that it takes must not be sold. */
export const refundUnderWay = () =>
  new PaymentRefused(
    "CHANNEL_CLOSING",
    "A refund of this channel was signed and may be paid out at any time; the rest does not cover this call. Pay this call with a separate payment, deposit more, or ask for the refund again.",
    { withoutChannels: true },
  );

/** Another service with the same key may claim vouchers of this channel. */
export const contested = () =>
  new PaymentRefused(
    "CHANNEL_CLOSING",
    "More was claimed of this channel than was charged to it here: another service claims with the same key, and so it buys nothing here any more. Pay this call by itself; what is left of the deposit can be withdrawn, or asked back.",
    { withoutChannels: true },
  );

/** Tells nothing of the channel: the stream may be over, or another buyer's. */
export const noStream = () =>
  new PaymentRefused(
    "PAYMENT_MISMATCH",
    "No stream of this name is under way on the voucher's channel. The voucher was not taken; it may pay for another call.",
  );

export const notNext = (why: string) =>
  new PaymentRefused("CHANNEL_OUT_OF_STEP", `The voucher does not pay for the next part of the stream: ${why}.`);

/** Shortly before a withdrawal is paid out, a new charge could not be claimed in time. Throws PaymentRefused then. */
export function assertOpen({ withdrawal, terms: { withdrawDelay } }: ChannelRecord, now: number): void {
  const margin = Math.max(300, withdrawDelay / 6);
  if (withdrawal && now / 1000 >= withdrawal.at + withdrawDelay - margin) throw closing();
}

const closing = () =>
  new PaymentRefused(
    "CHANNEL_CLOSING",
    "A withdrawal from this channel is about to be paid out. Pay this call with a separate payment, or deposit into the channel after that.",
    { withoutChannels: true },
  );
