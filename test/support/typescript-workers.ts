/**
 * Lets worker threads run from source. Node starts them itself, past vitest, and so looks for the JavaScript that only
 * the build makes; here that is made of the TypeScript beside it, in memory. Import this before what starts workers.
 */
import { existsSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { WorkerOptions } from "node:worker_threads";
import { buildSync } from "esbuild";
import { vi } from "vitest";

/** The threads that live. */
export const aliveThreads = (): number => alive.size;
const alive = vi.hoisted(() => new Set<object>());

vi.mock("node:worker_threads", async (importOriginal) => {
  const original = await importOriginal<typeof import("node:worker_threads")>();
  class SourceWorker extends original.Worker {
    constructor(file: string | URL, options: WorkerOptions = {}) {
      const source = fileURLToPath(file).replace(/\.js$/, ".ts");
      if (existsSync(file) || !existsSync(source)) super(file, options);
      else super(compile(source), { ...options, eval: true });
      alive.add(this);
      this.once("exit", () => alive.delete(this));
    }
  }
  return { ...original, Worker: SourceWorker };
});

function compile(source: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [source],
    bundle: true,
    packages: "external",
    platform: "node",
    format: "cjs",
    // A script that is evaluated has no address of its own.
    define: { "import.meta.url": JSON.stringify(pathToFileURL(source)) },
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}
