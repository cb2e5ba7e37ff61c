/**
 * Limits deposits and refunds that earn nothing, for each payer over all channels and instances. Each costs us a
 * transaction, and a buyer who chooses its input can make every call fail.
 */
import { z } from "zod";
import { CapabilityError } from "../../../errors.js";
import { once } from "../../../lib/lazy.js";
import type { Micros } from "../../../lib/money.js";
import { DAY_MS, HOUR_MS } from "../../../lib/time.js";
import type { Store } from "../../../stores/store.js";
import { update } from "../../../stores/update.js";
import type { ChannelChainState } from "./chain-state.js";
import { isPayerProven } from "./changes.js";
import type { ChannelRecord, ChannelRecords } from "./record.js";

/** Channels of one payer that may receive a deposit within an hour without a charge since. */
const MAX_IDLE = 5;

export interface IdleLimitsOptions {
  network: string;
  store: Store;
  records: ChannelRecords;
  chainState: ChannelChainState;
  now: () => number;
}

export interface IdleLimits {
  /**
   * Registers a deposit before it is settled; resolves to a function that removes the entry if none was made. Rejects
   * with TOO_MANY_FAILURES.
   */
  deposit(record: ChannelRecord): Promise<() => Promise<void>>;
  /** Whether a refund below the worthwhile amount may be made; true again for a repetition of the same refund. */
  refund(record: ChannelRecord): Promise<boolean>;
}

/** A deposit: the channel's charge at that time; `at` in epoch milliseconds. */
const deposits = once(() =>
  z.array(z.object({ channel: z.string(), charged: z.string().transform(BigInt), at: z.number() })),
);
type Deposit = { channel: string; charged: Micros; at: number };

export function createIdleLimits({ network, store, records, chainState, now }: IdleLimitsOptions): IdleLimits {
  const listOf = (found: string | undefined): Deposit[] =>
    found === undefined
      ? []
      : deposits()
          .parse(JSON.parse(found))
          .filter(({ at }) => at > now() - HOUR_MS);
  const textOf = (list: Deposit[]) => JSON.stringify(list.map((each) => ({ ...each, charged: `${each.charged}` })));

  /** The channels that were charged since. Calls do not record this, so it is read when needed. */
  async function earning(list: Deposit[]): Promise<Set<string>> {
    const found = await Promise.all(
      list.map(async ({ channel, charged }) => {
        const stored = await records.read(channel);
        if (!stored) return [];
        const current = await chainState.settled(stored);
        const { value } = current === "held" ? stored : current;
        return value.charged > charged ? [channel] : [];
      }),
    );
    return new Set(found.flat());
  }

  return {
    async deposit(record) {
      const { id: channel, charged } = record;
      const key = `channel-deposits:${network}:${nameOf(record)}`;
      const known = listOf((await store.get(key))?.value);
      const earned = known.length < MAX_IDLE ? new Set<string>() : await earning(known);
      const isNew = await update(store, { key, ttlMs: HOUR_MS }, (found) => {
        const idle = listOf(found).filter((each) => !earned.has(each.channel));
        const others = idle.filter((each) => each.channel !== channel);
        // guard: channel: deposits are counted again when the note is written |
        //   others. -> known.length >= MAX_IDLE && others. | host-paid
        if (others.length >= MAX_IDLE) throw tooMany(others, now());
        return { value: textOf([...others, { channel, charged, at: now() }]), result: others.length === idle.length };
      });
      return async () => {
        if (!isNew) return;
        await update(store, { key, ttlMs: HOUR_MS }, (found) => {
          const others = listOf(found).filter((each) => each.channel !== channel);
          return { value: textOf(others), result: undefined };
        });
      };
    },
    async refund(record) {
      const key = `channel-refunds:${nameOf(record)}`;
      const mine = `${record.id} ${record.refundNonce}`;
      return update(store, { key, ttlMs: DAY_MS }, (found) => {
        const { refund, at } = found === undefined ? { refund: "", at: 0 } : (JSON.parse(found) as Refund);
        if (refund === mine) return { value: undefined, result: true };
        if (now() - at < DAY_MS) return { value: undefined, result: false };
        return { value: JSON.stringify({ refund: mine, at: now() } satisfies Refund), result: true };
      });
    },
  };
}

/** The one refund of a day: its channel and number, and the time of the request (epoch milliseconds). */
interface Refund {
  refund: string;
  at: number;
}

/** The limit applies to proven payers, because anybody can name another's account. */
const nameOf = (record: ChannelRecord): string =>
  isPayerProven(record) ? record.terms.payer : `unproven:${record.terms.payer}`;

function tooMany(idle: Deposit[], now: number): CapabilityError {
  const due = Math.min(...idle.map(({ at }) => at)) + HOUR_MS;
  return new CapabilityError(
    "TOO_MANY_FAILURES",
    `${idle.length} channels of yours got a deposit within the last hour and were charged nothing since. This one was not deposited, and nothing was charged: use one of those, pay by "exact", or open another at ${new Date(due).toISOString()}.`,
    { retryAfter: Math.max(1, Math.ceil((due - now) / 1000)) },
  );
}
