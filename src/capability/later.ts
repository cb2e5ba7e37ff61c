/**
 * What is costly to judge of an input waits until a payment for the call was verified, or its trial counted: a schema that
 * meets such a thing asks here whether it may leave it. Schemas judge without a pause, so that one place knows who asks.
 */
let judging: { leaves: boolean } | undefined;

/** Judges what is cheap, and says whether a schema left something. */
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

/** Whether the caller is one who may not cost much yet. */
export const isEarly = (): boolean => judging !== undefined;

/** Notes that something was left: all will be judged again, and in full. */
export function leave(): void {
  if (judging) judging.leaves = true;
}
