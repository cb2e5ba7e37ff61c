/**
 * Lives through seeded worlds: `npm run simulate -- --seeds 10000 --from 1`, or one again with all that happens in it:
 * `npm run simulate -- --seed 4711`. Prints the first failures whole and exits non-zero if there are any.
 */
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { bundle } from "./bundle.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const MAX_SHOWN = 3;
const CHUNK = 50;

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "10000" },
    from: { type: "string", default: "1" },
    seed: { type: "string" },
    only: { type: "string" },
    jobs: { type: "string", default: String(availableParallelism()) },
  },
});
const single = values.seed !== undefined;
const list = values.only ?? values.seed;
const seeds = list
  ? list.split(",").map(Number)
  : Array.from({ length: Number(values.seeds) }, (_, i) => Number(values.from) + i);

const viem = join(here, "remembered-viem.ts");
const recovery = join(here, "remembered-recover.ts");
/** What takes real time is loaded with the bundle, or asked once for all worlds. */
const remember = {
  name: "remember",
  setup({ onResolve }) {
    onResolve({ filter: /^viem\/utils$/ }, ({ importer }) => (importer === viem ? { external: true } : { path: viem }));
    onResolve({ filter: /\/recover\.js$/ }, ({ importer }) => (importer === recovery ? undefined : { path: recovery }));
  },
};

/** Chunks of seeds go to whichever thread is free. */
async function run(outfile) {
  const fallen = [];
  let lived = 0;
  const chunks = [];
  for (let i = 0; i < seeds.length; i += CHUNK) chunks.push(seeds.slice(i, i + CHUNK));
  const work = async () => {
    const worker = new Worker(outfile, { execArgv: ["--enable-source-maps"] });
    const failed = once(worker, "error").then(([error]) => Promise.reject(error));
    worker.on("message", (message) => {
      if (message.fallen) fallen.push(message.fallen);
      if (message.trace) console.log(message.trace.join("\n"));
      if (message.done) worker.emit("done", message.done);
    });
    for (let chunk = chunks.shift(); chunk; chunk = chunks.shift()) {
      worker.postMessage({ seeds: chunk, trace: single });
      const [done] = await Promise.race([once(worker, "done"), failed]);
      lived += done;
    }
    failed.catch(() => {});
    await worker.terminate();
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));
  return { fallen, lived };
}

const startedAt = performance.now();
const { outfile, remove } = await bundle(join(here, "worker.ts"), [remember]);
const { fallen, lived } = await run(outfile).finally(remove);
fallen.sort((a, b) => a.seed - b.seed);
for (const { seed, why, trace } of fallen.slice(0, MAX_SHOWN))
  console.log(`${trace.join("\n")}\nseed ${seed}: ${why}\n`);
for (const { seed, why } of fallen.slice(MAX_SHOWN)) console.log(`seed ${seed}: ${why}`);
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
console.log(
  `${lived} of ${seeds.length} worlds lived in ${seconds} s, ${fallen.length} fell${fallen.length ? `: --seed ${fallen[0].seed}` : ""}`,
);
process.exitCode = fallen.length > 0 || lived !== seeds.length ? 1 : 0;
