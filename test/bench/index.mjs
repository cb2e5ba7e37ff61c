/**
 * `npm run bench`: every topic, then one table of all ratios with their goals. `npm run bench -- unpaid barcodes` runs only
 * those, `--json FILE` writes the table with the machine and the versions as well. Exits 1 where a ratio falls short.
 */
import { parseArgs } from "node:util";
import { say } from "./measure.mjs";
import { othersBusy, printReport, writeReport } from "./report.mjs";

const TOPICS = [
  "unpaid",
  "sockets",
  "paid",
  "many",
  "memory",
  "build",
  "channels",
  "barcodes",
  "pdf-pages",
  "countdown",
  "wallet-kv",
  "wallet-queue",
  "wallet-vectors",
  "wallet-callbacks",
  "wallet-paid",
  "wallet-load",
  "wallet-cold",
  "near",
  "screen",
  "screenshots",
  "council",
  "cold-start",
  "lambda-start",
  "form",
  "bundle-size",
];

const { values, positionals: asked } = parseArgs({ options: { json: { type: "string" } }, allowPositionals: true });
const unknown = asked.filter((name) => !TOPICS.includes(name));
if (unknown.length > 0) throw new Error(`No topic ${unknown.join(", ")}; there are ${TOPICS.join(", ")}.`);

say(
  `Node ${process.version} on ${process.platform} ${process.arch}. Contenders take turns, round by round; figures are medians.`,
);
say(
  "Where nothing else is said, a second is one of processor time. Times and rates depend on the machine: ratios hold.",
);

const rows = [];
for (const topic of asked.length > 0 ? asked : TOPICS) {
  const busy = await othersBusy();
  const bars = await barsOf(topic);
  rows.push(...bars.map((bar) => ({ topic, ...bar, othersBusy: busy })));
}
printReport(rows);
if (values.json) writeReport(values.json, rows);
// Not merely set: a topic that failed may have left a server or a pool that keeps the process alive.
process.exit(rows.every(({ holds }) => holds) ? 0 : 1);

/** A topic that fails falls short; the others still run. */
async function barsOf(name) {
  try {
    const topic = await import(`./${name}.mjs`);
    say(`\n${topic.title}`);
    return await topic.run();
  } catch (error) {
    console.error(error);
    return [{ what: "the topic itself", why: error instanceof Error ? error.message : String(error), holds: false }];
  }
}
