/** Records that lists were answered without, because each lacks what tells it from others. Whoever buys the list is told how many. */

let current: { records: number } | undefined;

/** Counts records that the schema which is being read leaves out. */
export function leaveOut(records: number): void {
  if (current) current.records += records;
}

/** The value of `read`, and how many records it left out. Schemas are read without a wait, so that no other read counts here. */
export function countingLeftOut<T>(read: () => T): { value: T; leftOut: number } {
  const [outer, own] = [current, { records: 0 }];
  current = own;
  try {
    return { value: read(), leftOut: own.records };
  } finally {
    current = outer;
  }
}
