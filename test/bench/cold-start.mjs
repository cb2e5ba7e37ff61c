import { printBar, printTable, times } from "./measure.mjs";
import { NETWORK, PROBE, TREASURY } from "./shops.mjs";
import { raceStarts } from "./start.mjs";

export const title =
  "A new process: everything imported, and from nothing to the first quote of a shop with every capability";

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

export async function run() {
  const [first, all, zod, node] = await raceStarts(
    programs.map(({ code }) => ["--input-type=module", "-e", `${code}\nprocess.exit();`]),
  );
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
    printBar(`everything imported beside import("zod"), ${without}`, own(all) / own(zod), { atMost: 2 }),
    printBar(`the first 402 beside import("zod"), ${without}`, own(first) / own(zod), { atMost: 2 }),
  ];
}
