/**
 * Feeds random and broken inputs to the endpoints that read callers' texts: for each, until a number of inputs or a time
 * is reached. An answer, or a refusal with a status of 400, is right; another error, a thread that dies, and an input
 * that takes too long are findings, and so ends with status 1.
 *
 *   node scripts/suites/fuzz.mjs [--only json.repair]... [--minutes 10] [--inputs 1000000] [--seed 1] [--timeout 9]
 *
 * `--only` is a parser's name, or the beginning of some, or the name of a generator. A generator is a file beside this
 * one, `fuzz/<name>.mjs`, which exports `parsers`: by name, a function that makes an input of `random` alone. A parser is
 * an endpoint, or one of its formats ("bank.statement mt940"). The sources are built without the files of threads, so
 * that all runs in the one thread that is watched: what another thread would end by its limits is a finding here.
 */
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { build } from "esbuild";
import { isBundled, vendorFile } from "../bundled.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const BUILT = `${root}node_modules/.cache/coinslot-fuzz`;
/** Inputs between two messages. */
const BATCH = 200;
const MAX_FINDINGS = 20;

/** Mulberry32: numbers from 0 to 1, the same for the same seed, with what generators need. */
function randomOf(seed) {
  let state = seed >>> 0;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const below = (count) => Math.floor(random() * count);
  const pick = (list) => list[below(list.length)];
  /** Damages a text at a few places: cuts, doubles, swaps, or puts one of `pieces` there. */
  const damage = (text, pieces) => {
    let damaged = text;
    for (let left = below(4); left > 0; left--) {
      const at = below(damaged.length + 1);
      const until = at + below(8);
      const [before, part, after] = [damaged.slice(0, at), damaged.slice(at, until), damaged.slice(until)];
      damaged = pick([
        before + after,
        before + part + part + after,
        before + pick(pieces) + after,
        before + pick(pieces) + part + after,
      ]);
    }
    return damaged;
  };
  return Object.assign(random, { below, pick, damage });
}

const generatorOf = async (name) => (await import(new URL(`fuzz/${name}.mjs`, import.meta.url).href)).parsers;

async function answerOf(call, input) {
  try {
    await call(input);
  } catch (error) {
    if (error.status !== 400) return `${error.code ?? error.name}: ${error.message} ${error.cause?.stack ?? ""}`;
  }
  return undefined;
}

/** In the thread: tells how many inputs it is through with, and each finding. */
async function work({ from, inputs, place, ...task }) {
  const { capabilities } = await import(`${BUILT}/index.js`);
  const call = capabilities.find(({ id }) => id === task.endpoint);
  const make = (await generatorOf(task.generator))[task.parser];
  const random = randomOf(task.seed);
  const next = () => make(random);
  for (let i = 0; i < from; i++) next();
  parentPort.postMessage({ isReady: true });
  for (let i = from; i < inputs; i++) {
    Atomics.store(place, 0, i);
    const input = next();
    const found = await answerOf(call, input);
    if (found) parentPort.postMessage({ found, input: JSON.stringify(input).slice(0, 2_000) });
    if (i % BATCH === 0) await new Promise(setImmediate);
  }
  parentPort.postMessage({ isDone: true });
}

/** One thread from an input on, to the last, to the time, or to where it hangs or dies. Returns where it came. */
function runThread(task, { from, inputs, until, timeoutMs, report }) {
  const place = new Int32Array(new SharedArrayBuffer(4));
  Atomics.store(place, 0, from);
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { ...task, from, inputs, place },
    resourceLimits: { maxOldGenerationSizeMb: 512, stackSizeMb: 4 },
  });
  return new Promise((resolve) => {
    // A thread that makes the inputs of the one before it anew is not slow.
    let last = { at: from, since: Number.POSITIVE_INFINITY };
    const end = (reached, found) => {
      clearInterval(timer);
      if (found) report(found, reached);
      void worker.terminate().then(() => resolve(found ? reached + 1 : reached));
    };
    const timer = setInterval(() => {
      const [at, now] = [Atomics.load(place, 0), performance.now()];
      if (at !== last.at) last = { at, since: now };
      if (now > until) end(at);
      else if (now - last.since > timeoutMs) end(at, `took more than ${timeoutMs} ms`);
    }, 500);
    worker.on("message", ({ isReady, isDone, found, input }) => {
      if (isReady) last = { at: from, since: performance.now() };
      else if (isDone) end(inputs);
      else if (found) report(found, undefined, input);
    });
    worker.on("error", (error) => end(Atomics.load(place, 0), `the thread died: ${error.code ?? error.message}`));
  });
}

async function fuzz(task, { minutes, inputs, timeout }) {
  const findings = new Map();
  const began = performance.now();
  const until = began + minutes * 60_000;
  const report = (found, at, input) => {
    if (findings.size < MAX_FINDINGS && !findings.has(found)) findings.set(found, input ?? `input ${at}`);
  };
  let from = 0;
  while (from < inputs && performance.now() < until && findings.size < MAX_FINDINGS)
    from = await runThread(task, { from, inputs, until, timeoutMs: timeout * 1_000, report });
  const spent = ((performance.now() - began) / 60_000).toFixed(2);
  const facts = [`seed ${task.seed}`, `${from} inputs`.padStart(14), `${spent} minutes`, `${findings.size} findings`];
  console.log([task.parser.padEnd(32), ...facts].join("  "));
  for (const [found, input] of findings) console.log(`  ${found}\n    ${input}`);
  return findings.size;
}

/** The parsers that are asked for, in the order of the asking. */
async function tasks(only, seed) {
  const all = [];
  for (const file of readdirSync(new URL("fuzz", import.meta.url))) {
    const generator = file.replace(/\.mjs$/, "");
    for (const parser of Object.keys(await generatorOf(generator)))
      all.push({ generator, parser, endpoint: parser.split(" ")[0], seed });
  }
  return only.flatMap((name) => {
    const exact = all.filter(({ parser }) => parser === name);
    return exact.length > 0 ? exact : all.filter((one) => one.generator === name || one.parser.startsWith(name));
  });
}

/** Libraries that are built in have bounds of ours there, so what `npm run build` made of them is fed. */
const asBuiltIn = {
  name: "as-built-in",
  setup: ({ onResolve }) => {
    onResolve({ filter: /^[^./]/ }, ({ path }) =>
      isBundled(path) ? { path: `${root}${vendorFile(path)}`, external: true } : undefined,
    );
  },
};

async function main() {
  const { values } = parseArgs({
    options: {
      only: { type: "string", multiple: true, default: [""] },
      minutes: { type: "string", default: "10" },
      inputs: { type: "string", default: "1000000" },
      seed: { type: "string", default: "1" },
      timeout: { type: "string", default: "9" },
    },
  });
  const [minutes, inputs, seed, timeout] = [values.minutes, values.inputs, values.seed, values.timeout].map(Number);
  await build({
    ...{ absWorkingDir: root, outdir: BUILT, logLevel: "warning", entryPoints: ["src/capabilities/index.ts"] },
    ...{ bundle: true, splitting: true, packages: "external", format: "esm", platform: "node", target: "node20.19" },
    plugins: [asBuiltIn],
  });
  let found = 0;
  for (const task of await tasks(values.only, seed)) found += await fuzz(task, { minutes, inputs, timeout });
  process.exitCode = found > 0 ? 1 : 0;
}

await (isMainThread ? main() : work(workerData));
