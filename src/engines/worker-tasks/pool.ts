/** The pool of threads that work on callers' documents, with limits of time and memory. */
import type { ResourceLimits } from "node:worker_threads";
import { CapabilityError } from "../../errors.js";
import type { Resources } from "../../lib/resources.js";
import { readWritten } from "../../lib/text/written-json.js";
import { orInThread } from "../../lib/threads/in-thread.js";
import type { Caller } from "../../lib/threads/payer.js";
import { threadOptions } from "../../lib/threads/thread-options.js";
import { Worker } from "../../lib/threads/threads.js";
import { createWorkerPool, isOutOfMemory, isOutOfTime, type WorkerPool } from "../../lib/threads/worker-pool.js";
import type { TaskInput, TaskName, TaskOutcome, TaskOutput, WorkerTask } from "./tasks.js";

const NAME = "reading a document";
/** One place is for what is quick, and one more for those who paid lately. */
const SIZE = 4;
const MAX_QUEUED = 512;
const LIMITS: ResourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };
/** Below the ten seconds of a call, so that the caller hears what was too slow. */
const TASK_MS = 8_000;
/** Characters of an answer, where nobody says how many it may have. */
const MAX_LENGTH = 6 * 2 ** 20;

/** Work on pictures takes longer than its size tells, and so do rules that were compiled for whole documents. */
const SLOW: ReadonlySet<TaskName> = new Set(["barcode.read", "image.compare", "invoice.validate", "pdf.to-image"]);
const QUICK_BYTES = 64 * 1024;

/** Each decodes pictures to hundreds of megabytes that no limit of a thread counts: few run at once. */
const PICTURES: ReadonlySet<TaskName> = new Set(["barcode.read", "image.compare", "pdf.to-image"]);
const PICTURES_AT_ONCE = 2;

const openReading = () => openPool(SIZE);
const openPictures = () => openPool(PICTURES_AT_ONCE);

function openPool(size: number): WorkerPool<WorkerTask, TaskOutcome> {
  const pool = createWorkerPool<WorkerTask, TaskOutcome>({
    name: NAME,
    start: () => new Worker(new URL("./worker.js", import.meta.url), threadOptions({ resourceLimits: LIMITS })),
    size,
    maxQueued: MAX_QUEUED,
    isQuick: ({ name }, bytes) => bytes <= QUICK_BYTES && !SLOW.has(name),
  });
  const load = async () => (await import("./tasks.js")).runTask;
  const isRefusal = (outcome: TaskOutcome) => "refused" in outcome;
  return orInThread(pool, { name: NAME, load, maxQueued: MAX_QUEUED, isRefusal });
}

export interface ReadingOptions {
  /** The input's field that holds the document: refusals of its size, or without a path, name it. */
  field: string;
  /** Milliseconds of the task alone, without waiting for a thread. Default 8 s. */
  taskMs?: number;
  /** Whether the input is so small that this thread is done with it in a moment, whatever it says. */
  isSmall?: boolean;
}

/**
 * Runs an engine's work in a thread. Rejects with what the engine refuses, and with RESULT_TOO_LARGE for a document that
 * takes too much time or memory, or whose result is larger than an answer. Where there are no threads the work runs here, and
 * nothing but itself stops it.
 */
export async function runInWorker<Name extends TaskName>(
  ctx: Caller & { readonly resources: Resources; readonly maxResponseBytes?: number },
  name: Name,
  input: TaskInput<Name>,
  { field, taskMs = TASK_MS, isSmall = false }: ReadingOptions,
): Promise<TaskOutput<Name>> {
  const task: WorkerTask = { name, input, maxLength: ctx.maxResponseBytes ?? MAX_LENGTH };
  const outcome = isSmall ? await runHere(task) : await runInThread(ctx, task, { field, taskMs });
  if ("result" in outcome) return outcome.result as TaskOutput<Name>;
  if ("json" in outcome) return (await readWritten(outcome.json)) as TaskOutput<Name>;
  const { code, message, issues } = outcome.refused;
  throw new CapabilityError(code, message, {
    issues: issues.map((issue) => ({ ...issue, path: issue.path || field })),
  });
}

const runHere = async (task: WorkerTask): Promise<TaskOutcome> => (await import("./tasks.js")).runTask(task);

async function runInThread(
  ctx: Caller & { readonly resources: Resources },
  task: WorkerTask,
  { field, taskMs }: { field: string; taskMs: number },
): Promise<TaskOutcome> {
  const [key, open] = PICTURES.has(task.name)
    ? (["pictures", openPictures] as const)
    : (["reading", openReading] as const);
  const pool = await ctx.resources.use(key, open, (opened) => opened.close());
  return pool.run(task, ctx, taskMs).catch((error: unknown) => {
    if (isOutOfMemory(error)) throw tooLarge(field, "takes more memory than a call has");
    if (isOutOfTime(error)) throw tooLarge(field, "takes more time than a call has");
    throw error;
  });
}

function tooLarge(path: string, what: string): CapabilityError {
  const message = `${what}: send a smaller or simpler one`;
  return new CapabilityError("RESULT_TOO_LARGE", `${path}: ${message}`, { issues: [{ path, message }] });
}
