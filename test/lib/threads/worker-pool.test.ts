import { spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { buildSync } from "esbuild";
import { describe, expect, test } from "vitest";
import {
  createWorkerPool,
  isOutOfMemory,
  isOutOfTime,
  type WorkerPoolOptions,
} from "../../../src/lib/threads/worker-pool.js";
import { pathFromRoot } from "../../support/render-indexes.js";

type Task = "thread" | "hang" | "grow" | "throw" | "exit" | "crash" | (() => void);

/** A thread that does what its task says; "thread" answers its number. */
const CODE = `
  const { parentPort, threadId } = require("node:worker_threads");
  parentPort.on("message", (task) => {
    if (task === "hang") for (;;);
    if (task === "grow") for (const all = []; ; ) all.push(new Array(1e5).fill(0.5));
    if (task === "exit") process.exit(7);
    if (task === "crash") throw new Error("out of ink");
    if (task === "throw") parentPort.postMessage({ ok: false, error: "no such colour" });
    else parentPort.postMessage({ ok: true, result: threadId });
  });
`;

function createTestPool(options: Partial<WorkerPoolOptions> = {}) {
  const workers: Worker[] = [];
  const start = () => {
    const worker = new Worker(CODE, { eval: true });
    workers.push(worker);
    return worker;
  };
  const pool = createWorkerPool<Task, number>({ name: "drawing", start, size: 1, maxQueued: 10, ...options });
  return { pool, workers, run: (task: Task, signal = new AbortController().signal) => pool.run(task, { signal }) };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(5);
}

describe("a pool", () => {
  test("starts no thread before the first task, and one thread serves many", async () => {
    const { pool, run } = createTestPool();
    expect(pool.load).toEqual({ threads: 0, queued: 0 });
    const [one, two] = [await run("thread"), await run("thread")];
    expect(one).toBe(two);
    expect(pool.load).toEqual({ threads: 1, queued: 0 });
  });

  test("starts as many threads as it may", async () => {
    const { pool, run } = createTestPool({ size: 3 });
    const numbers = await Promise.all(Array.from({ length: 12 }, () => run("thread")));
    expect(new Set(numbers).size).toBeGreaterThan(1);
    expect(pool.load.threads).toBe(3);
  });

  test("RES-3 refuses what its queue cannot hold, with a time to come back, and serves the rest", async () => {
    const { pool, run } = createTestPool({ size: 1, maxQueued: 2 });
    const outcomes = Promise.allSettled(Array.from({ length: 5 }, () => run("thread")));
    expect(pool.load).toEqual({ threads: 1, queued: 2 });
    const statuses = (await outcomes).map(({ status }) => status);
    expect(statuses).toEqual(["fulfilled", "fulfilled", "fulfilled", "rejected", "rejected"]);
    expect((await outcomes)[4]).toMatchObject({ reason: { code: "OVERLOADED", status: 502, retryAfter: 2 } });
    await expect(run("thread")).resolves.toBeGreaterThan(0);
  });

  test("rejects what a task throws, and goes on with the same thread", async () => {
    const { run, workers } = createTestPool();
    await expect(run("throw")).rejects.toThrow("drawing: no such colour");
    await run("thread");
    expect(workers).toHaveLength(1);
  });

  test("keeps a thread whose task left a promise behind that fails", async () => {
    const { outputFiles } = buildSync({
      stdin: {
        contents: `
          import { threadId } from "node:worker_threads";
          import { answerTasks } from "./src/lib/threads/worker-tasks.ts";
          answerTasks(() => {
            void Promise.reject(new Error("nobody waits for this"));
            return threadId;
          });
        `,
        resolveDir: pathFromRoot("."),
      },
      ...{ bundle: true, platform: "node", format: "cjs", write: false },
    });
    const { run, workers } = createTestPool({
      start: () => {
        const worker = new Worker(outputFiles[0]?.text ?? "", { eval: true });
        workers.push(worker);
        return worker;
      },
    });
    const first = await run("thread");
    await sleep(50);
    expect(await run("thread")).toBe(first);
    expect(workers).toHaveLength(1);
  });

  test.each(["exit", "crash"] as const)("rejects when its thread ends by %s, and starts another", async (end) => {
    const { run, workers } = createTestPool();
    const [failed, next] = await Promise.allSettled([run(end), run("thread")]);
    expect(failed).toMatchObject({ status: "rejected", reason: expect.any(Error) });
    expect(next.status).toBe("fulfilled");
    expect(workers).toHaveLength(2);
  });

  test("ends a task that takes longer than it may, and serves the next in another thread", async () => {
    const { pool, run, workers } = createTestPool();
    const { signal } = new AbortController();
    const error = await pool.run("hang", { signal }, 50).catch((reason: unknown) => reason);
    expect(isOutOfTime(error)).toBe(true);
    await run("thread");
    expect(workers).toHaveLength(2);
  });

  test("tells that a thread ended for want of memory, and starts another", async () => {
    const resourceLimits = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 };
    const { pool, run } = createTestPool({ start: () => new Worker(CODE, { eval: true, resourceLimits }) });
    const error = await run("grow").catch((reason: unknown) => reason);
    expect(isOutOfMemory(error)).toBe(true);
    expect(isOutOfTime(error)).toBe(false);
    await expect(run("thread")).resolves.toBeGreaterThan(0);
    expect(pool.load.threads).toBe(1);
  });

  test("rejects a task that cannot be sent, and keeps its thread", async () => {
    const { pool, run } = createTestPool();
    await expect(run(() => {})).rejects.toThrow(/could not be cloned/);
    await expect(run("thread")).resolves.toBeGreaterThan(0);
    expect(pool.load).toEqual({ threads: 1, queued: 0 });
  });

  test("rejects when its thread's file is not there", async () => {
    const { run } = createTestPool({ start: () => new Worker(new URL("./none.js", import.meta.url)) });
    await expect(run("thread")).rejects.toThrow("none.js");
  });
});

