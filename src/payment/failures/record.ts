/** What the store knows of a payer's failures, and how many there may be. */
import { z } from "zod";
import { once } from "../../lib/lazy.js";
import type { Micros } from "../../lib/money.js";

/** Oldest first: when (epoch milliseconds), and what each was quoted at. */
const failureRecord = once(() => z.array(z.object({ at: z.number(), quote: z.string().transform(BigInt) })));
export type FailedRun = z.infer<ReturnType<typeof failureRecord>>[number];

export const readFailures = (text: string): FailedRun[] => failureRecord().parse(JSON.parse(text));

export const writeFailures = (failures: readonly FailedRun[]): string =>
  JSON.stringify(failures.map(({ at, quote }) => ({ at, quote: quote.toString() })));

/** Of one payer within an hour. */
export interface Limits {
  runs: number;
  worth: Micros;
}

export const worthOf = (failures: readonly FailedRun[]): Micros => failures.reduce((sum, { quote }) => sum + quote, 0n);

/** A call may be dearer than what is left: however dear, one may fail. */
export const isSpent = (recent: readonly FailedRun[], { runs, worth }: Limits): boolean =>
  recent.length >= runs || worthOf(recent) >= worth;
