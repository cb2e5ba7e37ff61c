/** Operations of several calls in one statement. */

export interface BatchOptions<Op, Result> {
  /** Operations of one key are never in one batch. */
  keyOf(op: Op): string;
  /** Bytes that it adds to a statement; Infinity: it goes alone. */
  sizeOf(op: Op): number;
  one(op: Op): Promise<Result>;
  /**
   * Results in the order of `ops`. UNDECIDED for one that the batch left alone: it goes alone then.
   * Every operation has happened or none has, if it rejects with an error for which `isUndone` is true.
   */
  many(ops: readonly Op[]): Promise<(Result | typeof UNDECIDED)[]>;
  /** True for errors that say for certain that nothing of a batch has happened, and that one operation may have caused. */
  isUndone(error: unknown): boolean;
}

export const UNDECIDED: unique symbol = Symbol("undecided");

const MAX_ROWS = 128;
const MAX_BYTES = 512 * 1024;
/** Few, so that operations gather while a statement is on its way; more than one, so that one that hangs holds up no others. */
const MAX_IN_FLIGHT = 2;

interface Waiting<Op, Result> {
  op: Op;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Gathers operations that are asked in the same turn of the event loop, or while earlier ones are on their way. An
 * operation that fails fails alone: the others of its batch are sent again, each by itself.
 */
export function createBatches<Op, Result>(options: BatchOptions<Op, Result>): (op: Op) => Promise<Result> {
  let queue: Waiting<Op, Result>[] = [];
  let inFlight = 0;
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled || queue.length === 0 || inFlight >= MAX_IN_FLIGHT) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      const { batch, rest } = nextBatch(queue, options);
      queue = rest;
      inFlight++;
      void send(batch, options).finally(() => {
        inFlight--;
        schedule();
      });
      schedule();
    });
  }

  return (op) =>
    new Promise<Result>((resolve, reject) => {
      queue.push({ op, resolve, reject });
      schedule();
    });
}

/** The oldest operations that may go together; the others keep their order. */
function nextBatch<Op, Result>(
  queue: readonly Waiting<Op, Result>[],
  { keyOf, sizeOf }: BatchOptions<Op, Result>,
): { batch: Waiting<Op, Result>[]; rest: Waiting<Op, Result>[] } {
  const batch: Waiting<Op, Result>[] = [];
  const rest: Waiting<Op, Result>[] = [];
  const keys = new Set<string>();
  let bytes = 0;
  for (const waiting of queue) {
    const key = keyOf(waiting.op);
    const size = sizeOf(waiting.op);
    const fits = batch.length === 0 || (batch.length < MAX_ROWS && bytes + size <= MAX_BYTES);
    // guard: a batch: two operations of one key are never in one statement | - && !keys.has(key) | BATCHES
    if (fits && !keys.has(key)) {
      batch.push(waiting);
      bytes += size;
    } else rest.push(waiting);
    // One that is left for later keeps its place before those of its key.
    keys.add(key);
  }
  return { batch, rest };
}

/** Never rejects: each operation is told its own end. */
async function send<Op, Result>(
  batch: readonly Waiting<Op, Result>[],
  options: BatchOptions<Op, Result>,
): Promise<void> {
  const alone = (waiting: Waiting<Op, Result>) => options.one(waiting.op).then(waiting.resolve, waiting.reject);
  const [first] = batch;
  if (first && batch.length === 1) return alone(first);
  try {
    const results = await options.many(batch.map(({ op }) => op));
    await Promise.all(
      batch.map((waiting, i) => {
        const result = results[i] as Result | typeof UNDECIDED;
        return result === UNDECIDED ? alone(waiting) : waiting.resolve(result);
      }),
    );
  } catch (error) {
    // guard: a batch: what failed in it for one operation is repeated one by one | never | BATCHES
    // guard: a batch: what may have happened is not repeated | always | BATCHES
    if (options.isUndone(error)) await Promise.all(batch.map(alone));
    else for (const { reject } of batch) reject(error);
  }
}
