/** Calls that go on when their caller has left: jobs of the handler, as results of a tool and as tasks of the protocol. */
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { Catalogue } from "../host/catalogue.js";
import { decodeHeader } from "../payment/x402/wire.js";
import type { JobDocument } from "../request/jobs/answers.js";
import type { Ask, ToolResult } from "./call.js";
import { fileContent, jsonResult, mediaType } from "./content.js";

/** Tasks since 2026-07-28: an extension, in which the server decides which calls become tasks. */
export const TASKS = "io.modelcontextprotocol/tasks";
/** A call whose work may take longer becomes a task where the server decides. */
const LONG_MS = 60_000;
/** A task is worth its while once an answer has not come within so many seconds. */
const PATIENCE_SECONDS = 5;
export const POLL_INTERVAL_MS = 1000;
const FIRST_LOOK_MS = 100;
/** Clients give up after a minute. */
const MOST_MS = 50_000;

/** The longer half of a task in both eras; each adds how long it is kept, by its own name. */
export interface TaskFacts {
  taskId: string;
  status: "working" | "completed" | "failed" | "cancelled";
  statusMessage?: string;
  createdAt: string;
  lastUpdatedAt: string;
}

/** Why a task is not told of: the same for one that never was, has expired, or is another account's. */
export interface Refusal {
  refused: string;
  /** Whether the fault is ours. */
  isOurs: boolean;
}

export interface Tasks {
  get(id: string): Promise<JobDocument | Refusal>;
  cancel(id: string): Promise<JobDocument | Refusal>;
  /** The job once it has ended; as it is then if that takes longer than clients wait, or `signal` is aborted. */
  ended(id: string, signal: AbortSignal): Promise<JobDocument | Refusal>;
}

/** Whether calls can be jobs here. */
export const hasTasks = ({ routes, basePath }: Pick<Catalogue, "routes" | "basePath">): boolean =>
  routes.has(`${basePath}/jobs/get`);

/** The preference with which a call of a client that knows tasks is sent, where the server decides; undefined for none. */
export function preferenceFor(timeoutMs: number, wish: unknown): string | undefined {
  if (wish === true) return "respond-async";
  return timeoutMs >= LONG_MS && wish !== false ? `respond-async, wait=${PATIENCE_SECONDS}` : undefined;
}

const unknown: Refusal = { refused: "No task has this id, or it is not kept any more.", isOurs: false };
const isId = (id: string): boolean => /^[\w-]{1,100}$/.test(id);

export function createTasks({ basePath }: Pick<Catalogue, "basePath">, ask: Ask, origin: string): Tasks {
  async function found(request: Request): Promise<JobDocument | Refusal> {
    const response = await ask(request);
    const body = (await response.json()) as JobDocument & { code?: string; detail?: string };
    if (response.ok) return body;
    if (body.code === "JOB_NOT_FOUND") return unknown;
    return { refused: body.detail ?? "", isOurs: response.status >= 500 };
  }
  const get = async (id: string) =>
    // guard: MCP: an id that no address holds is unknown, and no fault of ours | always | mcp/tasks
    isId(id) ? found(new Request(new URL(`${basePath}/jobs/get?id=${id}`, origin))) : unknown;

  return {
    get,
    async cancel(id) {
      if (!isId(id)) return unknown;
      const body = JSON.stringify({ id });
      const headers = { "content-type": "application/json" };
      return found(new Request(new URL(`${basePath}/jobs/cancel`, origin), { method: "POST", headers, body }));
    },
    async ended(id, signal) {
      let waited = 0;
      for (let pause = FIRST_LOOK_MS; ; pause = Math.min(pause * 2, 2 * POLL_INTERVAL_MS)) {
        const job = await get(id);
        if ("refused" in job || !isOpen(job) || waited >= MOST_MS || signal.aborted) return job;
        waited += pause;
        await sleep(pause, undefined, { signal, ref: false }).catch(() => {});
      }
    },
  };
}

export const isOpen = ({ state }: JobDocument): boolean => state === "queued" || state === "running";

/** `isErrorFailed` for the era in which a tool's error is the failure of its task, not its result. */
export function taskFacts(job: JobDocument, isErrorFailed: boolean): TaskFacts {
  const { id, state, createdAt, endedAt = createdAt } = job;
  const facts = { taskId: id, createdAt, lastUpdatedAt: endedAt, ...messageOf(job) };
  if (isOpen(job)) return { ...facts, status: "working" };
  if (state === "cancelled") return { ...facts, status: "cancelled" };
  return { ...facts, status: job.error && isErrorFailed ? "failed" : "completed" };
}

/** Milliseconds from its beginning until it is forgotten. */
export const keptMs = ({ createdAt, expiresAt }: JobDocument): number => Date.parse(expiresAt) - Date.parse(createdAt);

function messageOf({ state, progress, error, costUsd }: JobDocument): { statusMessage?: string } {
  if (error) return { statusMessage: `${error.code}: ${error.detail}` };
  if (state === "cancelled") return { statusMessage: `Cancelled; ${costUsd ?? "0"} USD were charged.` };
  if (state === "queued") return { statusMessage: "It goes on as soon as a process takes it." };
  return progress > 0 && progress < 1 ? { statusMessage: `${Math.round(progress * 100)} % done` } : {};
}

/** The result that the tool would have given, had its caller waited. */
export function resultOfJob(
  { brand: { slug }, byId }: Pick<Catalogue, "brand" | "byId">,
  job: JobDocument,
): ToolResult {
  const { id, state, error, result, costUsd, receipt, endpoint } = job;
  const _meta = {
    ...(receipt ? { "x402/payment-response": decodeHeader(receipt) } : {}),
    ...(costUsd === undefined ? {} : { [`${slug}/cost-usd`]: costUsd }),
    [`${slug}/job`]: id,
  };
  if (state === "done" && !error) {
    const file = fileIn(result, byId.get(endpoint)?.contentTypes ?? []);
    if (!file) return { ...jsonResult(JSON.stringify(result)), _meta };
    return { content: [fileContent(file.bytes, { type: file.type, uri: `urn:${slug}:${id}` })], _meta };
  }
  const told = error ?? { status: 409, code: "CANCELLED", detail: `This call was ${state}.` };
  return { isError: true, ...jsonResult(JSON.stringify({ ...told, state })), _meta };
}

const file = z.union([
  z.strictObject({ contentType: z.string(), base64: z.string() }),
  z.strictObject({ contentType: z.string(), text: z.string() }),
]);

/** The file that a job names as its result; undefined for JSON, which endpoints of files answer in other words. */
function fileIn(result: unknown, contentTypes: readonly string[]): { type: string; bytes: Buffer } | undefined {
  const found = contentTypes.some((type) => type !== "application/json") ? file.safeParse(result).data : undefined;
  if (!found) return undefined;
  const bytes = "base64" in found ? Buffer.from(found.base64, "base64") : Buffer.from(found.text);
  return { type: mediaType(found.contentType), bytes };
}
