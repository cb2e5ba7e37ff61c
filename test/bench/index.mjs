// Run by `npm run bench`; `node test/bench/index.mjs unpaid barcodes` runs only those.
import { say } from "./measure.mjs";

const TOPICS = [
  "unpaid",
  "sockets",
  "paid",
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
  "bundle-size",
];

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !TOPICS.includes(name));
if (unknown.length > 0) throw new Error(`No topic ${unknown.join(", ")}; there are ${TOPICS.join(", ")}.`);

say(
  `Node ${process.version} on ${process.platform} ${process.arch}. Contenders take turns, round by round; figures are medians.`,
);
say(
  "Where nothing else is said, a second is one of processor time. Times and rates depend on the machine: ratios hold.",
);

const bars = [];
for (const name of asked.length > 0 ? asked : TOPICS) {
  const topic = await import(`./${name}.mjs`);
  say(`\n${topic.title}`);
  bars.push(...(await topic.run()));
}
say(`\n${bars.filter((holds) => holds).length} of ${bars.length} bars hold.`);