describe("RES-5 aborting", () => {
  test("ends the thread of a running task and frees its place", async () => {
    const { run, workers } = createTestPool();
    const controller = new AbortController();
    const hanging = run("hang", controller.signal);
    const waiting = run("thread");
    await sleep(50);
    const ended = new Promise((resolve) => workers[0]?.once("exit", resolve));
    controller.abort();
    await expect(hanging).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
    await ended;
    await expect(waiting).resolves.toBeGreaterThan(0);
    expect(workers).toHaveLength(2);
  });

  test("says that the time is up when it was a timeout", async () => {
    const { run } = createTestPool();
    await expect(run("hang", AbortSignal.timeout(30))).rejects.toMatchObject({ code: "UPSTREAM_TIMEOUT" });
  });

  test("takes a waiting task out of the queue and leaves the running one alone", async () => {
    const { pool, run, workers } = createTestPool();
    const controller = new AbortController();
    const running = run("thread");
    const waiting = run("thread", controller.signal);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
    expect(pool.load.queued).toBe(0);
    await running;
    expect(workers).toHaveLength(1);
  });

  test("starts nothing when the caller has already left", async () => {
    const { run, workers } = createTestPool();
    await expect(run("thread", AbortSignal.abort())).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
    expect(workers).toHaveLength(0);
  });

  test("after the end of a task does nothing any more", async () => {
    const { pool, run, workers } = createTestPool();
    const controller = new AbortController();
    await run("thread", controller.signal);
    controller.abort();
    await run("thread");
    expect(workers).toHaveLength(1);
    expect(pool.load.threads).toBe(1);
  });
});

describe("an idle thread", () => {
  test("ends after a while", async () => {
    const { pool, run } = createTestPool({ idleMs: 20 });
    await run("thread");
    await until(() => pool.load.threads === 0);
    await expect(run("thread")).resolves.toBeGreaterThan(0);
  });

  test("does not keep the process alive, while a busy one does", () => {
    const { outputFiles } = buildSync({
      stdin: {
        contents: `
          import { Worker } from "node:worker_threads";
          import { createWorkerPool } from "./src/lib/threads/worker-pool.ts";
          const start = () => new Worker(${JSON.stringify(CODE)}, { eval: true });
          const pool = createWorkerPool({ name: "test", start, size: 1, maxQueued: 1, idleMs: 3_600_000 });
          pool.run("thread", new AbortController()).then((thread) => console.log("answer", thread > 0));
        `,
        resolveDir: pathFromRoot("."),
      },
      ...{ bundle: true, platform: "node", format: "cjs", write: false },
    });
    const args = ["--eval", outputFiles[0]?.text ?? ""];
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 20_000 });
    expect({ status, stdout }).toEqual({ status: 0, stdout: "answer true\n" });
  });
});
