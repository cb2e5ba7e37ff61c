/**
 * A build for this machine alone, in a second or two: without declarations, chunks that hosts share, and libraries built in.
 * What is published is what scripts/build.mjs makes.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, context } from "esbuild";
import { entryPoints, threads } from "./entry-points.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Written last, so that a build that was interrupted is none. */
const stampOf = (dist) => join(dist, ".built");
const INPUTS = ["src", "scripts", "data", "package.json", "package-lock.json", "tsconfig.json"].map((path) =>
  join(root, path),
);

/** Where `dist` is one of a test, the entry points are its own. */
const optionsOf = (dist, entries, outbase = "src") => ({
  ...{ absWorkingDir: root, outdir: dist, outbase, chunkNames: "chunks/[name]-[hash]", logLevel: "warning" },
  ...{ bundle: true, splitting: true, packages: "external", format: "esm", platform: "node", target: "node20.19" },
  entryPoints: entries,
});

export async function quickBuild(dist = join(root, "dist")) {
  rmSync(dist, { recursive: true, force: true });
  await build(optionsOf(dist, [...entryPoints, ...threads]));
  markBuilt(dist);
}

/**
 * `npm run build -- --watch`: the same, and again with each change, of which only the changed files are read anew. A new entry
 * of package.json or a new group of capabilities wants a new start.
 * @param {object} [options]
 * @param {string} [options.dist]
 * @param {string[]} [options.entries]
 * @param {string} [options.outbase] the folder that becomes `dist`
 * @param {(errors: number) => void} [options.onBuilt]
 * @returns {Promise<{ stop(): Promise<void> }>} after the first build
 */
export async function watchBuild(options = {}) {
  const { dist = join(root, "dist"), entries = [...entryPoints, ...threads] } = options;
  const { onBuilt = (errors) => console.log(errors > 0 ? "Not built." : "Built.") } = options;
  rmSync(dist, { recursive: true, force: true });
  const tell = ({ onEnd }) =>
    onEnd(({ errors }) => {
      if (errors.length === 0) markBuilt(dist);
      // Its time may be that of the change that could not be built.
      else rmSync(stampOf(dist), { force: true });
      onBuilt(errors.length);
    });
  const watcher = await context({
    ...optionsOf(dist, entries, options.outbase),
    plugins: [{ name: "tell", setup: tell }],
  });
  await watcher.watch();
  return { stop: () => watcher.dispose() };
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
