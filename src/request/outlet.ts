/** The body of a streamed answer. Its reader sets the pace: nothing is made ahead of what is read. */

/** A reader that takes nothing for so long is taken for gone, because it holds work and money up. */
const STALL_MS = 30_000;
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
      const stall = setTimeout(() => {
        leave();
        controller.error(new Error("The reader of a stream took nothing for too long."));
      }, STALL_MS);
      const done = () => {
        clearTimeout(stall);
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
      if (gone.signal.aborted) return;
      controller.close();
      onTaken?.();
    },
  };
}
