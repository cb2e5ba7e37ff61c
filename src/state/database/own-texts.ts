/** Our own texts in encrypted columns: no wallet's data, so they are stored plain. */

/**
 * In place of a result that was erased, or that is told from `facts`, which release 0.1.0 cannot read and calls erased.
 */
export const NO_RESULT = "null";

/** Notes on a queue's message that was set aside. */
export const EXHAUSTED = "out of attempts";
export const UNREADABLE = "cannot be opened now";
