// Run by near.mjs as `node --expose-gc near-memory.mjs <group> <export> <few> <many>`: what the index of the data folder
// `many` keeps, and how far the process grew while it was loaded. Code and libraries are loaded before, with `few`.
import { setTimeout } from "node:timers/promises";

const [, , group, name, few, many] = process.argv;
const { [name]: capability } = await import(`coinslot/capabilities/${group}`);

const PLACE = { lat: 40, lon: -100 };
const MB = 1024 * 1024;

async function kept() {
  // Streams that have ended let go of their buffers in a later turn.
  await setTimeout(100);
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

await capability(PLACE, { dataDir: few });
const before = { kept: await kept(), rss: process.memoryUsage().rss };
const startedAt = performance.now();
await capability(PLACE, { dataDir: many });
const loadMs = performance.now() - startedAt;
const growth = process.resourceUsage().maxRSS * 1024 - before.rss;
console.log(JSON.stringify({ keptMb: ((await kept()) - before.kept) / MB, growthMb: growth / MB, loadMs }));
