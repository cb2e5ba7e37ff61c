/** Stored failures of a payer, and their limits. */
import { z } from "zod";
import { once } from "../../lib/lazy.js";
import type { Micros } from "../../lib/money.js";

/** Oldest first: time (epoch milliseconds) and quote of each. */
const failureRecord = once(() => z.array(z.object({ at: z.number(), quote: z.string().transform(BigInt) })));
export type FailedRun = z.infer<ReturnType<typeof failureRecord>>[number];

export const readFailures = (text: string): FailedRun[] => failureRecord().parse(JSON.parse(text));

export const writeFailures = (failures: readonly FailedRun[]): string =>
  JSON.stringify(failures.map(({ at, quote }) => ({ at, quote: quote.toString() })));

/** Limits per payer and hour. */
export interface Limits {
  runs: number;
  worth: Micros;
}

export const worthOf = (failures: readonly FailedRun[]): Micros => failures.reduce((sum, { quote }) => sum + quote, 0n);

/** A call's quote may exceed the rest of the budget, so one failure is always allowed. */
export const isSpent = (recent: readonly FailedRun[], { runs, worth }: Limits): boolean =>
  recent.length >= runs || worthOf(recent) >= worth;
