/** Lists of those who wait, one for each caller, with a bound for one and for all. */

export interface Waiting {
  /** Bytes that it keeps in memory while it waits. */
  readonly bytes: number;
  /** Called when it loses its place. */
  refuse(): void;
}

export interface PlacesOptions {
  /** Places of one caller. Callers without a name have no bound of their own, because they may be many. */
  maxOfOne: number;
  max: number;
  maxBytes: number;
}

export interface Places<T extends Waiting> {
  /** Who waits, by caller, in the order of their turns. */
  readonly lists: ReadonlyMap<string | undefined, readonly T[]>;
  readonly count: number;
  /**
   * False if all places are taken. Of a full line, the caller who has most in it loses its last place to one who has less,
   * because a few callers could keep all others out otherwise.
   */
  enter(caller: string | undefined, one: T): boolean;
  /** Back to its former place in front of its caller's list, whatever waits. */
  enterFirst(caller: string | undefined, one: T): void;
  /** Takes it out; false if it does not wait. Its caller's others wait for a later turn. */
  leave(caller: string | undefined, one: T): boolean;
  /** Takes out all. */
  clear(): T[];
}

type Measured = readonly Pick<Waiting, "bytes">[];
const bytesOf = (list: Measured): number => list.reduce((sum, { bytes }) => sum + bytes, 0);
const countOf = (list: Measured): number => list.length;

export function createPlaces<T extends Waiting>({ maxOfOne, max, maxBytes }: PlacesOptions): Places<T> {
  const lists = new Map<string | undefined, T[]>();
  let [count, held] = [0, 0];

  function put(caller: string | undefined, list: T[], by: number, bytes: number): void {
    if (list.length > 0) lists.set(caller, list);
    count += by;
    held += bytes;
  }

  function leave(caller: string | undefined, one: T): boolean {
    const list = lists.get(caller) ?? [];
    if (!list.includes(one)) return false;
    // To the end of the line.
    lists.delete(caller);
    put(
      caller,
      list.filter((other) => other !== one),
      -1,
      -one.bytes,
    );
    return true;
  }

  /** The measure of which there is too much; what is larger than all may hold waits alone. */
  function excess(bytes: number): typeof countOf | undefined {
    if (count >= max) return countOf;
    // guard: wallets: long bodies that wait hold no more than 64 MB | gone | fair-line
    return held > 0 && held + bytes > maxBytes ? bytesOf : undefined;
  }

  /** False if the newcomer would have the most itself. */
  function makeRoom(asked: Measured, bytes: number): boolean {
    for (let measure = excess(bytes); measure; measure = excess(bytes)) {
      const [[caller, list] = [undefined, []]] = [...lists].sort(([, a], [, b]) => measure(b) - measure(a));
      // guard: wallets: a full line of long bodies has room for a caller with none in it | always | fair-line
      if (measure(list) <= measure(asked)) return false;
      const last = list.at(-1);
      if (!last || !leave(caller, last)) return false;
      last.refuse();
    }
    return true;
  }

  return {
    lists,
    get count() {
      return count;
    },
    enter(caller, one) {
      const own = lists.get(caller) ?? [];
      if (caller !== undefined && own.length >= maxOfOne) return false;
      if (!makeRoom([...own, one], one.bytes)) return false;
      put(caller, [...(lists.get(caller) ?? []), one], 1, one.bytes);
      return true;
    },
    enterFirst(caller, one) {
      put(caller, [one, ...(lists.get(caller) ?? [])], 1, one.bytes);
    },
    leave,
    clear() {
      const all = [...lists.values()].flat();
      lists.clear();
      [count, held] = [0, 0];
      return all;
    },
  };
}
