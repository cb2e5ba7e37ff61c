/** Runs work one at a time: callers take turns, so that a caller with much work delays only itself. */
import { CapabilityError } from "../../errors.js";

/** Waiting work is held in memory. */
const MAX_OF_ONE = 16;
const MAX_WAITING = 200;

interface Waiting {
  work(): Promise<void>;
  refuse(): void;
}

export interface FairLine {
  /**
   * Runs a caller's work when its turn comes. Rejects with OVERLOADED if too much is waiting, of this caller or in
   * total; of a full line, the caller who has most in it loses its last work to one who has less. Callers without a name
   * share one turn, and only the total limits them.
   */
  add<T>(caller: string | undefined, work: () => Promise<T>): Promise<T>;
}

export function createFairLine(): FairLine {
  /** Waiting callers in the order of their turns. */
  const waiting = new Map<string | undefined, Waiting[]>();
  let isBusy = false;
  let count = 0;

  async function serve(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    for (let [next] = waiting; next; [next] = waiting) {
      const [caller, [first, ...rest]] = next;
      // To the end of the line.
      waiting.delete(caller);
      if (rest.length > 0) waiting.set(caller, rest);
      count--;
      await first?.work();
    }
    isBusy = false;
  }

  /** A few callers could keep all others out of a full line otherwise. */
  function makeRoom(own: number): boolean {
    const most = [...waiting.values()].reduce((longest, list) => (list.length > longest.length ? list : longest), []);
    if (most.length < own + 2) return false;
    most.pop()?.refuse();
    count--;
    return true;
  }

  return {
    async add(caller, work) {
      const own = waiting.get(caller)?.length ?? 0;
      if (caller !== undefined && own >= MAX_OF_ONE) throw overloaded();
      if (count >= MAX_WAITING && !makeRoom(own)) throw overloaded();
      count++;
      return new Promise((resolve, reject) => {
        const mine: Waiting = { work: () => work().then(resolve, reject), refuse: () => reject(overloaded()) };
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
