/** Reads a source as it comes, ahead of a slow reader, so that the source ends as soon as it can. What waits is bounded. */

export interface ReadAheadOptions<T> {
  /** Size of an item in memory, about. */
  sizeOf(item: T): number;
  /** Two items as one, where many wait; undefined if they stay apart. */
  join(first: T, second: T): T | undefined;
  /** Size of what may wait; the source waits beyond it. */
  most: number;
}

export interface Ahead<T> {
  /** Takes an item of the source. Resolves when there is room for the next, or the reader has left. */
  put(item: T): Promise<void>;
  /** Ends the source, with an error if it broke off, which follows what waits. */
  end(error?: unknown): void;
  /** The items for the one reader. */
  items(): AsyncGenerator<T, void, void>;
}

/** From so many items on, neighbours are joined: their number costs more memory than what they say. */
const JOINED_FROM = 64;

export function createAhead<T>({ sizeOf, join, most }: ReadAheadOptions<T>): Ahead<T> {
  const waiting: T[] = [];
  let size = 0;
  let ended: { error?: unknown } | undefined;
  let hasLeft = false;
  let onItem = () => {};
  let onRoom = () => {};

  function keep(item: T): void {
    const last = waiting.at(-1);
    const joined = last !== undefined && waiting.length >= JOINED_FROM ? join(last, item) : undefined;
    if (last === undefined || joined === undefined) {
      waiting.push(item);
      size += sizeOf(item);
      return;
    }
    waiting[waiting.length - 1] = joined;
    size += sizeOf(joined) - sizeOf(last);
  }

  return {
    async put(item) {
      if (hasLeft) return;
      keep(item);
      onItem();
      while (size > most && !hasLeft)
        await new Promise<void>((resolve) => {
          onRoom = resolve;
        });
    },
    end(error) {
      ended ??= error === undefined ? {} : { error };
      onItem();
    },
    async *items() {
      try {
        for (;;) {
          const item = waiting.shift();
          if (item !== undefined) {
            size -= sizeOf(item);
            onRoom();
            yield item;
          } else if (ended) {
            if ("error" in ended) throw ended.error;
            return;
          } else
            await new Promise<void>((resolve) => {
              onItem = resolve;
            });
        }
      } finally {
        hasLeft = true;
        onRoom();
      }
    },
  };
}
