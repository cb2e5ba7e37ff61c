/**
 * Reads a source as it comes, ahead of a slow reader, so that the source ends as soon as it can. What waits is bounded, for each
 * reader and for those who share a room: where it is full, the sources of those who leave most unread pause.
 */

export interface ReadAheadOptions<T> {
  /** Size of an item in memory, about. */
  sizeOf(item: T): number;
  /** Two items as one, where many wait; undefined if they stay apart. */
  join(first: T, second: T): T | undefined;
  /** Size of what may wait; the source waits beyond it. */
  most: number;
  /** Shared with others. */
  room: UnreadRoom;
}

/** A bound of what waits for many readers together. */
export interface UnreadRoom {
  /** Whether a source that leaves so much unread has to pause. */
  isTooMuch(size: number): boolean;
  /** Counts by how much more or less waits for one reader, whose source's `onRoom` is called when others made room. */
  change(onRoom: () => void, by: number): void;
  /** Forgets a reader. */
  leave(onRoom: () => void): void;
}

/** A full room is shared in equal parts, so that who leaves less than a part unread never pauses. */
export function createUnreadRoom(most: number): UnreadRoom {
  const sizes = new Map<() => void, number>();
  let total = 0;

  function change(onRoom: () => void, by: number): void {
    const wasFull = total > most;
    const size = (sizes.get(onRoom) ?? 0) + by;
    if (size > 0) sizes.set(onRoom, size);
    else sizes.delete(onRoom);
    total += by;
    if (wasFull && by < 0) for (const tell of [...sizes.keys()]) tell();
  }

  return {
    isTooMuch: (size) => total > most && size > most / sizes.size,
    change,
    leave: (onRoom) => change(onRoom, -(sizes.get(onRoom) ?? 0)),
  };
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

export function createAhead<T>({ sizeOf, join, most, room }: ReadAheadOptions<T>): Ahead<T> {
  const waiting: T[] = [];
  let size = 0;
  let ended: { error?: unknown } | undefined;
  let hasLeft = false;
  let onItem = () => {};
  let resume = () => {};
  const onRoom = () => resume();

  function grow(by: number): void {
    size += by;
    room.change(onRoom, by);
  }

  function keep(item: T): void {
    const last = waiting.at(-1);
    const joined = last !== undefined && waiting.length >= JOINED_FROM ? join(last, item) : undefined;
    if (last === undefined || joined === undefined) {
      waiting.push(item);
      grow(sizeOf(item));
      return;
    }
    waiting[waiting.length - 1] = joined;
    grow(sizeOf(joined) - sizeOf(last));
  }

  return {
    async put(item) {
      if (hasLeft) return;
      keep(item);
      onItem();
      while ((size > most || room.isTooMuch(size)) && !hasLeft)
        await new Promise<void>((resolve) => {
          resume = resolve;
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
            grow(-sizeOf(item));
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
        waiting.length = 0;
        room.leave(onRoom);
        onRoom();
      }
    },
  };
}
