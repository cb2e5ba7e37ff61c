/** Sources that are requested in parallel and may fail independently. */
import type { Context } from "../capability/types.js";
import { type CapabilityError, toCapabilityError } from "../errors.js";
import { beforeAbort, deadline } from "../lib/abort.js";

/** A source's answer, or its error. */
export type Settled<T> = { value: T; failure?: undefined } | { value?: undefined; failure: CapabilityError };

/** Waits for an answer or a failure, at most until the call's time limit or `withinMs`. */
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

/**
 * The error for the caller if no source answered; undefined if one did. A rate limit is reported only if there is no
 * other error.
 */
export function failureOfAll(settled: readonly Settled<unknown>[]): CapabilityError | undefined {
  const failures = settled.flatMap(({ failure }) => failure ?? []);
  if (failures.length < settled.length) return undefined;
  return failures.find(({ code }) => code !== "UPSTREAM_RATE_LIMIT") ?? failures[0];
}

/** A failure as a section of a result shows it. */
export const errorOf = (failure: CapabilityError | undefined) =>
  failure ? { code: failure.code, message: failure.message } : null;
