/**
 * Lives through seeded worlds: `npm run simulate -- --seeds 10000 --from 1`, or one again with all that happens in it:
 * `npm run simulate -- --seed 4711`. With `--channels` they are worlds of payment channels, `--store redis` and
 * `--store postgres` instead of memory; with `--market` of resellers, and of clients whose shops lie; with `--accounts` of
 * accounts that are paid into ahead. Prints the first failures whole and exits non-zero if there are any.
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
    channels: { type: "boolean", default: false },
    market: { type: "boolean", default: false },
    accounts: { type: "boolean", default: false },
    store: { type: "string", default: "memory" },
    jobs: { type: "string", default: String(availableParallelism()) },
  },
});
if (!["memory", "redis", "postgres"].includes(values.store)) throw new Error("--store is memory, redis or postgres");
if (values.store !== "memory" && !values.channels) throw new Error("--store goes with --channels");
const kind = values.channels ? "channels/" : values.market ? "market/" : values.accounts ? "prepaid/" : "";
const single = values.seed !== undefined;
const list = values.only ?? values.seed;
const seeds = list
  ? list.split(",").map(Number)
  : Array.from({ length: Number(values.seeds) }, (_, i) => Number(values.from) + i);

/** Loaded on demand by the service, and with the bundle here. */
const LOADED = new Map([
  ["viem/utils", join(here, "remembered-viem.ts")],
  ["@noble/hashes/sha3.js", join(here, "remembered-keccak.ts")],
]);
const recovery = join(here, "remembered-recover.ts");
/** What takes real time is loaded with the bundle, or asked once for all worlds. */
const remember = {
  name: "remember",
  setup({ onResolve }) {
    onResolve({ filter: /^(?:viem\/utils|@noble\/hashes\/sha3\.js)$/ }, ({ path, importer }) => {
      const file = LOADED.get(path);
      return importer === file ? { external: true } : { path: file };
    });
    onResolve({ filter: /\/recover\.js$/ }, ({ importer }) => (importer === recovery ? undefined : { path: recovery }));
  },
};

/** Chunks of seeds go to whichever thread is free. */
async function run(outfile, server) {
  const fallen = [];
  let lived = 0;
  const chunks = [];
  for (let i = 0; i < seeds.length; i += CHUNK) chunks.push(seeds.slice(i, i + CHUNK));
  const work = async (_, thread) => {
    const store = server && { kind: values.store, url: server.url, name: `simulated_${thread}` };
    const worker = new Worker(outfile, { execArgv: ["--enable-source-maps"], workerData: { store } });
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

/** A private server of the kind that was asked for. */
async function startStore() {
  if (values.store === "memory") return undefined;
  const { outfile, remove } = await bundle(join(here, `../support/${values.store}.ts`));
  const started = await import(outfile).finally(remove);
  const server = await (values.store === "redis" ? started.startRedis() : started.startPostgres());
  if (!server) throw new Error(`there is no ${values.store} here`);
  return server;
}

const startedAt = performance.now();
const { outfile, remove } = await bundle(join(here, `${kind}worker.ts`), [remember]);
const server = await startStore();
const { fallen, lived } = await run(outfile, server).finally(() => Promise.all([remove(), server?.stop()]));
fallen.sort((a, b) => a.seed - b.seed);
for (const { seed, why, trace } of fallen.slice(0, MAX_SHOWN))
  console.log(`${trace.join("\n")}\nseed ${seed}: ${why}\n`);
for (const { seed, why } of fallen.slice(MAX_SHOWN)) console.log(`seed ${seed}: ${why}`);
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
console.log(
  `${lived} of ${seeds.length} worlds lived in ${seconds} s, ${fallen.length} fell${fallen.length ? `: --seed ${fallen[0].seed}` : ""}`,
);
process.exitCode = fallen.length > 0 || lived !== seeds.length ? 1 : 0;
