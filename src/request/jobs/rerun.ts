/** Goes on with the job of a process that died: its request is sent again, by the note of it. */
import { CapabilityError } from "../../errors.js";
import type { CallInfo } from "../../host/call-info.js";
import type { Host } from "../../host/host.js";
import { MINUTE_MS } from "../../lib/time.js";
import type { AccountCaller } from "../../payment/options/accounts.js";
import type { Call, CallAsJob } from "../call.js";
import { type AnyResponse, fromRequest, type LazyRequest } from "../http/exchange.js";
import { jobsOf } from "./held-job.js";
import { againFrom, withSignal } from "./noted-request.js";
import {
  DUE_MS,
  type FoundJob,
  JOB,
  JOB_KEPT_MS,
  readJob,
  readJobInput,
  type StoredInput,
  writeJob,
} from "./record.js";
import { cancelled, type Running, runningJob } from "./running.js";

/** Answers a request of a job as it answers any. */
export type AnswerJob = (
  host: Host,
  request: LazyRequest,
  info: CallInfo,
  as: { outer?: LazyRequest; job?: CallAsJob },
) => Promise<AnyResponse>;

/** Work that ended so many processes is not tried again. */
const MOST_ATTEMPTS = 4;
/** Those that this process goes on with at a time; the others wait, or go to another. */
const MOST_AT_ONCE = 8;
const SPARE_MS = 2 * MINUTE_MS;

class Rerun implements CallAsJob {
  readonly isRepeated = true;
  readonly account: AccountCaller | undefined;
  #call: Call | undefined;
  #isBegun = false;

  constructor(
    readonly running: Running,
    private readonly refusal: CapabilityError | undefined,
  ) {
    const { account } = running.record;
    this.account = account && { id: account.id, ...(account.key === undefined ? {} : { key: account.key }) };
  }

  get isCancelled(): boolean {
    return this.running.isCancelled;
  }

  opened(call: Call): void {
    this.#call = call;
  }

  async known(): Promise<undefined> {}

  async begin(): Promise<void> {
    this.#isBegun = true;
    // Its payment is given back by the rules of a call that failed.
    // guard: jobs: a job that was cancelled is not begun again | gone | job-crashes
    if (this.refusal) throw this.refusal;
  }

  progress(done: number, steps: number): void {
    this.running.progress(done, steps);
  }

  finish(): Promise<void> {
    return this.running.finish();
  }

  async ended(answer: AnyResponse): Promise<void> {
    if (this.#call) await this.running.end(this.#call, answer, this.#isBegun);
  }
}

/** False for another host's. Resolves when the work has begun. */
export async function takeOver(host: Host, key: string, answer: AnswerJob): Promise<boolean> {
  const id = key.slice(JOB.length);
  const found = await readJob(host, id);
  if (!found) return true;
  const { record, version } = found;
  // Of two releases, the one that has its endpoint goes on with it.
  if (!host.jobs?.names.includes(record.host) || !host.byId.has(record.endpoint)) return false;
  const jobs = jobsOf(host);
  if (record.end) {
    // Without this write it would stay due before all others.
    await writeJob(host, id, found);
    return true;
  }
  // guard: jobs: a job runs in one process at a time | gone | job-crashes
  if (await jobs.owner.isHeld(record)) return true;
  if (jobs.repeated >= MOST_AT_ONCE) return true;
  const input = await readJobInput(host, id);
  const capability = host.byId.get(record.endpoint);
  const lease = await jobs.owner.take(host.now() + (capability?.timeoutMs ?? 0) + SPARE_MS);
  const taken = { ...record, ...lease, attempts: record.attempts + 1 };
  const at = await writeJob(host, id, { record: taken, version }, host.now() + DUE_MS).catch((error: unknown) => {
    jobs.owner.end(lease);
    throw error;
  });
  if (at === undefined) jobs.owner.end(lease);
  else begin(host, id, { found: { record: taken, version: at }, input, answer });
  return true;
}

function begin(
  host: Host,
  id: string,
  { found, input, answer }: { found: FoundJob; input: StoredInput | undefined; answer: AnswerJob },
): void {
  const jobs = jobsOf(host);
  const controller = new AbortController();
  const running = runningJob({ host }, id, found, controller);
  const job = new Rerun(running, refusalOf(host, found));
  const lost = { method: "GET", url: `http://job.invalid${host.basePath}/`, headers: {}, info: {} };
  const { info, ...sent } = input ?? lost;
  const request = withSignal(fromRequest(againFrom({ ...sent, info })), controller.signal);
  jobs.repeated++;
  const work = answer(host, request, withoutGaps(info), { job })
    .then((answered) => job.ended(answered))
    .catch((error: unknown) => host.options.logger.error({ error }, "jobs: a job could not be gone on with"))
    .finally(() => {
      jobs.repeated--;
      host.underWay.delete(work);
    });
  host.underWay.add(work);
}

function refusalOf(host: Host, { record }: FoundJob): CapabilityError | undefined {
  if (record.isCancelAsked) return cancelled();
  const isOver = record.attempts > MOST_ATTEMPTS || host.now() - record.createdAt > JOB_KEPT_MS;
  return isOver ? new CapabilityError("INTERNAL", "The work broke off too often.", { excused: true }) : undefined;
}

const withoutGaps = (info: StoredInput["info"]): CallInfo =>
  Object.fromEntries(Object.entries(info).filter(([, value]) => value !== undefined));
