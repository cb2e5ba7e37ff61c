/**
 * Lets worker threads run from source. Node starts them itself, past vitest, and so looks for the JavaScript that only
 * the build makes; here that is made of the TypeScript beside it, in memory. Import this before what starts workers.
 */
import { existsSync, readFileSync } from "node:fs";
import { createRequire, syncBuiltinESMExports } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { WorkerOptions } from "node:worker_threads";
import { buildSync } from "esbuild";

/** Threads of ours that live. */
export const aliveThreads = (): number => alive.size;
const alive = new Set<object>();

const threads = createRequire(import.meta.url)("node:worker_threads");
threads.Worker = class SourceWorker extends threads.Worker {
  constructor(file: string | URL, options: WorkerOptions = {}) {
    const source = sourceOf(file);
    if (!source) {
      super(file, options);
      return;
    }
    if (source.endsWith("/state/database/embedded/worker.ts")) keepPglite();
    super(compile(source), { ...options, eval: true });
    alive.add(this);
    this.once("exit", () => alive.delete(this));
  }
};
// For those who import it by its name, before this or after.
syncBuiltinESMExports();

/** Undefined: it is JavaScript already, or nothing of ours. */
function sourceOf(file: string | URL): string | undefined {
  if (!(file instanceof URL) && !file.startsWith("file:")) return undefined;
  const source = fileURLToPath(file).replace(/\.js$/, ".ts");
  return !existsSync(fileURLToPath(file)) && existsSync(source) ? source : undefined;
}

const held: object[] = [];
/** Its declarations are those of browsers. */
const { WebAssembly } = globalThis as unknown as { WebAssembly: { Module: new (code: Uint8Array) => object } };

/**
 * Compiles the embedded database once for the process: V8 hands a thread the machine code of a module that its process
 * holds. Without it each thread spends a second of processor on the same code.
 */
function keepPglite(): void {
  if (held.length > 0) return;
  const { resolve } = createRequire(import.meta.url);
  held.push(new WebAssembly.Module(readFileSync(join(dirname(resolve("@electric-sql/pglite")), "pglite.wasm"))));
}

const compiled = new Map<string, string>();

function compile(source: string): string {
  const known = compiled.get(source);
  if (known !== undefined) return known;
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
  const text = outputFiles[0]?.text ?? "";
  compiled.set(source, text);
  return text;
}
