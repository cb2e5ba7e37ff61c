import { CapabilityError } from "../errors.js";

/**
 * For a part that a result can do without: resolves to `instead` while its upstream is down or busy, and calls
 * `onFailure`. Rejects for an answer of unknown format, because that is not temporary, and the part would be missing
 * from every result.
 */
export async function optional<T>(work: Promise<T>, instead: T, onFailure: () => void): Promise<T> {
  try {
    return await work;
  } catch (error) {
    // guard: a part of another form ends the call | - || error.code === "UPSTREAM_SCHEMA" | capability/facts
    if (!CapabilityError.is(error) || error.code === "UPSTREAM_SCHEMA") throw error;
    onFailure();
    return instead;
  }
}
