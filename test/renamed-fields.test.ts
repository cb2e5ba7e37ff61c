/** Every field of every recording under another name, one at a time: what an upstream's change costs a buyer. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { capabilities } from "../src/capabilities/index.js";
import type { AnyCapability } from "../src/capability/types.js";
import { silent } from "../src/lib/logger.js";
import { type Recording, readRecordings, replay, writeTables } from "./support/recordings.js";
import { pathFromRoot } from "./support/render-indexes.js";

const FOLDER = pathFromRoot("../shared/upstreams/recorded");
const present = existsSync(FOLDER);
const { cases, tables } = present ? readRecordings(FOLDER) : { cases: [], tables: [] };
const dataDir = mkdtempSync(join(tmpdir(), "renamed-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
writeTables(tables, dataDir);
const byId = new Map<string, AnyCapability>(capabilities.map((capability) => [capability.id, capability]));

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
const isObject = (value: unknown): value is { [name: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Of all rows of a list as one. */
function pathsIn(value: unknown, path = "", found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const inner of value) pathsIn(inner, `${path}[]`, found);
  else if (isObject(value))
    for (const [name, inner] of Object.entries(value)) {
      // A table by ids or by days has no names that an upstream could change.
      if (/^[a-z_$@:.-][\w$@:. -]*$/i.test(name) && name.length < 60) found.add(`${path}.${name}`);
      pathsIn(inner, `${path}.${name}`, found);
    }
  return found;
}

function renamed(value: unknown, target: string, path = ""): unknown {
  if (Array.isArray(value)) return value.map((inner) => renamed(inner, target, `${path}[]`));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const here = `${path}.${name}`;
      return here === target ? [`${name}Renamed`, inner] : [name, renamed(inner, target, here)];
    }),
  );
}

/** The facts of a result by path, rows together: how many of each are there. */
function factsOf(value: unknown, path = "", found = new Map<string, number>()): Map<string, number> {
  if (Array.isArray(value)) for (const inner of value) factsOf(inner, `${path}[]`, found);
  else if (isObject(value)) for (const [name, inner] of Object.entries(value)) factsOf(inner, `${path}.${name}`, found);
  else if (value !== null && value !== undefined && value !== "") found.set(path, (found.get(path) ?? 0) + 1);
  return found;
}

function play(capability: AnyCapability, { input, now, secrets }: Recording, exchanges: Recording["exchanges"]) {
  const { fetch } = replay(exchanges);
  const required = Object.fromEntries(capability.requires.map((name) => [name, "test-key"]));
  const clock = now === undefined ? {} : { clock: () => new Date(now) };
  const options = {
    fetch,
    dataDir,
    secrets: { ...required, ...secrets },
    cache: false as const,
    logger: silent,
    ...clock,
  };
  return capability(input, options).catch(() => undefined);
}

/** How many changes may pass unnoticed: only ever lower it. `PROOFS=1` counts them, which takes minutes; `RENAMED=1` lists them. */
const MOST_UNNOTICED = 1080;

test.skipIf(!present || process.env.PROOFS === undefined)(
  "a field that an upstream renames is noticed, or was one that it may leave out",
  async () => {
    const unnoticed: string[] = [];
    let changes = 0;
    for (const recorded of cases) {
      const capability = byId.get(recorded.capability);
      if (!capability || recorded.capability.startsWith("ai.")) continue;
      const before = await play(capability, recorded, recorded.exchanges);
      if (before === undefined) continue;
      const facts = factsOf(before);
      for (const [index, exchange] of recorded.exchanges.entries()) {
        if (exchange.status !== 200 || !(isObject(exchange.body) || Array.isArray(exchange.body))) continue;
        for (const path of pathsIn(exchange.body)) {
          const changed = recorded.exchanges.with(index, { ...exchange, body: renamed(exchange.body, path) });
          const after = await play(capability, recorded, changed);
          changes++;
          if (after === undefined) continue;
          const left = factsOf(after);
          const lost = [...facts.keys()].filter((fact) => !/^\.(?:source|meta|total)/.test(fact) && !left.has(fact));
          if (lost.length > 0) unnoticed.push(`${recorded.capability} ${path}: ${lost.slice(0, 3).join(" ")}`);
        }
      }
    }
    const distinct = [...new Set(unnoticed)].sort();
    console.info(`${changes} changes, of which ${distinct.length} leave a fact out of an answer that is sold.`);
    if (process.env.RENAMED) console.info(distinct.join("\n"));
    expect(distinct.length).toBeLessThanOrEqual(MOST_UNNOTICED);
  },
  600_000,
);
