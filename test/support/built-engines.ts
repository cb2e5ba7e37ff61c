/** Runs the work of the reading threads with the libraries as they are built in, in a process of its own. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { serialize } from "node:v8";
import { build, type Plugin } from "esbuild";
import { pdfPatches } from "../../scripts/bundled-pdf-patches.mjs";
import type { TaskInput, TaskName, TaskOutcome } from "../../src/engines/worker-tasks/tasks.js";

/** PDF.js is built in, as in the package; other libraries are found beside the folder. */
const elsewhere: Plugin = {
  name: "elsewhere",
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === "entry-point" || path.startsWith("pdfjs-dist/") ? undefined : { path, external: true },
    );
  },
};

const SCRIPT = `
import { readFileSync } from "node:fs";
import { deserialize } from "node:v8";
import { runTask } from "./tasks.js";
const before = process.cpuUsage();
const outcome = await runTask({ ...deserialize(readFileSync(process.argv[2])), maxLength: 2 ** 24 });
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ outcome, cpuMs: (user + system) / 1000 }));
process.exit();
`;

export interface BuiltEngines {
  run<Name extends TaskName>(name: Name, input: TaskInput<Name>): Promise<{ outcome: TaskOutcome; cpuMs: number }>;
  close(): void;
}

export async function buildEngines(): Promise<BuiltEngines> {
  mkdirSync("node_modules/.cache", { recursive: true });
  const folder = mkdtempSync(resolve("node_modules/.cache/built-engines-"));
  await build({
    entryPoints: ["src/engines/worker-tasks/tasks.ts"],
    ...{ bundle: true, platform: "node", format: "esm", splitting: true, outdir: folder, logLevel: "error" },
    plugins: [elsewhere, pdfPatches as Plugin],
  });
  writeFileSync(join(folder, "run.mjs"), SCRIPT);
  let count = 0;
  return {
    async run(name, input) {
      const file = join(folder, `task-${++count}`);
      writeFileSync(file, serialize({ name, input }));
      const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "run.mjs"), file], {
        maxBuffer: 64 * 2 ** 20,
      });
      return JSON.parse(stdout);
    },
    close: () => rmSync(folder, { recursive: true }),
  };
}
