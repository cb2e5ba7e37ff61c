/**
 * Tells the host when a wallet that it must fill runs low: that of the refunds, and the gas of the claims' signer. Each
 * crossing of the threshold is told once over all instances, however often it is seen.
 */

import { createHash } from "node:crypto";
import { z } from "zod";
import { once } from "../lib/lazy.js";
import type { Logger } from "../lib/logger.js";
import { fromMicros, toMicros } from "../lib/money.js";
import { DAY_MS, MINUTE_MS } from "../lib/time.js";
import type { Store } from "../stores/store.js";
import { update } from "../stores/update.js";
import type { DurableEvents } from "./events/durable-events.js";
import type { Rails } from "./networks/rails.js";
import type { LowBalanceOptions } from "./options/options.js";

const EVERY_MS = 5 * MINUTE_MS;
const KEPT_MS = 3650 * DAY_MS;
const WEI_DIGITS = 18;

/** Below the threshold since `at`, for the `crossing`th time; `told` once the event is stored. */
const state = once(() =>
  z.object({ isLow: z.boolean(), crossing: z.number(), at: z.number(), told: z.boolean(), balance: z.string() }),
);
type State = z.infer<ReturnType<typeof state>>;

const UNKNOWN: State = { isLow: false, crossing: 0, at: 0, told: true, balance: "" };

/** A wallet and its threshold, in the units that `read` resolves to. */
interface Watched {
  of: "refunds" | "claims" | "charges";
  network: string;
  wallet: string;
  threshold: bigint;
  read(): Promise<bigint>;
  toText(amount: bigint): string;
}

export interface BalanceWatch {
  /** Reads the balances, at most every five minutes. Never rejects. */
  check(): Promise<void>;
}

export interface BalanceWatchOptions {
  options: LowBalanceOptions;
  rails: Rails;
  store: Store;
  /** Names the host: others may use the same store. */
  host: string;
  durable: DurableEvents | undefined;
  logger: Logger;
  now: () => number;
}

export function createBalanceWatch(given: BalanceWatchOptions): BalanceWatch {
  const { store, host, durable, logger, now } = given;
  const watched = watchedOf(given);
  let readAt = Number.NEGATIVE_INFINITY;

  async function look(one: Watched): Promise<void> {
    const balance = await one.read();
    const isLow = balance < one.threshold;
    const key = keyOf(host, one);
    const { next, before } = await update(store, { key, ttlMs: KEPT_MS }, (found) => {
      const before = found === undefined ? UNKNOWN : state().parse(JSON.parse(found));
      if (before.isLow === isLow) return { value: undefined, result: { next: before, before } };
      const crossing = before.crossing + (isLow ? 1 : 0);
      const next = { isLow, crossing, at: now(), told: !isLow, balance: one.toText(balance) };
      return { value: JSON.stringify(next), result: { next, before } };
    });
    if (next !== before && isLow) logger.warn(factsOf(one, next), LOW[one.of]);
    // guard: low balance: told until it is stored | told -> told && next !== before | low-balance
    if (!next.told) await tell(one, next);
  }

  /** Stored before it is noted as told, and the same event whoever repeats it. */
  async function tell(one: Watched, low: State): Promise<void> {
    // guard: low balance: a crossing is one event, whoever saw it | low.crossing -> Math.random() | low-balance
    const id = `balance_${nameOf(one)}_${low.crossing}`;
    await durable?.tell("balance.low", factsOf(one, low), { id, at: low.at });
    await update(store, { key: keyOf(host, one), ttlMs: KEPT_MS }, (found) => {
      const before = found === undefined ? UNKNOWN : state().parse(JSON.parse(found));
      const isSame = before.crossing === low.crossing && !before.told;
      return { value: isSame ? JSON.stringify({ ...before, told: true }) : undefined, result: undefined };
    });
  }

  return {
    async check() {
      if (performance.now() - readAt < EVERY_MS) return;
      readAt = performance.now();
      await Promise.all(
        watched.map((one) =>
          look(one).catch((error: unknown) =>
            logger.debug({ network: one.network, wallet: one.wallet, error }, "payment: a balance could not be read"),
          ),
        ),
      );
    },
  };
}

const LOW = {
  refunds: "payment.refunds: the wallet runs low; without money in it, refunds become credit or stay owed",
  claims: "payment.channels.signer: its gas runs low",
  charges: "payment.mpp.permit2: the account's gas runs low; without any, no payment through it is taken",
};

const nameOf = ({ of, network, wallet }: Watched) =>
  createHash("sha256").update(`${of} ${network} ${wallet}`).digest("hex").slice(0, 16);

const keyOf = (host: string, one: Watched) => `low-balance:${host}:${nameOf(one)}`;

const factsOf = ({ of, network, wallet, threshold, toText }: Watched, { balance }: State) => ({
  ...{ of, network, wallet, threshold: toText(threshold) },
  balance,
});

function watchedOf({ options: { refundsUsd, claimGas }, rails }: BalanceWatchOptions): Watched[] {
  const watched: Watched[] = [];
  for (const [network, { refunds, channel, charges }] of rails) {
    if (refunds && refundsUsd !== undefined)
      watched.push({
        ...{ of: "refunds", network, wallet: refunds.wallet, read: refunds.balance },
        threshold: toMicros(refundsUsd),
        toText: fromMicros,
      });
    if (channel && claimGas !== undefined)
      watched.push({
        ...{ of: "claims", network, wallet: channel.signer, read: channel.signerGas },
        threshold: toWei(claimGas),
        toText: fromWei,
      });
    if (charges && claimGas !== undefined)
      watched.push({
        ...{ of: "charges", network, wallet: charges.wallet, read: charges.gas },
        threshold: toWei(claimGas),
        toText: fromWei,
      });
  }
  return watched;
}

function toWei(coins: string): bigint {
  const [whole = "0", fraction = ""] = coins.split(".");
  return BigInt(whole + fraction.padEnd(WEI_DIGITS, "0"));
}

function fromWei(wei: bigint): string {
  const digits = wei.toString().padStart(WEI_DIGITS + 1, "0");
  const fraction = digits.slice(-WEI_DIGITS).replace(/0+$/, "");
  return digits.slice(0, -WEI_DIGITS) + (fraction && `.${fraction}`);
}
