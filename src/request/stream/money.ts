/** Money of a stream under way: vouchers for its next parts, and the record of what a crash must not lose. */
import { fromMicros, type Micros } from "../../lib/money.js";
import type { Call } from "../call.js";
import { writeOutcome } from "../respond.js";
import { BROKE_OFF, errorData, errorEvent, LEFT, UNPAID } from "./endings.js";
import { outcomeOf, type Sending, type Sent } from "./settle.js";

/** A crash loses at most this share of the price, or half of what was sent. */
const FIRST_SHARE = 16n;

export interface StreamMoney {
  /**
   * Waits until vouchers cover what was sent together with the next chunk. Rejects if none comes, or the reader leaves.
   */
  cover(sent: Sent, needed: Micros | undefined): Promise<void>;
  /** Notes what was sent, and saves it each time that it has doubled: a few writes for a stream of any length. */
  sent(cost: Micros | undefined): void;
  /** Resolves when everything noted so far is saved. */
  saved(): Promise<void>;
}

export function createMoney(call: Call, sending: Sending): StreamMoney {
  const { order, grant, outlet } = sending;
  const { parts } = grant;
  let saveAt = order.amount / FIRST_SHARE || 1n;
  let saved: Promise<void> = Promise.resolve();

  function save(charge: Micros): Promise<void> {
    // guard: a long stream is written a few times | = charge | stream-crash
    saveAt = 2n * charge;
    const bill = { authorized: parts?.covered ?? order.amount, charge, estimated: false, excess: 0n };
    const ending = order.capability.factsIn
      ? { events: "", last: { event: "error" as const, data: errorData(call, BROKE_OFF) } }
      : { events: errorEvent(call, BROKE_OFF) };
    const outcome = outcomeOf(call, sending, { bill, ...ending });
    const write = saved.then(() => grant.advance?.(charge, writeOutcome(outcome)));
    // A stream whose progress cannot be saved goes on, because its end is saved anyway.
    saved = write.catch((error: unknown) => {
      call.host.options.logger.warn({ requestId: call.requestId, error }, "the progress of a stream was not saved");
    });
    return write;
  }

  return {
    // guard: a chunk without a reported cost wants the whole price | order.amount -> 0n | stream-parts
    async cover(sent, cost = order.amount) {
      // guard: a stream sends nothing that its vouchers do not pay for | always | stream-parts
      if (!parts || cost <= parts.covered) return;
      const due = sent.cost ?? 0n;
      const ask = async () => {
        // Saved before, so that a crash charges what the vouchers so far have paid for.
        if (due > 0n) await save(due);
        const next = parts.asked(cost);
        const told = {
          stream: parts.id,
          dueUsd: fromMicros(due),
          paidUsd: fromMicros(parts.covered),
          next: next.toString(),
          nextUsd: fromMicros(next),
          waitSeconds: parts.waitMs / 1000,
        };
        if (cost > parts.covered) await outlet.send(`event: payment\ndata: ${JSON.stringify(told)}\n\n`);
      };
      if (await parts.await(cost, { ask, signal: outlet.gone })) return;
      sent.made = cost;
      throw outlet.gone.aborted ? LEFT : UNPAID;
    },
    sent(cost) {
      if (grant.advance && cost !== undefined && cost >= saveAt) save(cost).catch(() => {});
    },
    saved: () => saved,
  };
}
