/** Stored failures of a payer, and their limits. */
import { z } from "zod";
import { once } from "../../lib/lazy.js";
import type { Micros } from "../../lib/money.js";

/**
 * Oldest first: time (epoch milliseconds), quote, and milliseconds of a thread. `time` marks what only took time of threads,
 * through no fault of its payer.
 */
const failureRecord = once(() =>
  z.array(
    z
      .object({
        at: z.number(),
        quote: z.string().transform(BigInt),
        ms: z.number().default(0),
        time: z.literal(true).optional(),
      })
      .transform(({ time, ...rest }) => ({ ...rest, isRun: time === undefined })),
  ),
);
export type FailedRun = z.infer<ReturnType<typeof failureRecord>>[number];

export const readFailures = (text: string): FailedRun[] => failureRecord().parse(JSON.parse(text));

export const writeFailures = (failures: readonly FailedRun[]): string =>
  JSON.stringify(
    failures.map(({ at, quote, ms, isRun }) => ({
      at,
      quote: quote.toString(),
      ...(ms > 0 ? { ms: Math.ceil(ms) } : {}),
      ...(isRun ? {} : { time: true }),
    })),
  );

/** Limits per payer and hour. */
export interface Limits {
  runs: number;
  worth: Micros;
  threadMs: number;
}

/** Limits of an account, whose keys have the given ones each. */
export const timesTen = ({ runs, worth, threadMs }: Limits): Limits => ({
  runs: runs * 10,
  worth: worth * 10n,
  threadMs: threadMs * 10,
});

export const runsOf = (failures: readonly FailedRun[]): number => failures.filter(({ isRun }) => isRun).length;
export const worthOf = (failures: readonly FailedRun[]): Micros => failures.reduce((sum, { quote }) => sum + quote, 0n);
export const threadMsOf = (failures: readonly FailedRun[]): number => failures.reduce((sum, { ms }) => sum + ms, 0);

/** A call's quote may exceed the rest of the budget, so one failure is always allowed. */
// guard: failures: thread time counts | - || threadMsOf(recent) >= threadMs | thread-time
export const isSpent = (recent: readonly FailedRun[], { runs, worth, threadMs }: Limits): boolean =>
  runsOf(recent) >= runs || worthOf(recent) >= worth || threadMsOf(recent) >= threadMs;

/** Time without a failure is added up for so long, so that a record stays short. */
const ADDED_MS = 60_000;

/** The failures with one more, of which at most so many are kept. */
export function withFailure(recent: readonly FailedRun[], failure: FailedRun, most: number): FailedRun[] {
  const last = recent.at(-1);
  if (!failure.isRun && last && !last.isRun && failure.at - last.at < ADDED_MS)
    return [...recent.slice(0, -1), { ...last, ms: last.ms + failure.ms }];
  return [...recent, failure].slice(-most);
}
