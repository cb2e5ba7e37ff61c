import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { printBar, printTable, times } from "./measure.mjs";
import { NETWORK, PROBE, TREASURY } from "./shops.mjs";

export const title =
  "A new process: everything imported, and from nothing to the first quote of a shop with every capability";

const RUNS = 15;
const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

const firstQuote = `
  import { createHandler } from "coinslot";
  import { capabilities } from "coinslot/capabilities";
  const payment = { treasury: { "${NETWORK}": "${TREASURY}" }, facilitator: { url: "http://127.0.0.1:9" } };
  const response = await createHandler({ capabilities, payment })(new Request("${PROBE}"));
  if (response.status !== 402) throw new Error("answered " + response.status);`;
const everything = `
  import "coinslot";
  import "coinslot/capabilities";`;

const programs = [
  { name: "coinslot, first 402", code: firstQuote },
  { name: "coinslot, everything imported", code: everything },
  { name: 'import("zod")', code: 'await import("zod");' },
  { name: "Node alone", code: "" },
];

/** Processor time of the whole process, Node's own start included: it does not run while others have the processor. */
async function startMs(code) {
  const report = "const { user, system } = process.cpuUsage(); console.log((user + system) / 1000); process.exit();";
  const { stdout } = await execute(process.execPath, ["--input-type=module", "-e", `${code}\n${report}`], {
    cwd: root,
  });
  return Number(stdout);
}

export async function run() {
  const runs = new Map(programs.map(({ name }) => [name, []]));
  for (const { code } of programs) await startMs(code); // The files are in the system's cache from here on.
  for (let i = 0; i < RUNS; i++) for (const { name, code } of programs) runs.get(name).push(await startMs(code));

  // The least: whatever else the machine does only ever adds.
  const [first, all, zod, node] = programs.map(({ name }) => Math.min(...runs.get(name)));
  const own = (ms) => ms - node;
  printTable(
    ["processor time, least of the runs", "whole process", "beyond Node's own start", 'x import("zod")'],
    [first, all, zod, node].map((ms, i) => [
      programs[i].name,
      `${ms.toFixed(0)} ms`,
      ms === node ? "" : `${own(ms).toFixed(0)} ms`,
      ms === node ? "" : times(own(ms) / own(zod)),
    ]),
  );
  const without = `Node's own ${node.toFixed(0)} ms left out,`;
  return [
    printBar(`everything imported beside import("zod"), ${without}`, own(all) / own(zod), { atMost: 3 }),
    printBar(`the first 402 beside import("zod"), ${without}`, own(first) / own(zod), { atMost: 4 }),
  ];
}
