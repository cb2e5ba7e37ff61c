/** The work of a stream: its chunks, one after the other, within the time limit of the call. */
import type { CallContext } from "../../capability/context.js";
import { timeUp } from "../../lib/abort.js";
import type { Micros } from "../../lib/money.js";
import { type Grant, type Order, READER_MS } from "../../payment/order/order.js";
import type { Call } from "../call.js";
import { contextOf, type Preparation } from "../run.js";

export type Step = IteratorResult<unknown, unknown>;

/** The work of a stream. Until it begins to leave, the caller's leaving ends it. */
export interface Work {
  readonly ctx: CallContext;
  /** Runs until the first chunk. */
  begin(): Promise<void>;
  /** The first chunk, and then one after the other. */
  next(): Promise<Step>;
  stop(): void;
  /** The sum that is owed for work that breaks off now, if it told so. */
  readonly owed: Micros | undefined;
}

/** A stream to be made: who ordered it, and the work before its price was known. */
export interface StreamOrder {
  order: Order;
  grant: Grant;
  prepared: Preparation | undefined;
}

export function openWork(call: Call, { order, grant, prepared }: StreamOrder): Work {
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  const spentMs = prepared?.tookMs ?? 0;
  // guard: a reader's pauses take none of the work's time | = 0 | handler/stream
  const readerMs = READER_MS + (grant.parts?.waitMs ?? 0);
  const ctx = contextOf(call, { order, grant, spentMs, own: stopped.signal, readerMs });
  let leftMs = order.capability.timeoutMs - spentMs;
  const { executeStream } = order.capability;
  const chunks = (executeStream as NonNullable<typeof executeStream>)(order, ctx, prepared?.result);
  let isOver = false;
  let first: Promise<Step> | undefined;
  /** The next chunk, within the time limit of the work. The reader's time is limited by itself, or a slow one would break work off. */
  async function make(): Promise<Step> {
    const since = performance.now();
    // guard: a stream's work has its time limit beside its reader's | returns timeUp() | handler/stream
    const timer = setTimeout(() => stopped.abort(timeUp()), leftMs);
    timer.unref();
    try {
      return await chunks.next();
    } finally {
      clearTimeout(timer);
      leftMs -= performance.now() - since;
    }
  }
  return {
    ctx,
    async begin() {
      const { signal } = call.request;
      if (signal.aborted) stop();
      signal.addEventListener("abort", stop, { once: true });
      first = make();
      await first.finally(() => signal.removeEventListener("abort", stop));
    },
    next() {
      const step = first ?? make();
      first = undefined;
      return step;
    },
    get owed() {
      const { owed } = ctx.meter;
      return owed === undefined ? undefined : order.prices.withMarkup(owed, order.capability);
    },
    stop() {
      if (!isOver) call.host.budgets?.spend(order.capability, [], ctx);
      isOver = true;
      stop();
      ctx.end();
      chunks.return(undefined).catch(() => {});
    },
  };
}
