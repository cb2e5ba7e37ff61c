/**
 * Spending limits of a client. A payment counts from its signature until its cost is known, so that retries, lost
 * replies and concurrent calls cannot exceed the limit.
 */
import { CapabilityError } from "../errors.js";
import { fromMicros, least, type Micros } from "../lib/money.js";
import type { Spending } from "./types.js";

export interface Hold {
  readonly amount: Micros;
  /** Reduces the hold, because less was signed than reserved. */
  lower(amount: Micros): void;
  /** Ends the hold with the cost of the call, at most the reserved amount; 0 if nothing was signed. */
  settle(cost: Micros): void;
  /**
   * Keeps the hold of a payment with an unknown outcome. With a time (epoch milliseconds) the payment is void from then
   * on unless it was settled; since only the service says so, that frees no more than the total limit in all.
   */
  keep(until?: number): void;
  /** Resumes a kept hold, because its payment is sent again. */
  resume(): void;
}

export interface Budget {
  /** Whether there is any limit on such a call. */
  limits(call: CallLimits): boolean;
  /** Waits while running calls may still release enough. Rejects with SPENDING_LIMIT if the amount exceeds a limit. */
  reserve(amount: Micros, limits?: CallLimits): Promise<Hold>;
  /** Reserves the most that a call may cost now, for a payment that another party signs. */
  reserveMost(limits?: CallLimits): Promise<Hold>;
  spending(): Spending;
}

export interface CallLimits {
  signal?: AbortSignal | undefined;
  endpoint?: { readonly id: string };
  /** The most that this call may cost, in addition to the limits of every call. */
  most?: Micros | undefined;
}

interface Limits {
  perCall: Micros | undefined;
  total: Micros | undefined;
}

const lowerLimit = (one: Micros | undefined, other: Micros | undefined): Micros | undefined =>
  one !== undefined && other !== undefined ? least(one, other) : (one ?? other);

type State = "running" | "kept" | { until: number };

export function createBudget({ perCall, total }: Limits, now: () => number = () => Date.now()): Budget {
  const holds = new Map<Hold, State>();
  const waiting: (() => void)[] = [];
  let spent = 0n;
  /** Amounts of payments that are void by their time, according to the service. */
  let lapsed = 0n;

  const changed = () => {
    for (const wake of waiting.splice(0)) wake();
  };
  const held = (): Micros => {
    for (const [hold, state] of holds) {
      if (typeof state !== "object" || state.until > now()) continue;
      // guard: client: what a service denies frees no more than the total in all | gone | client/hostile
      if (total !== undefined && lapsed + hold.amount > total) continue;
      lapsed += hold.amount;
      holds.delete(hold);
    }
    return [...holds.keys()].reduce((sum, { amount }) => sum + amount, 0n);
  };
  const running = () => [...holds.values()].includes("running");

  function open(reserved: Micros): Hold {
    let amount = reserved;
    const hold: Hold = {
      get amount() {
        return amount;
      },
      lower(to) {
        amount = least(amount, to);
      },
      settle(cost) {
        holds.delete(hold);
        spent += cost < 0n ? 0n : least(cost, amount);
        changed();
      },
      keep(until) {
        holds.set(hold, until === undefined ? "kept" : { until });
        changed();
      },
      resume: () => void holds.set(hold, "running"),
    };
    holds.set(hold, "running");
    return hold;
  }

  /** Resolves when a running call ends; rejects when the caller leaves. */
  function change(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => reject(signal?.reason);
      if (signal?.aborted) return leave();
      signal?.addEventListener("abort", leave, { once: true });
      waiting.push(() => {
        signal?.removeEventListener("abort", leave);
        resolve();
      });
    });
  }

  function refuseTotal(amount: Micros, limit: Micros): never {
    const spending = `${fromMicros(spent)} USD are spent and ${fromMicros(held())} USD signed for calls not known to be free`;
    throw aboveLimit(
      "maxTotalUsd",
      limit,
      `This call costs ${fromMicros(amount)} USD, above what maxTotalUsd, ${fromMicros(limit)} USD, leaves: ${spending}.`,
    );
  }

  const refuseOne = (option: "maxUsd" | "maxPerCallUsd", amount: Micros, limit: Micros) =>
    aboveLimit(option, limit, `This call costs ${fromMicros(amount)} USD, above ${option}, ${fromMicros(limit)} USD.`);

  return {
    limits: () => perCall !== undefined || total !== undefined,
    async reserve(amount, { signal, most } = {}) {
      if (most !== undefined && amount > most) throw refuseOne("maxUsd", amount, most);
      if (perCall !== undefined && amount > perCall) throw refuseOne("maxPerCallUsd", amount, perCall);
      while (total !== undefined && spent + held() + amount > total) {
        if (spent + amount > total || !running()) refuseTotal(amount, total);
        await change(signal);
      }
      return open(amount);
    },
    async reserveMost({ signal, most } = {}) {
      const ofOne = lowerLimit(most, perCall);
      if (total === undefined) return open(ofOne ?? 0n);
      for (;;) {
        const left = total - spent - held();
        const wanted = least(ofOne ?? total, total - spent);
        if (left >= wanted || !running()) return open(left > 0n ? least(left, wanted) : 0n);
        await change(signal);
      }
    },
    spending: () => ({ spentUsd: fromMicros(spent), heldUsd: fromMicros(held()) }),
  };
}

/** Names the option that refused, for callers who set it under another name. */
const aboveLimit = (option: string, limit: Micros, message: string) =>
  new CapabilityError("SPENDING_LIMIT", message, {
    issues: [{ path: option, message: `allows ${fromMicros(limit)} USD` }],
  });
