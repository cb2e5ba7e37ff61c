/** The host's options for channels, checked once at start. */
import { exactMicros, type Micros } from "../../lib/money.js";

/** A wallet that signs any typed data, such as viem's accounts. */
export interface ChannelSigner {
  address: string;
  signTypedData(data: {
    domain: { name: string; version: string; chainId: number; verifyingContract: `0x${string}` };
    types: Record<string, readonly { name: string; type: string }[]>;
    primaryType: string;
    message: Record<string, unknown>;
  }): Promise<string>;
}

export interface ChannelOptions {
  /**
   * The key that signs claims and refunds: the host's own, never a facilitator's. A thief of this key can move money
   * only to the treasury and back to buyers. Key and delay are part of every channel: after a change, buyers open new
   * ones.
   */
  signer: ChannelSigner;
  /** The smallest deposit, in decimal USD. Default "1": opening and closing a channel costs two transactions. */
  minDepositUsd?: string;
  /** Unclaimed charges of this sum are claimed at once, in decimal USD. Default "1". */
  claimAboveUsd?: string;
  /** Maximum age of an unclaimed charge in seconds. Default: a day, or a quarter of the delay if that is less. */
  claimAfterSeconds?: number;
  /**
   * Seconds until a buyer's withdrawal is paid out, during which charges can be claimed: 900 to 2592000. Default 86400.
   */
  withdrawDelaySeconds?: number;
  /**
   * Signers and delays of earlier offers: their channels are served, claimed and refunded until they are empty. Default
   * delay 86400, as above.
   */
  former?: { signer: ChannelSigner; withdrawDelaySeconds?: number }[];
  /** Allows channels with a memory store, which loses unclaimed charges with its process. Default false. */
  allowMemoryStore?: boolean;
  /**
   * Whether every 402 offers channels. Some clients, such as thirdweb's, pay nothing if an offer has an unknown scheme.
   * `"asked"` offers channels only to buyers that send the header `X-<SLUG>-Accept-Scheme: batch-settlement` or pay by
   * channel; stock buyers of channels do not send it. Default `"always"`.
   */
  offer?: "always" | "asked";
  /**
   * How long a stream waits for its buyer's next vouchers, in all, if the first paid for a part only: 0 to 300 seconds.
   * 0 sells streams by one voucher for the whole price. Default 30.
   */
  voucherWaitSeconds?: number;
  /**
   * True notes each call by its request id, so that `handle.refund({ requestId })` gives the price of a single voucher
   * back, for a week: one more write a call, while its work runs. Default false.
   */
  refundable?: boolean;
}

/** Milliseconds that a stream waits for vouchers. */
export const voucherWaitMsOf = ({ voucherWaitSeconds = 30 }: Partial<ChannelOptions> = {}): number =>
  voucherWaitSeconds * 1000;

/** The key of channels: the signer of their claims and refunds, and the delay of a withdrawal in seconds. */
export interface ChannelKey {
  signer: ChannelSigner;
  withdrawDelay: number;
}

export interface ChannelPolicy {
  minDeposit: Micros;
  claimAbove: Micros;
  claimAfterMs: number;
  /** The offered key first, then the former ones. */
  keys: [ChannelKey, ...ChannelKey[]];
}

const MIN_DELAY = 900;
const MAX_DELAY = 2_592_000;
const DEFAULT_DELAY = 86_400;

/** Throws a TypeError that names the option. */
export function readChannelOptions(options: ChannelOptions | undefined): ChannelPolicy {
  const { signer, minDepositUsd = "1", claimAboveUsd = "1", withdrawDelaySeconds, former = [] } = options ?? {};
  const key = keyOf("payment.channels", { signer, withdrawDelaySeconds });
  const { withdrawDelay: delay } = key;
  const after = options?.claimAfterSeconds ?? Math.min(86_400, delay / 4);
  if (!(after >= 0 && after <= delay / 2))
    throw new TypeError(
      "payment.channels.claimAfterSeconds must be at most half of withdrawDelaySeconds, so that no withdrawal comes first.",
    );
  return {
    minDeposit: positive("minDepositUsd", minDepositUsd),
    claimAbove: positive("claimAboveUsd", claimAboveUsd),
    claimAfterMs: after * 1000,
    keys: [key, ...former.map((each, i) => keyOf(`payment.channels.former[${i}]`, each))],
  };
}

function keyOf(
  option: string,
  key: { signer?: ChannelSigner | undefined; withdrawDelaySeconds?: number | undefined },
): ChannelKey {
  const { signer, withdrawDelaySeconds: withdrawDelay = DEFAULT_DELAY } = key;
  if (!signer || typeof signer.signTypedData !== "function" || typeof signer.address !== "string")
    throw new TypeError(
      `${option}.signer is needed for batch-settlement: a wallet of yours that signs typed data, as viem's accounts do.`,
    );
  if (!Number.isInteger(withdrawDelay) || withdrawDelay < MIN_DELAY || withdrawDelay > MAX_DELAY)
    throw new TypeError(`${option}.withdrawDelaySeconds must be a whole number from ${MIN_DELAY} to ${MAX_DELAY}.`);
  return { signer, withdrawDelay };
}

function positive(name: string, usd: string): Micros {
  let amount = 0n;
  try {
    amount = exactMicros(usd);
  } catch {
    // The error below reports the invalid address.
  }
  if (amount <= 0n) throw new TypeError(`payment.channels.${name} must be an amount in USD above 0, such as "1".`);
  return amount;
}
