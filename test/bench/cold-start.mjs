import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { median, printBar, printTable, times } from "./measure.mjs";
import { NETWORK, PROBE, TREASURY } from "./shops.mjs";

export const title = "From nothing to the first quote: a new process that mounts every capability and answers one call";

const RUNS = 15;
const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

const firstQuote = `
  import { createHandler } from "coinslot";
  import { capabilities } from "coinslot/capabilities";
  const payment = { treasury: { "${NETWORK}": "${TREASURY}" }, facilitator: { url: "http://127.0.0.1:9" } };
  const response = await createHandler({ capabilities, payment })(new Request("${PROBE}"));
  if (response.status !== 402) throw new Error("answered " + response.status);
  process.exit();`;

const programs = [
  { name: "coinslot, first 402", code: firstQuote },
  { name: 'import("zod")', code: 'await import("zod"); process.exit();' },
  { name: "Node alone", code: "process.exit();" },
];

async function startMs(code) {
  const startedAt = performance.now();
  await execute(process.execPath, ["--input-type=module", "-e", code], { cwd: root });
  return performance.now() - startedAt;
}

export async function run() {
  const runs = new Map(programs.map(({ name }) => [name, []]));
  for (const { code } of programs) await startMs(code); // The files are in the system's cache from here on.
  for (let i = 0; i < RUNS; i++) for (const { name, code } of programs) runs.get(name).push(await startMs(code));

  const [ours, zod, node] = programs.map(({ name }) => runs.get(name));
  const alone = median(node);
  // Each run beside the bare start next to it.
  const own = (times) => median(times.map((ms, i) => ms - node[i]));
  const rows = [ours, zod, node].map((times, i) => [
    programs[i].name,
    `${median(times).toFixed(0)} ms`,
    times === node ? "" : `${own(times).toFixed(0)} ms`,
  ]);
  printTable(["", "whole process", "beyond Node's own start"], rows);
  const rest = own(ours) / own(zod);
  return [
    printBar(`the start beside import("zod"), Node's own ${alone.toFixed(0)} ms left out,`, rest, { atMost: 4 }),
    printBar(`the whole process (${times(median(ours) / alone)} of Node alone)`, median(ours) / median(zod), {
      atMost: 4,
    }),
  ];
}
