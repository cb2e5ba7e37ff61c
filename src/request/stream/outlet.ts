/** The body of a streamed answer. Its reader sets the pace: nothing is made ahead of what is read. */

import { READER_MS } from "../../payment/order/order.js";

/** Proxies cut connections that are silent for longer, many after 60 seconds. */
const KEEP_ALIVE_MS = 15_000;

export interface Outlet {
  readonly body: ReadableStream<Uint8Array>;
  /** Aborted when the reader has left. */
  readonly gone: AbortSignal;
  /** Hands text to the reader once it wants some. False if the reader has left. */
  send(text: string): Promise<boolean>;
  /** Ends the body. */
  end(): void;
}

/** A body for one reader; `signal` aborts if its connection ends. */
export function createOutlet(signal: AbortSignal): Outlet {
  const gone = new AbortController();
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array>;
  let onTaken: (() => void) | undefined;
  let onWanted: (() => void) | undefined;
  /** A reader that keeps a stream waiting for longer in all is taken for gone, because it holds work and money up. */
  let patienceMs = READER_MS;

  const leave = () => gone.abort();
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave, { once: true });

  const body = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given;
      },
      // Called for each read, and not again before what it wants is there.
      pull: () =>
        new Promise<void>((resolve) => {
          onTaken = resolve;
          onWanted?.();
        }),
      cancel: leave,
    },
    { highWaterMark: 0 },
  );

  function push(text: string): void {
    const taken = onTaken;
    onTaken = undefined;
    controller.enqueue(encoder.encode(text));
    taken?.();
  }

  /** Resolves when the reader wants more, or has left. */
  const wanted = () =>
    new Promise<void>((resolve) => {
      const since = performance.now();
      const stall = setTimeout(() => {
        // guard: a reader that takes nothing counts as gone | gone | handler/stream
        leave();
        controller.error(new Error("The reader of a stream took nothing for too long."));
      }, patienceMs);
      const done = () => {
        clearTimeout(stall);
        // guard: a reader's pauses are counted together | gone | handler/stream
        patienceMs -= performance.now() - since;
        onWanted = undefined;
        gone.signal.removeEventListener("abort", done);
        resolve();
      };
      onWanted = done;
      gone.signal.addEventListener("abort", done);
    });

  // A comment, which readers of events skip.
  const beat = setInterval(() => onTaken && !gone.signal.aborted && push(": keep-alive\n\n"), KEEP_ALIVE_MS);
  beat.unref();
  gone.signal.addEventListener("abort", () => clearInterval(beat));

  return {
    body,
    gone: gone.signal,
    async send(text) {
      if (!onTaken && !gone.signal.aborted) await wanted();
      if (gone.signal.aborted) return false;
      push(text);
      return true;
    },
    end() {
      clearInterval(beat);
      signal.removeEventListener("abort", leave);
      if (gone.signal.aborted) controller.error(new Error("The reader of a stream left before its end."));
      else controller.close();
      onTaken?.();
    },
  };
}
