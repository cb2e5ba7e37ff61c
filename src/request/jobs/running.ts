/** The way of a job to its end, in the process that works on it. */
import { CapabilityError } from "../../errors.js";
import type { Host } from "../../host/host.js";
import { HOUR_MS } from "../../lib/time.js";
import { pending } from "../../payment/record/pending.js";
import type { Call } from "../call.js";
import { type AnyResponse, isResponse } from "../http/exchange.js";
import { readOutcome } from "../respond.js";
import { replyOf } from "./answers.js";
import { announce, callBack } from "./callback.js";
import { type HeldJob, holdJob } from "./held-job.js";
import { DUE_MS, type FoundJob, JOB_KEPT_MS, type JobRecord, removeJobInput } from "./record.js";

/** A count that a crash left ends with it. */
export const COUNTED_MS = HOUR_MS;
/** Until a call is begun again whose end is not known yet. */
const AGAIN_MS = 10_000;
const MOST_DETAIL = 2000;

export const openOf = (payer: string) => `jobs-open:${payer}`;

/** Counts as a failure of its payer, for whom the work was done in vain. */
export const cancelled = () => new CapabilityError("ANSWER_NOT_KEPT", "The job was cancelled before it was done.");

type End = Pick<JobRecord, "state" | "end">;

/** Forgets the request of a job that has ended, and counts it no longer. */
export async function closeJob(host: Host, id: string, { payer }: JobRecord): Promise<void> {
  await Promise.all([removeJobInput(host, id), host.store.increment(openOf(payer), -1, { ttlMs: COUNTED_MS })]);
}

export interface Running {
  readonly record: JobRecord;
  /** Whether its caller cancelled it. */
  readonly isCancelled: boolean;
  progress(done: number, steps: number): void;
  /** Rejects if it was cancelled, or is another process's, so that nothing is charged. */
  finish(): Promise<void>;
  /** Stores how it ended; `isBegun` if its payment was held. */
  end(call: Call, answer: AnyResponse, isBegun: boolean): Promise<void>;
}

export function runningJob(
  call: Pick<Call, "host">,
  id: string,
  first: FoundJob,
  controller: AbortController,
): Running {
  const { host } = call;
  const held: HeldJob = holdJob(host, id, first, ({ isCancelAsked, end }) => {
    if (held.isLost || isCancelAsked || end) controller.abort(cancelled());
  });
  const isCancelled = () => held.record.isCancelAsked === true || held.record.state === "cancelled";

  /** Its end: undefined while that is not known, so that it is begun again. */
  async function endOf(call: Call, answer: AnyResponse, isBegun: boolean): Promise<End | undefined> {
    const { status } = answer;
    const { code = "PAYMENT_REQUIRED" } = call.event;
    const isTooOld = host.now() - held.record.createdAt > JOB_KEPT_MS;
    // guard: jobs: a settlement that is not known yet is looked for again | = false | job-secrets
    const isOpen = code === "SETTLEMENT_PENDING" || (!isBegun && (status >= 500 || status === 429));
    if (status >= 400 && isOpen && !isTooOld) return undefined;
    const error = status < 400 ? {} : { error: { status, code, detail: detailOf(answer) } };
    const end = { at: host.now(), costUsd: await costOf(call, status), ...error };
    if (isCancelled()) return { state: "cancelled", end };
    return { state: status < 400 ? "done" : "failed", end };
  }

  /** The cost of its answer, which an earlier run may have made. */
  async function costOf({ event }: Call, status: number): Promise<string> {
    if (event.outcome !== "replayed") return status === 402 ? "0" : (event.chargedUsd ?? "0");
    const { delivery } = (await replyOf(host, held.record)) ?? {};
    return delivery && !delivery.failure ? (readOutcome(delivery.outcome).meta.costUsd ?? "0") : "0";
  }

  async function store(asked: Call, answer: AnyResponse, isBegun: boolean): Promise<void> {
    const end = await endOf(asked, answer, isBegun);
    if (!end)
      return void (await held.change((last) => ({ ...last, leaseUntil: 0, attempts: 0 }), host.now() + AGAIN_MS));
    const call = held.isLost ? undefined : await announce(host, id, { ...held.record, ...end });
    // The end of one that was cancelled is written already.
    if ((await held.change((last) => ({ ...last, ...end, leaseUntil: 0 }))) || held.record.end)
      await closeJob(host, id, held.record);
    if (call !== undefined) await callBack(host, call);
  }

  return {
    get record() {
      return held.record;
    },
    get isCancelled() {
      return isCancelled();
    },
    progress(done, steps) {
      // Only its end is all of it.
      const part = Math.floor((done / steps) * 100) / 100;
      if (part >= 0 && part <= 1) held.note(Math.min(part, 0.99));
    },
    async finish() {
      if (held.record.state === "finishing") return;
      // guard: jobs: of the end of a job and its cancelling one comes first | = true | job-cancel
      const isOurs = await held.change((last) => ({ ...last, state: "finishing" }), host.now() + DUE_MS);
      if (isOurs) return;
      throw isCancelled() ? cancelled() : pending("Another process goes on with this job.");
    },
    end: (call, answer, isBegun) =>
      store(call, answer, isBegun)
        .catch((error: unknown) =>
          host.options.logger.error({ error }, "jobs: the end of a job was not stored; the next round finds it again"),
        )
        .finally(() => held.leave()),
  };
}

/** The reason of a problem document, or of a 402. */
function detailOf(answer: AnyResponse): string {
  if (isResponse(answer) || typeof answer.body !== "string") return "";
  const { detail, error } = JSON.parse(answer.body) as { detail?: unknown; error?: unknown };
  return String(detail ?? error ?? "").slice(0, MOST_DETAIL);
}
