/** Runs work one at a time: callers take turns, so that a caller with much work delays only itself. */
import { CapabilityError } from "../../errors.js";
import { createPlaces, type Waiting } from "./places.js";

/** Waiting work is held in memory. */
const MAX_OF_ONE = 16;
const MAX_WAITING = 200;
const MAX_BYTES = 64 * 2 ** 20;

interface Work extends Waiting {
  run(): Promise<void>;
}

export interface FairLine {
  /**
   * Runs a caller's work, which holds so many bytes, when its turn comes. Rejects with OVERLOADED if too much is waiting, of
   * this caller or in total; of a full line, the caller who has most in it loses its last work to one who has less.
   * Callers without a name share one turn, and only the totals limit them.
   */
  add<T>(caller: string | undefined, bytes: number, work: () => Promise<T>): Promise<T>;
}

export function createFairLine(): FairLine {
  const places = createPlaces<Work>({ maxOfOne: MAX_OF_ONE, max: MAX_WAITING, maxBytes: MAX_BYTES });
  let isBusy = false;

  async function serve(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    for (let [next] = places.lists; next; [next] = places.lists) {
      const [caller, [first]] = next;
      if (!first || !places.leave(caller, first)) break;
      await first.run();
    }
    isBusy = false;
  }

  return {
    add: (caller, bytes, work) =>
      new Promise((resolve, reject) => {
        const refuse = () => reject(overloaded());
        if (!places.enter(caller, { bytes, refuse, run: () => work().then(resolve, reject) })) refuse();
        else void serve();
      }),
  };
}

const overloaded = () =>
  new CapabilityError("OVERLOADED", "Too many large requests wait to be read; send it again shortly.", {
    excused: true,
    retryAfter: 1,
  });
