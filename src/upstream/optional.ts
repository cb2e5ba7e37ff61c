import { CapabilityError } from "../errors.js";

/**
 * For what a result can do without: `instead` while its upstream is away or busy, and `onFailure` is told. An answer in a form
 * that is not known is no failure of a moment: rejects with it, since the same part would be missing from all that is sold.
 */
export async function optional<T>(work: Promise<T>, instead: T, onFailure: () => void): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!CapabilityError.is(error) || error.code === "UPSTREAM_SCHEMA") throw error;
    onFailure();
    return instead;
  }
}
