/** A second upstream for when the first one is down. */
import { CapabilityError } from "../errors.js";

/** Down: it failed, took too long, or sent what nobody can read. One that is not configured or refuses a key is not down. */
export function isDown(error: unknown): boolean {
  if (!CapabilityError.is(error)) return false;
  return error.code === "UPSTREAM_ERROR" || error.code === "UPSTREAM_TIMEOUT" || error.code === "UPSTREAM_SCHEMA";
}

/** What else than being down lets the second source stand in. */
export interface FailoverOptions {
  /** Also when the first takes no more requests for now. */
  whenBusy?: boolean;
  /** Also when the first wants a key, or another one: for sources that serve the same for nothing. */
  whenNotConfigured?: boolean;
}

/** The first source's answer, or the second's while the first is down. If both fail, the first failure says more. */
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
