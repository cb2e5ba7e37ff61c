/** TypeScript of this repository as one file that plain node runs, for tests that need a process or thread of their own. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Below node_modules, where the file finds the packages that it imports. */
const CACHE = fileURLToPath(new URL("../../node_modules/.cache", import.meta.url));

/**
 * @param {string} entryPoint
 * @param {import("esbuild").Plugin[]} plugins
 */
export async function bundle(entryPoint, plugins = []) {
  await mkdir(CACHE, { recursive: true });
  const dir = await mkdtemp(join(CACHE, "bundle-"));
  const outfile = join(dir, "main.mjs");
  await build({
    entryPoints: [entryPoint],
    outfile,
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node20",
    sourcemap: "inline",
    plugins,
    logLevel: "error",
  });
  return { outfile, remove: () => rm(dir, { recursive: true, force: true }) };
}
