import { afterAll, describe, expect, test } from "vitest";
import { runInWorker } from "../../../src/engines/worker-tasks/pool.js";
import { createResources } from "../../../src/lib/resources.js";
import type { WorkerPool } from "../../../src/lib/threads/worker-pool.js";

const resources = createResources();
const ctx = { resources, signal: new AbortController().signal };
afterAll(() => resources.close());

describe("reading a document in a thread", () => {
  test("answers with the engine's result", async () => {
    const root = await runInWorker(ctx, "xml.parse", "<a>1</a>", { field: "text" });
    expect(root).toEqual({ name: "a", attributes: [], children: ["1"] });
  });

  test("refuses what the engine refuses, under the name of the field", async () => {
    await expect(runInWorker(ctx, "xml.parse", "<a>", { field: "file" })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      status: 400,
      issues: [{ path: "file", message: expect.stringContaining("<a> is not closed") }],
    });
    await expect(runInWorker(ctx, "xml.parse", "<a>".repeat(201), { field: "url" })).rejects.toMatchObject({
      code: "RESULT_TOO_LARGE",
      issues: [{ path: "url" }],
    });
  });

  test("a task that may take long keeps none waiting that is read at once", async () => {
    const rows = "<b/>".repeat(150_000);
    const ended: string[] = [];
    const run = (name: string, text: string, taskMs?: number) =>
      runInWorker(ctx, "xml.parse", text, { field: "text", ...(taskMs === undefined ? {} : { taskMs }) }).then(() =>
        ended.push(name),
      );
    const long = Array.from({ length: 6 }, () => run("long", `<a>${rows}</a>`, 30_000));
    await run("short", "<a/>");
    // Two threads for six: behind them, the short one would be the fifth to end.
    expect(ended.indexOf("short")).toBeLessThan(4);
    await Promise.all(long);
  });

  test("ATK-7 pictures are decoded two at a time, because no limit of a thread counts their memory", async () => {
    const { createCanvas } = await import("@napi-rs/canvas");
    const bytes = new Uint8Array(createCanvas(1_500, 1_500).toBuffer("image/png"));
    const task = { a: bytes, b: bytes, threshold: 0.1, includeAntialiasing: false, diff: false };
    const most = { threads: 0 };
    const compare = async () => {
      const comparing = runInWorker(ctx, "image.compare", task, { field: "a" });
      await new Promise((resolve) => setTimeout(resolve, 20));
      const { load } = await resources.use<WorkerPool<unknown, unknown>>(
        "pictures",
        () => Promise.reject(),
        async () => {},
      );
      most.threads = Math.max(most.threads, load.threads);
      return comparing;
    };
    const results = await Promise.all(Array.from({ length: 6 }, compare));
    expect(results.map(({ differentPixels }) => differentPixels)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(most.threads).toBeGreaterThan(0);
    expect(most.threads).toBeLessThanOrEqual(2);
  });
});
