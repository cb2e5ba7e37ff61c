/**
 * Cloudflare's own runtime, where MINIFLARE names the folder of the package `miniflare`: test/runtimes/run.mjs installs it,
 * because it is too large to be installed with everything else.
 */
import { createRequire } from "node:module";
import { build } from "esbuild";
import type { StoreNamespace } from "../../src/stores/durable-object/elsewhere.js";
import { pathFromRoot } from "./render-indexes.js";
import { announceSkip } from "./server.js";

export interface Simulator {
  dispatchFetch(url: string): Promise<Response>;
  getDurableObjectNamespace(binding: string): Promise<StoreNamespace>;
  dispose(): Promise<void>;
}

const { MINIFLARE } = process.env;

/** Whether it is here; says loudly what is skipped where it is not. */
export function hasMiniflare(what: string): boolean {
  if (!MINIFLARE) announceSkip(what, "MINIFLARE names no installed miniflare");
  return Boolean(MINIFLARE);
}

/** Runs a Worker, given as the text of its module, whose imports are looked for from the root of the repository. */
export async function startMiniflare(contents: string, options: object = {}): Promise<Simulator> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: pathFromRoot("."), loader: "ts" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    conditions: ["workerd"],
    external: ["cloudflare:*", "pg-native"],
    // Libraries in CommonJS call require, which the runtime has for Node's own modules alone.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire("/");' },
  });
  const { Miniflare } = createRequire(import.meta.url)(MINIFLARE ?? "");
  return new Miniflare({
    modules: true,
    script: outputFiles[0]?.text,
    compatibilityDate: "2026-04-01",
    compatibilityFlags: ["nodejs_compat"],
    ...options,
  });
}
