/** Turns on the single connection of the embedded database: payments first, and wallets one after another. */
import { once } from "../../../lib/lazy.js";

/**
 * Statements of payments on their way at once. They run one after another in the thread, which would otherwise wait for
 * this thread between any two of them; the bound keeps the last one within its time limit.
 */
const MAX_URGENT = 8;

export interface Turns {
  /** Single short statements, which begin before all other work that waits. */
  urgent<T>(work: (isLast: () => void) => Promise<T>): Promise<T>;
  /**
   * A statement or a transaction: nothing else begins before it ends, or before it calls `isLast` because its last
   * statement has left, behind which others may follow.
   */
  alone<T>(work: (isLast: () => void) => Promise<T>): Promise<T>;
  /** Amount of work that has not begun. */
  waiting(): number;
  /** Resolves as soon as nothing runs or waits. */
  idle(): Promise<void>;
}

export function createTurns(): Turns {
  const urgent: (() => Promise<void>)[] = [];
  const others: (() => Promise<void>)[] = [];
  let running = 0;
  let isAlone = false;
  let ends: (() => void)[] = [];

  function next(): void {
    while (!isAlone) {
      const isUrgent = urgent.length > 0;
      if (isUrgent && running >= MAX_URGENT) return;
      // It may begin behind urgent statements, which end before it in the thread.
      // guard: wallets: a payment's statement overtakes what waits of wallets |
      //   urgent.shift() ?? others -> others.shift() ?? urgent | state/turns
      const begin = urgent.shift() ?? others.shift();
      if (!begin) break;
      running++;
      // guard: wallets: nothing begins behind a wallet's statement | = false | state/turns
      isAlone = !isUrgent;
      void begin();
    }
    if (running > 0) return;
    for (const end of ends) end();
    ends = [];
  }

  const line = (waiting: (() => Promise<void>)[], ended: () => void) =>
    function add<T>(work: (isLast: () => void) => Promise<T>): Promise<T> {
      return new Promise((resolve, reject) => {
        waiting.push(async () => {
          // guard: wallets: the end of a transaction is not the end of the next one | - once | state/turns
          const isLast = once(() => {
            ended();
            next();
          });
          await work(isLast).then(resolve, reject);
          running--;
          isLast();
          next();
        });
        next();
      });
    };

  return {
    urgent: line(urgent, () => {}),
    alone: line(others, () => {
      isAlone = false;
    }),
    waiting: () => urgent.length + others.length,
    idle: () => (running === 0 ? Promise.resolve() : new Promise((resolve) => ends.push(resolve))),
  };
}
