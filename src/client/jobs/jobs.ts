/** Calls whose answer is fetched later: fetched, waited for and cancelled by the id of their job. */
import { pause, repeat } from "../repeat.js";
import { errorOfReply, jsonOf, type OutgoingCall, retryAfterOf, roundTrip } from "../reply.js";
import type { PendingCall } from "../session.js";
import type { Answer, Job, JobServices } from "../types.js";

export interface JobsOptions {
  fetch: typeof globalThis.fetch;
  baseUrl: string;
  maxBytes: number;
  retries?: number | undefined;
  maxWaitMs?: number | undefined;
}

const FIRST_PAUSE_MS = 200;
/** Without a word of the service it is asked every so many seconds at least. */
const LONGEST_PAUSE_SECONDS = 5;

interface Asked {
  job: Job;
  /** Until it may be asked again. */
  pauseMs: number;
}

export function createJobs({ fetch, baseUrl, maxBytes, retries = 3, maxWaitMs = 60_000 }: JobsOptions): JobServices {
  /** Rejects with JOB_NOT_FOUND. */
  async function ask(call: Omit<OutgoingCall, "headers">, signal: AbortSignal | undefined): Promise<Asked> {
    const outgoing = { ...call, headers: {} };
    const send = () => roundTrip(fetch, outgoing, { headers: {}, signal, maxBytes });
    const reply = await repeat(send, { retries, maxWaitMs }, signal);
    if (reply.status >= 400) throw errorOfReply(reply, call.url);
    const pauseMs = Math.min(retryAfterOf(reply) ?? LONGEST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS) * 1000;
    return { job: jsonOf<Job>(reply) as Job, pauseMs };
  }
  const find = (id: string, signal: AbortSignal | undefined) =>
    ask({ url: `${baseUrl}/jobs/get?id=${encodeURIComponent(id)}`, method: "GET", body: undefined }, signal);

  return {
    get: async (id, { signal } = {}) => (await find(id, signal)).job,
    async cancel(id, { signal } = {}) {
      const body = JSON.stringify({ id });
      return (await ask({ url: `${baseUrl}/jobs/cancel`, method: "POST", body }, signal)).job;
    },
    async wait(id, { signal } = {}) {
      for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
        const asked = await find(id, signal);
        if (asked.job.state !== "queued" && asked.job.state !== "running") return asked.job;
        await pause(Math.min(pauseMs, asked.pauseMs), signal);
      }
    },
  };
}

/** The job of a call; of one that was answered at once it has the answer and no id. */
export async function payForJob(pending: PendingCall, buy: () => Promise<Answer<unknown>>): Promise<Job> {
  pending.outgoing.headers.prefer = "respond-async";
  let job: Job | undefined;
  pending.isLater = (taken) => {
    job = taken;
  };
  const { data, meta } = await buy();
  if (job) return job;
  const done = { id: "", endpoint: pending.endpoint.id, state: "done", progress: 1 } as const;
  return { ...done, expiresAt: new Date().toISOString(), result: { data, meta }, costUsd: meta.costUsd };
}
