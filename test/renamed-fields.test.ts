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

/** A table by ids or by years: its keys are data, and what lies below any of them is one place. */
const place = (name: string) => (/^\d+$/.test(name) ? "*" : name);

/** Of all rows of a list as one. */
function pathsIn(value: unknown, path = "", found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const inner of value) pathsIn(inner, `${path}[]`, found);
  else if (isObject(value))
    for (const [name, inner] of Object.entries(value)) {
      // A table by days has no names that an upstream could change.
      if (/^[a-z_$@:.-][\w$@:. -]*$/i.test(name) && name.length < 60) found.add(`${path}.${name}`);
      pathsIn(inner, `${path}.${place(name)}`, found);
    }
  return found;
}

function renamed(value: unknown, target: string, path = ""): unknown {
  if (Array.isArray(value)) return value.map((inner) => renamed(inner, target, `${path}[]`));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const here = `${path}.${place(name)}`;
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

function play(
  capability: AnyCapability,
  { input, now, secrets }: Recording,
  exchanges: Recording["exchanges"],
  change = "",
) {
  const fetch = refusesColumn(replay(exchanges).fetch, change);
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

/** An answer that says of a part that it could not be had hides nothing. */
const failuresIn = (value: unknown) =>
  JSON.stringify(value).match(/"(?:error|unavailable)"|UPSTREAM_SCHEMA|"databaseError":true/g)?.length ?? 0;

const wordsOf = (text: string) =>
  text
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .match(/[a-z]{3,}/g)
    ?.map((word) => word.replace(/(?:ies|y)$/, "i").replace(/e?s$/, "")) ?? [];

/** Whether the summary of a capability speaks of a fact: has the last words of its path. */
function isNamed(fact: string, summary: string): boolean {
  const said = new Set(wordsOf(summary));
  return wordsOf(fact.slice(fact.lastIndexOf(".") + 1)).some((word) => said.has(word));
}

/** Whether some object that the way leads to lacks its last field, or has nothing in it. */
function isLackedIn(value: unknown, [name = "", ...rest]: readonly string[]): boolean {
  if (Array.isArray(value)) return value.some((inner) => isLackedIn(inner, [name, ...rest]));
  if (!isObject(value)) return false;
  const inner = value[name];
  if (rest.length > 0) return isLackedIn(inner, rest);
  return inner == null || inner === "" || (typeof inner === "object" && Object.keys(inner).length === 0);
}

/** A portal of Socrata refuses a column that it is asked for and has not; where none is named it leaves it out. */
const refusesColumn = (fetch: typeof globalThis.fetch, path: string): typeof globalThis.fetch => {
  const [, column = ""] = /^\[\]\.(\w+)$/.exec(path) ?? [];
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input));
    const asked = url.searchParams.get("$select")?.split(",") ?? [];
    if (!asked.includes(column)) return fetch(input, init);
    return Response.json({ errorCode: "query.soql.no-such-column", data: { column } }, { status: 400 });
  };
};

/** How many changes may pass unnoticed: only ever lower it. `PROOFS=1` runs it; `RENAMED=1` lists them. */
const MOST_UNNOTICED = 1;

/**
 * Why an upstream may leave out what is read of it, so that nobody can tell an absence from a new name. Of the fields whose
 * facts a summary speaks of, each has the place where a recording that is sold lacks it. No others of these pass.
 */
const LEFT_OUT: Record<string, { because: string; named?: Record<string, string> }> = {
  "aviation.metar": {
    because: "gusts and weather are of some reports only, whose raw text says of which",
    named: { "[].wgst": "[].wgst", "[].wxString": "[].wxString" },
  },
  "bank.lookup": { because: "what is empty is left out, as of a new bank" },
};

test.skipIf(!present)(
  "a field that an upstream renames is noticed, or was one that it may leave out",
  async () => {
    const unnoticed = new Map<string, string[]>();
    const told = new Set<string>();
    const unproven = new Set(
      Object.entries(LEFT_OUT).flatMap(([id, { named }]) => Object.values(named ?? {}).map((path) => `${id} ${path}`)),
    );
    let changes = 0;
    for (const recorded of cases) {
      const capability = byId.get(recorded.capability);
      if (!capability || recorded.capability.startsWith("ai.")) continue;
      const before = await play(capability, recorded, recorded.exchanges);
      if (before === undefined) continue;
      const facts = factsOf(before);
      for (const claim of unproven) {
        const [id, path = ""] = claim.split(" ");
        const way = path.replaceAll("[]", "").split(".").slice(1);
        if (id === recorded.capability && recorded.exchanges.some(({ body }) => isLackedIn(body, way)))
          unproven.delete(claim);
      }
      for (const [index, exchange] of recorded.exchanges.entries()) {
        if (exchange.status !== 200 || !(isObject(exchange.body) || Array.isArray(exchange.body))) continue;
        for (const path of pathsIn(exchange.body)) {
          const changed = recorded.exchanges.with(index, { ...exchange, body: renamed(exchange.body, path) });
          const after = await play(capability, recorded, changed, path);
          changes++;
          if (after === undefined) continue;
          const left = factsOf(after);
          const isLost = (fact: string) => !left.has(fact) && !left.has(`${fact}Renamed`);
          const lost = [...facts.keys()].filter((fact) => !/^\.(?:source|meta|total)/.test(fact) && isLost(fact));
          const change = `${recorded.capability} ${path}`;
          if (lost.length === 0) continue;
          if (failuresIn(after) > failuresIn(before)) told.add(change);
          else unnoticed.set(change, [...new Set([...(unnoticed.get(change) ?? []), ...lost])]);
        }
      }
    }
    const named = [...unnoticed].flatMap(([change, lost]) => {
      const [id = "", ...path] = change.split(" ");
      const summary = byId.get(id)?.summary ?? "";
      const allowed = Object.keys(LEFT_OUT[id]?.named ?? {});
      return lost.some((fact) => isNamed(fact, summary)) && !allowed.includes(path.join(" ")) ? [change] : [];
    });
    console.info(
      `${changes} changes, of which ${unnoticed.size} leave a fact out of an answer that is sold; ${told.size} are told in it.`,
    );
    if (process.env.RENAMED) for (const [change, lost] of unnoticed) console.info(change, "->", ...lost.slice(0, 3));
    expect(named, "facts of summaries").toEqual([]);
    expect([...unproven], "fields that no recording lacks").toEqual([]);
    expect([...unnoticed.keys()].filter((change) => !LEFT_OUT[change.split(" ")[0] ?? ""])).toEqual([]);
    expect(unnoticed.size).toBeLessThanOrEqual(MOST_UNNOTICED);
  },
  600_000,
);
