import { CapabilityError } from "../errors.js";

/** For what a result can do without: `instead` when its upstream fails, and `onFailure` is told. */
export async function orElse<T>(work: Promise<T>, instead: T, onFailure: () => void): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!CapabilityError.is(error)) throw error;
    onFailure();
    return instead;
  }
}
