/** Sources that are asked side by side, of which each may fail on its own. */
import type { Context } from "../capability/types.js";
import { type CapabilityError, toCapabilityError } from "../errors.js";
import { beforeAbort, deadline } from "../lib/abort.js";

/** What a source answered, or why it did not. */
export type Settled<T> = { value: T; failure?: undefined } | { value?: undefined; failure: CapabilityError };

/** Waits for an answer or a failure, and for neither longer than the call may take or `withinMs`. */
export async function settle<T>(
  ask: (ctx: Context) => Promise<T>,
  ctx: Context,
  { what, withinMs }: { what: string; withinMs?: number },
): Promise<Settled<T>> {
  const { signal, clear } =
    withinMs === undefined ? { signal: ctx.signal, clear() {} } : deadline(withinMs, ctx.signal);
  const own: Context = Object.create(ctx, { signal: { value: signal } });
  try {
    return { value: await beforeAbort(ask(own), signal, what) };
  } catch (error) {
    return { failure: toCapabilityError(error) };
  } finally {
    clear();
  }
}

/** What to tell the caller when no source answered; undefined when one did. A limit only where nothing else is wrong. */
export function failureOfAll(settled: readonly Settled<unknown>[]): CapabilityError | undefined {
  const failures = settled.flatMap(({ failure }) => failure ?? []);
  if (failures.length < settled.length) return undefined;
  return failures.find(({ code }) => code !== "UPSTREAM_RATE_LIMIT") ?? failures[0];
}

/** A failure as a section of a result shows it. */
export const errorOf = (failure: CapabilityError | undefined) =>
  failure ? { code: failure.code, message: failure.message } : null;
