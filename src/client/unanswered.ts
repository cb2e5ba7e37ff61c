/** Amounts paid, or signed and sent, within the last hour without an answer. */
import type { Micros } from "../lib/money.js";

export interface Unanswered {
  /** Adds a purchase whose reply was lost; a repetition counts once. */
  add(purchase: object | string, amount: Micros): void;
  /** Removes a purchase that was answered after all. */
  remove(purchase: object | string): void;
  sum(): Micros;
}

const HOUR_MS = 3_600_000;
/** Beyond this number the oldest are forgotten. */
const MAX_KEPT = 10_000;

export function createUnanswered(now: () => number = () => Date.now()): Unanswered {
  // In the order of their times.
  const lost = new Map<object | string, { amount: Micros; at: number }>();
  let total = 0n;

  function remove(purchase: object | string): void {
    total -= lost.get(purchase)?.amount ?? 0n;
    lost.delete(purchase);
  }
  return {
    add(purchase, amount) {
      if (lost.has(purchase)) return;
      const [oldest] = lost.keys();
      if (oldest !== undefined && lost.size >= MAX_KEPT) remove(oldest);
      lost.set(purchase, { amount, at: now() });
      total += amount;
    },
    remove,
    sum() {
      for (const [purchase, { at }] of lost) {
        if (at > now() - HOUR_MS) break;
        remove(purchase);
      }
      return total;
    },
  };
}
