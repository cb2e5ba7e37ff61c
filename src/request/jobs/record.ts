/**
 * The stored record of a job: a call whose answer is fetched later. It has no money and no result: those are in the record
 * of what pays for it, which the same request reaches again.
 *
 *     running -> finishing -> done, failed or cancelled
 *
 * `finishing` is written before anything is charged. Whoever cancels writes to the same version, so of the two one comes
 * first on all instances.
 */
import { z } from "zod";
import type { Host } from "../../host/host.js";
import { once } from "../../lib/lazy.js";
import { DAY_MS } from "../../lib/time.js";
import type { StoredRecord } from "../../stores/store.js";

/** Results are kept for a day, as the answers of payments are. */
export const JOB_KEPT_MS = DAY_MS;
/** A holder that lives writes more often than that. */
export const DUE_MS = 15_000;

const account = once(() => z.object({ id: z.string(), key: z.string().optional() }));

const jobRecord = once(() =>
  z.object({
    /** The host that took it: others may use the same store. */
    host: z.string(),
    endpoint: z.string(),
    requestId: z.string(),
    /** Epoch milliseconds. */
    createdAt: z.number(),
    state: z.enum(["running", "finishing", "done", "failed", "cancelled"]),
    leaseUntil: z.number(),
    owner: z.string().optional(),
    /** From 0 to 1, as far as its work has told. */
    progress: z.number().optional(),
    /** How often it was begun. */
    attempts: z.number(),
    /** Where its answer is kept, once it is paid for. */
    reply: z.object({ kept: z.enum(["payment", "account"]), key: z.string() }),
    /** Under whose name it counts while it is open. */
    payer: z.string(),
    /** Whether what it used is charged. */
    byUsage: z.boolean(),
    isCancelAsked: z.literal(true).optional(),
    /** The address to call at its end. */
    callback: z.string().optional(),
    /** The account that pays, whose key is not stored. */
    account: account().optional(),
    end: z
      .object({
        at: z.number(),
        costUsd: z.string(),
        error: z.object({ status: z.number(), code: z.string(), detail: z.string() }).optional(),
      })
      .optional(),
  }),
);
export type JobRecord = z.infer<ReturnType<typeof jobRecord>>;

const storedInput = once(() =>
  z.object({
    method: z.string(),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.string().optional(),
    info: z.object({
      clientAddress: z.string().optional(),
      country: z.string().optional(),
      wallet: z.string().optional(),
      prefix: z.string().optional(),
    }),
  }),
);
/** The request of a job, so that another process can send it again; its body in base64. */
export type StoredInput = z.infer<ReturnType<typeof storedInput>>;

export const JOB = "job:";
const keyOf = (id: string): string => JOB + id;
const inputKeyOf = (id: string): string => `job-input:${id}`;

export interface FoundJob {
  record: JobRecord;
  version: number;
}

const jobIn = ({ value, version, isOrphan }: StoredRecord): FoundJob => {
  const record = jobRecord().parse(JSON.parse(value));
  return { record: isOrphan ? { ...record, leaseUntil: 0 } : record, version };
};

export async function readJob({ store }: Host, id: string): Promise<FoundJob | undefined> {
  const found = await store.get(keyOf(id));
  return found && jobIn(found);
}

/** Undefined after a concurrent write. Without `dueAt` the background has nothing to do with it. */
export const writeJob = (
  { store }: Host,
  id: string,
  { record, version }: FoundJob,
  dueAt?: number,
): Promise<number | undefined> =>
  store.put(keyOf(id), JSON.stringify(record), {
    ifVersion: version,
    ttlMs: JOB_KEPT_MS,
    ...(dueAt === undefined ? {} : { dueAt }),
  });

export async function writeJobInput({ store }: Host, id: string, input: StoredInput): Promise<void> {
  const key = inputKeyOf(id);
  const value = JSON.stringify(input);
  const put = (ifVersion: number) => store.put(key, value, { ifVersion, ttlMs: JOB_KEPT_MS });
  // Of an earlier job of the same payment, which failed.
  if ((await put(0)) === undefined) await put((await store.get(key))?.version ?? 0);
}

export async function readJobInput({ store }: Host, id: string): Promise<StoredInput | undefined> {
  const found = await store.get(inputKeyOf(id));
  return found && storedInput().parse(JSON.parse(found.value));
}

export async function removeJobInput({ store }: Host, id: string): Promise<void> {
  const found = await store.get(inputKeyOf(id));
  if (found) await store.remove(inputKeyOf(id), found.version);
}
