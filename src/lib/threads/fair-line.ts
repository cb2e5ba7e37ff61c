/** Runs work one at a time: callers take turns, so that a caller with much work delays only itself. */
import { CapabilityError } from "../../errors.js";

/** Waiting work is held in memory. */
const MAX_OF_ONE = 16;
const MAX_WAITING = 200;

export interface FairLine {
  /**
   * Runs a caller's work when its turn comes. Rejects with OVERLOADED if too much is waiting, of this caller or in
   * total. Callers without a name share one turn, and only the total limits them.
   */
  add<T>(caller: string | undefined, work: () => Promise<T>): Promise<T>;
}

export function createFairLine(): FairLine {
  /** Waiting callers in the order of their turns. */
  const waiting = new Map<string | undefined, (() => Promise<unknown>)[]>();
  let isBusy = false;
  let count = 0;

  async function serve(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    for (let [next] = waiting; next; [next] = waiting) {
      const [caller, [work, ...rest]] = next;
      // To the end of the line.
      waiting.delete(caller);
      if (rest.length > 0) waiting.set(caller, rest);
      count--;
      await work?.();
    }
    isBusy = false;
  }

  return {
    async add(caller, work) {
      const own = waiting.get(caller) ?? [];
      if ((caller !== undefined && own.length >= MAX_OF_ONE) || count >= MAX_WAITING)
        throw new CapabilityError("OVERLOADED", "Too many large requests wait to be read; send it again shortly.", {
          retryAfter: 1,
        });
      count++;
      return new Promise((resolve, reject) => {
        waiting.set(caller, [...own, () => work().then(resolve, reject)]);
        void serve();
      });
    },
  };
}
