/** Uses a second upstream while the first one is down. */
import { CapabilityError } from "../errors.js";

/** Whether the upstream failed, timed out, or sent an unreadable answer. A missing or refused key does not count. */
export function isDown(error: unknown): boolean {
  if (!CapabilityError.is(error)) return false;
  return error.code === "UPSTREAM_ERROR" || error.code === "UPSTREAM_TIMEOUT" || error.code === "UPSTREAM_SCHEMA";
}

/** Further reasons to use the second source. */
export interface FailoverOptions {
  /** Also if the first accepts no more requests at the moment. */
  whenBusy?: boolean;
  /** Also if the first needs a key, or another one: for second sources that serve the same data without a key. */
  whenNotConfigured?: boolean;
}

/**
 * The first source's answer, or the second's while the first is down. If both fail, the first error is reported,
 * because it says more.
 */
export async function failover<T>(
  first: () => Promise<T>,
  second: (() => Promise<T>) | undefined,
  { whenBusy = false, whenNotConfigured = false }: FailoverOptions = {},
): Promise<T> {
  try {
    return await first();
  } catch (error) {
    const code = CapabilityError.is(error) ? error.code : undefined;
    const also =
      (whenBusy && code === "UPSTREAM_RATE_LIMIT") || (whenNotConfigured && code === "PROVIDER_NOT_CONFIGURED");
    if (!second || !(also || isDown(error))) throw error;
    return second().catch(() => Promise.reject(error));
  }
}
