/** Jobs as their callers see them. */
import { createHmac } from "node:crypto";
import type { Host } from "../../host/host.js";
import { keptReply } from "../../payment/checkout/kept-reply.js";
import { storeSecret } from "../../stores/secret.js";
import { type Call, publicPrefix } from "../call.js";
import { baseHeaders } from "../headers.js";
import type { PlainResponse } from "../http/exchange.js";
import { readOutcome, respond } from "../respond.js";
import { withSignedReceipt } from "../statements.js";
import { verifiedBy } from "./callback.js";
import { jobsOf } from "./held-job.js";
import { JOB_KEPT_MS, type JobRecord } from "./record.js";

const POLL_SECONDS = 2;

/** A name that nobody can guess: whoever knows it may read and cancel the job. The same request of a payment has the same. */
export async function idFor({ store }: Host, request: string): Promise<string> {
  const secret = await storeSecret(store);
  return `job_${createHmac("sha256", secret).update(`job ${request}`).digest("base64url")}`;
}

/** No other text is a key of the store. */
export const isJobId = (id: string): boolean => /^job_[A-Za-z0-9_-]{43}$/.test(id);

export interface JobDocument {
  id: string;
  endpoint: string;
  state: "queued" | "running" | "done" | "failed" | "cancelled";
  /** From 0 to 1. */
  progress: number;
  createdAt: string;
  endedAt?: string;
  expiresAt: string;
  costUsd?: string;
  error?: { status: number; code: string; detail: string };
  /** The body of the answer: JSON, or a file or text with its type. */
  result?: unknown;
  /** The receipt of its payment, as `PAYMENT-RESPONSE` has it. */
  receipt?: string;
}

const timeOf = (ms: number): string => new Date(ms).toISOString();

/** The job without its result. */
async function documentOf(host: Host, id: string, record: JobRecord): Promise<JobDocument> {
  const { endpoint, state, end, createdAt } = record;
  const open = async () => ((await jobsOf(host).owner.isHeld(record)) ? "running" : "queued");
  return {
    id,
    endpoint,
    state: state === "running" || state === "finishing" ? await open() : state,
    progress: state === "done" ? 1 : (record.progress ?? 0),
    createdAt: timeOf(createdAt),
    ...(end ? { endedAt: timeOf(end.at) } : {}),
    expiresAt: timeOf((end?.at ?? createdAt) + JOB_KEPT_MS),
    ...(end ? { costUsd: end.costUsd, ...(end.error ? { error: end.error } : {}) } : {}),
  };
}

export async function acceptedAnswer(
  call: Call,
  id: string,
  { record, waitMs }: { record: JobRecord; waitMs: number },
): Promise<PlainResponse> {
  const applied = waitMs > 0 ? `respond-async, wait=${waitMs / 1000}` : "respond-async";
  const headers = {
    ...baseHeaders(call),
    "content-type": "application/json",
    location: `${publicPrefix(call)}${call.host.basePath}/jobs/get?id=${id}`,
    "preference-applied": applied,
    ...(record.end ? {} : { "retry-after": String(POLL_SECONDS) }),
  };
  const { callback } = record;
  const called = callback === undefined ? {} : { callback: { url: callback, ...(await verifiedBy(call.host, id)) } };
  return { status: 202, headers, body: JSON.stringify({ ...(await documentOf(call.host, id, record)), ...called }) };
}

/** The stored reply of its payment. */
export const replyOf = async ({ payments: { kept } }: Host, { reply }: JobRecord) =>
  kept && (await keptReply(kept, reply));

/** The job with its result, which is the stored reply of its payment. */
export async function wholeDocument(call: Call, id: string, record: JobRecord): Promise<JobDocument> {
  const job = await documentOf(call.host, id, record);
  if (record.state !== "done") return job;
  const kept = await replyOf(call.host, record);
  const { failure } = kept?.delivery ?? {};
  if (!kept || failure) {
    const gone = { code: "ANSWER_NOT_KEPT", message: "The result is not kept any more; newer ones took its room." };
    const { code, message } = failure ?? gone;
    return { ...job, error: { status: 410, code, detail: message } };
  }
  const outcome = readOutcome(kept.delivery.outcome);
  const { headers, body } = respond(call, outcome, await withSignedReceipt(call, outcome, kept.paid));
  const receipt = headers["payment-response"];
  return { ...job, result: resultOf(headers["content-type"] ?? "", body), ...(receipt ? { receipt } : {}) };
}

function resultOf(contentType: string, body: PlainResponse["body"]): unknown {
  const text = typeof body === "string" ? body : undefined;
  if (text !== undefined && /^application\/(?:[\w.+-]+\+)?json\b/.test(contentType)) return JSON.parse(text);
  return text === undefined
    ? { contentType, base64: Buffer.from(body ?? new Uint8Array()).toString("base64") }
    : { contentType, text };
}
