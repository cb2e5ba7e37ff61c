import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createHandler } from "coinslot";
import * as store from "coinslot/capabilities/store";
import { printBar, printRates, race, ratio, say } from "./measure.mjs";

const COUNT = 3000;
const DIM = 384;
const TOP = 10;
const QUERIES = 20;

export const title = `The ten nearest of ${COUNT} vectors of ${DIM} numbers, by cosine, beside an exact scan in memory`;

/** The same numbers in every run. */
function numbersFrom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
}

const next = numbersFrom(7);
const vector = () => Array.from({ length: DIM }, next);
const cosine = (a, b) => {
  let [dot, aa, bb] = [0, 0, 0];
  for (let i = 0; i < DIM; i++) {
    dot += a[i] * b[i];
    aa += a[i] * a[i];
    bb += b[i] * b[i];
  }
  return dot / Math.sqrt(aa * bb);
};

export async function run() {
  const folder = await mkdtemp(join(tmpdir(), "coinslot-bench-"));
  const handle = createHandler({
    capabilities: Object.values(store),
    payment: false,
    wallets: { dataDir: folder, limits: { bytes: 2 ** 30 } },
  });
  const call = (id, input) => handle.call(id, input, { wallet: "bench" });
  const kept = Array.from({ length: COUNT }, (_, i) => ({ id: `v${i}`, embedding: vector() }));
  const loop = monitorEventLoopDelay({ resolution: 5 });
  loop.enable();
  const startedAt = performance.now();
  for (const one of kept) await call("store.vector-upsert", { ns: "n", ...one });
  say(`  ${((performance.now() - startedAt) / COUNT).toFixed(2)} ms to keep one.`);
  const keptMs = loop.percentile(99) / 1e6;
  loop.disable();
  const floats = kept.map(({ id, embedding }) => ({ id, embedding: Float32Array.from(embedding) }));

  const ours = async (embedding) => (await call("store.vector-query", { ns: "n", embedding, topK: TOP })).items;
  const exact = (embedding) =>
    floats
      .map((one) => ({ id: one.id, score: cosine(one.embedding, embedding) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, TOP);
  const queries = Array.from({ length: QUERIES }, vector);
  let found = 0;
  for (const query of queries) {
    const ids = new Set((await ours(query)).map(({ id }) => id));
    found += exact(query).filter(({ id }) => ids.has(id)).length;
  }
  let asked = 0;
  const options = { clock: () => performance.now(), rounds: 7, count: QUERIES };
  const contenders = [
    { name: "store.vector-query", run: () => ours(queries[asked++ % QUERIES]) },
    { name: "exact, in memory", run: () => exact(queries[asked++ % QUERIES]) },
  ];
  const rates = await race(contenders, options);
  await handle.close();
  await rm(folder, { recursive: true, force: true });
  printRates(rates, "exact, in memory");
  say(
    `  WAL-61: the longest that others waited for this thread while vectors were kept, p99: ${keptMs.toFixed(0)} ms.`,
  );
  return [
    printBar("of the ten nearest are found", found / (TOP * QUERIES), { atLeast: 1 }),
    printBar("a query beside an exact scan in memory", ratio(rates, "store.vector-query", "exact, in memory"), {
      atLeast: 0.25,
    }),
  ];
}
