/** What a host says about channels, checked once when it starts. */
import { type Micros, toMicros } from "../../lib/money.js";

/** A wallet that signs any typed data, as viem's accounts do. */
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
   * The key that signs claims and refunds: the host's own, never a facilitator's. Stolen, it moves money nowhere but to
   * the treasury and back to buyers. It and the delay are part of every channel: with another one, buyers open new ones.
   */
  signer: ChannelSigner;
  /** The smallest deposit, in decimal USD. Default "1": opening and closing a channel costs two transactions. */
  minDepositUsd?: string;
  /** Claimed when so much is earned and not claimed, in decimal USD. Default "1". */
  claimAboveUsd?: string;
  /** Claimed when the oldest charge is so old. Default: a day, or a quarter of the delay where that is less. */
  claimAfterSeconds?: number;
  /** How long a buyer's withdrawal takes, during which what it owes can be claimed: 900 to 2592000. Default 86400. */
  withdrawDelaySeconds?: number;
  /** Take channels with a store in memory, which loses what was earned and not claimed with its process. Default false. */
  allowMemoryStore?: boolean;
}

export interface ChannelPolicy {
  minDeposit: Micros;
  claimAbove: Micros;
  claimAfterMs: number;
  withdrawDelay: number;
}

const MIN_DELAY = 900;
const MAX_DELAY = 2_592_000;

/** Throws a TypeError that names the option. */
export function readChannelOptions(options: ChannelOptions | undefined): ChannelPolicy {
  const { signer, minDepositUsd = "1", claimAboveUsd = "1", withdrawDelaySeconds: delay = 86_400 } = options ?? {};
  if (!signer || typeof signer.signTypedData !== "function" || typeof signer.address !== "string")
    throw new TypeError(
      "payment.channels.signer is needed for batch-settlement: a wallet of yours that signs typed data, as viem's accounts do.",
    );
  if (!Number.isInteger(delay) || delay < MIN_DELAY || delay > MAX_DELAY)
    throw new TypeError(
      `payment.channels.withdrawDelaySeconds must be a whole number from ${MIN_DELAY} to ${MAX_DELAY}.`,
    );
  const after = options?.claimAfterSeconds ?? Math.min(86_400, delay / 4);
  if (!(after >= 0 && after <= delay / 2))
    throw new TypeError(
      "payment.channels.claimAfterSeconds must be at most half of withdrawDelaySeconds, so that no withdrawal comes first.",
    );
  return {
    minDeposit: positive("minDepositUsd", minDepositUsd),
    claimAbove: positive("claimAboveUsd", claimAboveUsd),
    claimAfterMs: after * 1000,
    withdrawDelay: delay,
  };
}

function positive(name: string, usd: string): Micros {
  let amount = 0n;
  try {
    amount = toMicros(usd);
  } catch {
    // Told below.
  }
  if (amount <= 0n) throw new TypeError(`payment.channels.${name} must be an amount in USD above 0, such as "1".`);
  return amount;
}
