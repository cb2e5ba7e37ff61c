/**
 * Defers costly checks of an input until a payment for the call was verified or its trial counted. A schema asks
 * `isEarly` and calls `leave` to skip such a check. Schemas run synchronously, so one variable holds the state.
 */
let judging: { leaves: boolean } | undefined;

/** Runs the cheap checks, and reports whether a schema skipped a costly one. */
export function judgeCheaply<T>(judge: () => T): { judged: T; leaves: boolean } {
  const outer = judging;
  const own = { leaves: false };
  judging = own;
  try {
    const judged = judge();
    return { judged, leaves: own.leaves };
  } finally {
    judging = outer;
  }
}

/** Whether the caller has not paid yet, so that costly checks must wait. */
export const isEarly = (): boolean => judging !== undefined;

/** Records that a check was skipped: the whole input is judged again later. */
export function leave(): void {
  if (judging) judging.leaves = true;
}
