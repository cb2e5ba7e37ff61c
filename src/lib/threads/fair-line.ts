/** Runs work one at a time: callers take turns, so that a caller with much work delays only itself. */
import { CapabilityError } from "../../errors.js";

/** Waiting work is held in memory. */
const MAX_OF_ONE = 16;
const MAX_WAITING = 200;
const MAX_BYTES = 64 * 2 ** 20;

interface Waiting {
  bytes: number;
  work(): Promise<void>;
  refuse(): void;
}

export interface FairLine {
  /**
   * Runs a caller's work, which holds so many bytes, when its turn comes. Rejects with OVERLOADED if too much is waiting, of
   * this caller or in total; of a full line, the caller who has most in it loses its last work to one who has less.
   * Callers without a name share one turn, and only the totals limit them.
   */
  add<T>(caller: string | undefined, bytes: number, work: () => Promise<T>): Promise<T>;
}

const bytesOf = (list: readonly Pick<Waiting, "bytes">[]): number => list.reduce((sum, { bytes }) => sum + bytes, 0);
const countOf = (list: readonly unknown[]): number => list.length;

export function createFairLine(): FairLine {
  /** Waiting callers in the order of their turns. */
  const waiting = new Map<string | undefined, Waiting[]>();
  let isBusy = false;
  let [count, held] = [0, 0];

  /** Takes one out of its caller's list, and leaves the rest to later turns. */
  function keep(caller: string | undefined, rest: Waiting[], taken: Waiting | undefined): void {
    // To the end of the line.
    waiting.delete(caller);
    if (rest.length > 0) waiting.set(caller, rest);
    count--;
    held -= taken?.bytes ?? 0;
  }

  async function serve(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    for (let [next] = waiting; next; [next] = waiting) {
      const [caller, [first, ...rest]] = next;
      keep(caller, rest, first);
      await first?.work();
    }
    isBusy = false;
  }

  /** The measure of which there is too much; a body that is larger than all may hold waits alone. */
  function excess(bytes: number): typeof countOf | typeof bytesOf | undefined {
    if (count >= MAX_WAITING) return countOf;
    return held > 0 && held + bytes > MAX_BYTES ? bytesOf : undefined;
  }

  /** A few callers could keep all others out of a full line otherwise. False if the newcomer would have the most itself. */
  function makeRoom(asked: readonly Pick<Waiting, "bytes">[], bytes: number): boolean {
    for (let measure = excess(bytes); measure; measure = excess(bytes)) {
      const [[caller, list] = [undefined, []]] = [...waiting].sort(([, a], [, b]) => measure(b) - measure(a));
      if (measure(list) <= measure(asked)) return false;
      const last = list.at(-1);
      keep(caller, list.slice(0, -1), last);
      last?.refuse();
    }
    return true;
  }

  return {
    async add(caller, bytes, work) {
      const own = waiting.get(caller) ?? [];
      if (caller !== undefined && own.length >= MAX_OF_ONE) throw overloaded();
      if (!makeRoom([...own, { bytes }], bytes)) throw overloaded();
      count++;
      held += bytes;
      return new Promise((resolve, reject) => {
        const refuse = () => reject(overloaded());
        const mine: Waiting = { bytes, refuse, work: () => work().then(resolve, reject) };
        waiting.set(caller, [...(waiting.get(caller) ?? []), mine]);
        void serve();
      });
    },
  };
}

const overloaded = () =>
  new CapabilityError("OVERLOADED", "Too many large requests wait to be read; send it again shortly.", {
    retryAfter: 1,
  });
