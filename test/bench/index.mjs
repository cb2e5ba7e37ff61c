// Run by `npm run bench`; `node test/bench/index.mjs unpaid barcodes` runs only those.
import { say } from "./measure.mjs";

const TOPICS = ["unpaid", "sockets", "paid", "cold-start", "bundle-size"];

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !TOPICS.includes(name));
if (unknown.length > 0) throw new Error(`No topic ${unknown.join(", ")}; there are ${TOPICS.join(", ")}.`);

say(`Node ${process.version} on ${process.platform} ${process.arch}. Contenders take turns, round by round.`);
say("Figures are medians: times and rates depend on the machine and on what else it does, the ratios hold.");

const bars = [];
for (const name of asked.length > 0 ? asked : TOPICS) {
  const topic = await import(`./${name}.mjs`);
  say(`\n${topic.title}`);
  bars.push(...(await topic.run()));
}
say(`\n${bars.filter((holds) => holds).length} of ${bars.length} bars hold.`);
