/** Has the contract pay out claimed money: once a day, or as soon as the sum is large enough. */
import type { Logger } from "../../../lib/logger.js";
import type { Micros } from "../../../lib/money.js";
import { DAY_MS } from "../../../lib/time.js";
import type { Store } from "../../../stores/store.js";
import type { ChannelPolicy } from "../../options/channels.js";
import type { ChannelRail } from "../../rails/channel.js";
import type { FacilitatorClient } from "../../x402/facilitator.js";
import type { EmitChannelEvent } from "../vouchers/emit.js";

const EVERY_MS = DAY_MS;
/** A sum of this many times the smallest claim is paid out at once. */
const FACTOR = 10n;

export interface SweepOptions {
  rail: ChannelRail;
  policy: ChannelPolicy;
  facilitator: FacilitatorClient;
  store: Store;
  logger: Logger;
  emitChannelEvent: EmitChannelEvent;
  now: () => number;
}

interface SweepNote {
  /** When unpaid claims were first seen (epoch milliseconds). */
  since: number;
  amount: string;
}

/** Resolves to the number of transactions requested. */
export async function sweep(options: SweepOptions): Promise<number> {
  const { rail, policy, facilitator, store, logger, emitChannelEvent, now } = options;
  const key = `channels:swept:${rail.network}:${rail.accountId}`;
  const kept = await store.get(key);
  const { since, amount: known } = kept ? (JSON.parse(kept.value) as SweepNote) : { since: now(), amount: "0" };
  const { claimed, swept } = await rail.account();
  const waiting = claimed - swept;
  const note = (of: Micros) =>
    store.put(key, JSON.stringify({ since: now(), amount: of.toString() } satisfies SweepNote), {
      ifVersion: kept?.version ?? 0,
      ttlMs: 400 * DAY_MS,
    });
  if (waiting === 0n) {
    if (known !== "0") await note(0n);
    return 0;
  }
  const isDue = waiting >= policy.claimAbove * FACTOR || (known !== "0" && now() - since >= EVERY_MS);
  if (!isDue) {
    if (known === "0") await note(waiting);
    return 0;
  }
  await note(waiting);
  const end = await facilitator.settle(rail.toSweep());
  const { swept: after } = await rail.account();
  if (after > swept) emitChannelEvent("swept", after - swept, end.kind === "settled" ? end : {});
  else if (end.kind !== "refused" || !end.reason.endsWith("nothing_to_settle"))
    logger.warn(
      { network: rail.network, end },
      "channels: claimed money did not reach the treasury; the next round sends it",
    );
  return 1;
}
