/** Where callers fetch and cancel their jobs. The id of a job is its secret: who knows it may do both. */
import { setTimeout as sleep } from "node:timers/promises";
import { CapabilityError, invalid } from "../../errors.js";
import type { Host } from "../../host/host.js";
import type { Visit } from "../../host/routes.js";
import { openCall } from "../call.js";
import { readJsonObject } from "../http/body.js";
import { fromRequest } from "../http/exchange.js";
import { isJobId, type JobDocument, wholeDocument } from "./answers.js";
import { announce, callBack } from "./callback.js";
import { jobsOf } from "./held-job.js";
import { type FoundJob, type JobRecord, readJob, writeJob } from "./record.js";
import { closeJob } from "./running.js";

const MOST_BODY = 1024;
/** A call by usage that runs elsewhere hears of it within so long. */
const CANCEL_MS = 5000;
const LOOK_MS = 100;

/** The same for a job that never was, has expired, or is another host's. */
const notFound = () => new CapabilityError("JOB_NOT_FOUND", "No job has this id, or it is not kept any more.");

async function find(host: Host, id: unknown, visit?: Visit): Promise<FoundJob & { id: string }> {
  if (id === undefined || id === null || id === "") throw invalid("id", "is missing: the id of a job");
  if (typeof id !== "string") throw invalid("id", "must be text: the id of a job");
  // Before it is looked for, so that a wrong key says nothing about it.
  const owner = visit?.inner ? await visit.account() : undefined;
  const found = isJobId(id) ? await readJob(host, id) : undefined;
  // guard: jobs: a job is its own host's | gone | job-secrets
  if (!found || !host.jobs?.names.includes(found.record.host)) throw notFound();
  const { account: payer } = found.record;
  // guard: jobs: a protocol that knows its caller shows the job of an account to that account alone | gone | mcp/tasks
  if (visit?.inner && payer && payer.id !== owner) throw notFound();
  return { ...found, id };
}

export async function answerGet(host: Host, request: Request, visit: Visit): Promise<Response> {
  const { searchParams } = new URL(request.url);
  if (searchParams.getAll("id").length > 1) throw invalid("id", "is given more than once");
  const { id, record } = await find(host, searchParams.get("id"), visit);
  return answer(await wholeDocument(openCall(host, fromRequest(request), visit.info), id, record));
}

export async function answerCancel(host: Host, request: Request, visit: Visit): Promise<Response> {
  const { info } = visit;
  const read = { maxBytes: MOST_BODY, caller: info.clientAddress };
  const { id: asked, ...others } = ((await readJsonObject(request, read)) ?? {}) as { id?: unknown };
  const [other] = Object.keys(others);
  if (other !== undefined) throw invalid(other, "is not known here: a job is cancelled by its id");
  const found = await find(host, asked, visit);
  const { id } = found;
  await cancel(host, found);
  const call = openCall(host, fromRequest(request), info);
  const { record } = await find(host, id);
  return answer(await wholeDocument(call, id, record));
}

/** A fixed price is not charged from here on; a call by usage is charged what it used, by the process that runs it. */
async function cancel(host: Host, { id, ...found }: FoundJob & { id: string }): Promise<void> {
  for (let { record, version } = found; record.state === "running"; ) {
    const isHeld = await jobsOf(host).owner.isHeld(record);
    const isAsked = record.byUsage && isHeld;
    const next: JobRecord = isAsked
      ? { ...record, isCancelAsked: true }
      : { ...record, state: "cancelled", end: { at: host.now(), costUsd: "0" } };
    const call = isAsked ? undefined : await announce(host, id, next);
    // guard: jobs: a job whose end came first is not cancelled |
    //   version } -> version: (await readJob(host, id))?.version ?? 0 } | job-cancel
    const at = await writeJob(host, id, { record: next, version }, isAsked ? host.now() : undefined);
    if (at !== undefined) return told(host, id, { record, isHeld, isAsked, call });
    ({ record, version } = await find(host, id));
  }
}

interface Cancelled {
  record: JobRecord;
  isHeld: boolean;
  /** Whether the process that runs it charges what it used. */
  isAsked: boolean;
  /** The call to its caller. */
  call: string | undefined;
}

/** The process that runs a job stops its work; what was used by then is known once it has. */
async function told(host: Host, id: string, { record, isHeld, isAsked, call }: Cancelled): Promise<void> {
  jobsOf(host).running.get(id)?.();
  if (call !== undefined) await callBack(host, call);
  if (isAsked) await untilEnded(host, id);
  else if (!isHeld) await closeJob(host, id, record);
}

/** Waits for the process that runs it, and no longer than it takes that to hear of it. */
async function untilEnded(host: Host, id: string): Promise<void> {
  const until = performance.now() + CANCEL_MS;
  while (performance.now() < until) {
    const found = await readJob(host, id);
    if (!found || found.record.end) return;
    await sleep(LOOK_MS);
  }
}

function answer(job: JobDocument): Response {
  const isOpen = job.state === "queued" || job.state === "running";
  return Response.json(job, { headers: isOpen ? { "retry-after": "2" } : {} });
}
