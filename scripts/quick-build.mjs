/**
 * A build for this machine alone, in a second or two: without declarations, chunks that hosts share, and libraries built in.
 * What is published is what scripts/build.mjs makes.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { entryPoints, threads } from "./entry-points.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Written last, so that a build that was interrupted is none. */
const stampOf = (dist) => join(dist, ".built");
const INPUTS = ["src", "scripts", "data", "package.json", "package-lock.json", "tsconfig.json"].map((path) =>
  join(root, path),
);

export async function quickBuild(dist = join(root, "dist")) {
  rmSync(dist, { recursive: true, force: true });
  await build({
    ...{ absWorkingDir: root, outdir: dist, outbase: "src", chunkNames: "chunks/[name]-[hash]", logLevel: "warning" },
    ...{ bundle: true, splitting: true, packages: "external", format: "esm", platform: "node", target: "node20.19" },
    entryPoints: [...entryPoints, ...threads],
  });
  markBuilt(dist);
}

export function markBuilt(dist = join(root, "dist"), { whole = false } = {}) {
  mkdirSync(dist, { recursive: true });
  writeFileSync(stampOf(dist), whole ? WHOLE : "");
}

const WHOLE = "whole\n";

/** Whether the last build was one to publish, and nothing has changed since. */
export const isWholeAndFresh = (dist = join(root, "dist"), inputs = INPUTS) =>
  isFresh(dist, inputs) && readFileSync(stampOf(dist), "utf8") === WHOLE;

/** Whether nothing has changed since a build: no file that it is made of, none more and none less. */
export function isFresh(dist = join(root, "dist"), inputs = INPUTS) {
  const stamp = statSync(stampOf(dist), { throwIfNoEntry: false });
  return stamp !== undefined && inputs.every((path) => newestIn(path) <= stamp.mtimeMs);
}

/** The last change of a file, or in a folder, which is changed when a file appears or goes. */
function newestIn(path) {
  const entry = statSync(path);
  if (!entry.isDirectory()) return entry.mtimeMs;
  const inside = readdirSync(path, { recursive: true }).map((name) => statSync(join(path, name)).mtimeMs);
  return Math.max(entry.mtimeMs, ...inside);
}
