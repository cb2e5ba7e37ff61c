/**
 * Feeds random and broken inputs to the built endpoints that read callers' texts, until a time or a number is reached.
 * An answer, or a refusal with a status of 400, is right; another error, or an input that takes too long, is a finding.
 *
 *   node scripts/suites/fuzz.mjs [--only json] [--minutes 10] [--inputs 1000000] [--seed 1]
 *
 * A generator is a file beside this one, `fuzz/<name>.mjs`, which exports
 * `make(random)`: `{ endpoint: "json.repair", input: { ... } }`, made of `random` alone.
 */
import { readdirSync } from "node:fs";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    minutes: { type: "string", default: "10" },
    inputs: { type: "string", default: "1000000" },
    seed: { type: "string", default: "1" },
  },
});
const SLOW_MS = 9_000;
const { capabilities } = await import(new URL("../../dist/capabilities/index.js", import.meta.url).href);
const byId = new Map(capabilities.map((one) => [one.id, one]));

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

async function isFinding({ endpoint, input }) {
  const started = performance.now();
  try {
    await byId.get(endpoint)(input);
  } catch (error) {
    if (error.status !== 400) return `${error.code ?? error.name}: ${error.message} ${error.cause?.stack ?? ""}`;
  }
  const took = performance.now() - started;
  return took > SLOW_MS ? `took ${Math.round(took)} ms` : undefined;
}

async function run(name) {
  const { make } = await import(new URL(`fuzz/${name}.mjs`, import.meta.url).href);
  const random = randomOf(Number(values.seed));
  const until = performance.now() + Number(values.minutes) * 60_000;
  const findings = new Map();
  let count = 0;
  for (; count < Number(values.inputs) && performance.now() < until; count++) {
    const one = make(random);
    if (!byId.has(one.endpoint)) throw new Error(`${name}: unknown endpoint ${one.endpoint}`);
    const found = await isFinding(one);
    if (found && !findings.has(found) && findings.size < 20) findings.set(found, JSON.stringify(one).slice(0, 2_000));
  }
  console.log(`${name}: seed ${values.seed}, ${count} inputs, ${findings.size} findings`);
  for (const [found, one] of findings) console.log(`  ${found}\n    ${one}`);
  return findings.size;
}

const names = readdirSync(new URL("fuzz", import.meta.url)).map((file) => file.replace(/\.mjs$/, ""));
let found = 0;
for (const name of names.filter((name) => name.includes(values.only))) found += await run(name);
process.exitCode = found > 0 ? 1 : 0;
