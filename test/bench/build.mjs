import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { printBar, printTable, times } from "./measure.mjs";

export const title = "`npm run build`, beside esbuild and tsc that make a package of the same source";

const RUNS = 2;
const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

/** All entry points in one plain call, as a guide would have it. */
const ESBUILD = `
  import { build } from "esbuild";
  import { entryPoints, threads } from "./scripts/entry-points.mjs";
  await build({
    entryPoints: [...entryPoints, ...threads], outdir: process.env.OUT, outbase: "src", bundle: true, splitting: true,
    packages: "external", format: "esm", platform: "node", target: "node20.19", sourcemap: true,
  });`;

/** Processor seconds of a command and of all that it starts. */
async function secondsOf(args, env = {}) {
  const command = 'TIMEFORMAT="%3U %3S"; time "$@" > /dev/null';
  const { stderr } = await execute("bash", ["-c", command, "bash", process.execPath, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
  });
  const [user, system] = stderr.trim().split("\n").at(-1).split(" ").map(Number);
  return user + system;
}

export async function run() {
  const out = await mkdtemp(join(tmpdir(), "coinslot-bench-"));
  try {
    // Neither looks at types, which `npm run check` does.
    const tsc = ["node_modules/typescript/bin/tsc", "--emitDeclarationOnly", "--noCheck", "--outDir", out];
    const contenders = [
      ["npm run build", () => secondsOf(["scripts/build.mjs"])],
      ["esbuild", () => secondsOf(["--input-type=module", "-e", ESBUILD], { OUT: out })],
      ["tsc, declarations alone", () => secondsOf(tsc)],
    ];
    const found = contenders.map(() => []);
    for (let i = 0; i < RUNS; i++)
      for (const [at, [, measure]] of contenders.entries()) found[at].push(await measure());
    const [ours, esbuild, declarations] = found.map((seconds) => Math.min(...seconds));
    const rows = [ours, esbuild, declarations].map((seconds, i) => [
      contenders[i][0],
      `${seconds.toFixed(1)} s`,
      times(seconds / (esbuild + declarations)),
    ]);
    printTable(["processor time, least of the runs", "", "x both"], rows);
    return [printBar("npm run build beside esbuild and tsc alone", ours / (esbuild + declarations), { atMost: 2 })];
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}
