/** Tells the host of refunds that stay owed: after an hour, and then once a day, since the cause will not pass by itself. */
import type { Logger } from "../../lib/logger.js";
import { fromMicros } from "../../lib/money.js";
import { DAY_MS } from "../../lib/time.js";
import type { DurableEvents } from "../events/durable-events.js";
import type { Emit } from "../events/events.js";
import { OVERDUE_MS, type Refund } from "../record/facts.js";

/** A refund, if there is one, and whose it is. */
export interface Owed {
  /** Id of the payment. */
  payment: string;
  endpoint: string;
  requestId: string;
  payer: string;
  network: string;
  refund: Refund | undefined;
  /** Since when it is owed, and when its payment was settled. Epoch milliseconds. */
  since: number;
  settledAt: number;
  /** Unique among the refunds of a request. */
  name: string;
}

export interface OverdueReport {
  /** The refund, to be written as told. */
  refund: Refund;
  /** Logs and emits it, after that. */
  report(): void;
}

/** Stores the webhook of a refund that is to be told; resolves to undefined for any other. */
export type TellOverdue = (owed: Owed) => Promise<OverdueReport | undefined>;

export interface OverdueOptions {
  emit: Emit;
  /** Absent if the host has no webhooks. */
  durable?: DurableEvents | undefined;
  now: () => number;
  logger: Logger;
}

export function createTellOverdue({ emit, durable, now, logger }: OverdueOptions): TellOverdue {
  function isDue({ state, toldAt }: Refund, since: number): boolean {
    if (state !== "owed" || now() - since < OVERDUE_MS) return false;
    // guard: what is owed for long is told once a day | DAY_MS -> 0 | RETURNS
    return toldAt === undefined || now() - toldAt >= DAY_MS;
  }

  return async function tell({ payment, endpoint, requestId, payer, network, refund, since, settledAt, name }) {
    if (!refund || !isDue(refund, since)) return undefined;
    const { amount, reason, attempts, toldAt } = refund;
    const owedUsd = fromMicros(BigInt(amount));
    const data = { endpoint, requestId, payer, network, owedUsd, since: new Date(since).toISOString() };
    // Once for each day: the time of the report before is part of its name.
    await durable?.tell("refund.owed", data, { id: `${requestId}${name}`, at: toldAt ?? since + OVERDUE_MS });
    const told = { ...refund, toldAt: now() };
    return {
      refund: told,
      report() {
        const overdue = { payment, owedUsd, payer, network, attempts, reason };
        logger.error(overdue, "payment: a refund is overdue and needs your attention");
        const facts = { kind: "refund", id: endpoint, requestId, payer, network } as const;
        emit({ ...facts, outcome: "overdue", owedUsd, durationMs: now() - settledAt });
      },
    };
  };
}
