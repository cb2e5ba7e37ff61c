/** One odd record among healthy ones: in every list of every recording, the last one that has a key is without it, or has null. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { capabilities } from "../../src/capabilities/index.js";
import type { AnyCapability } from "../../src/capability/types.js";
import { CapabilityError } from "../../src/errors.js";
import { silent } from "../../src/lib/logger.js";
import { type Recording, readRecordings, replay, writeTables } from "../support/recordings.js";
import { pathFromRoot } from "../support/render-indexes.js";

const FOLDER = pathFromRoot("../shared/upstreams/recorded");
const present = existsSync(FOLDER);
const { cases, tables } = present ? readRecordings(FOLDER) : { cases: [], tables: [] };
const dataDir = mkdtempSync(join(tmpdir(), "odd-records-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
writeTables(tables, dataDir);
const byId = new Map<string, AnyCapability>(capabilities.map((capability) => [capability.id, capability]));

/** What no record of a list may lack, and why. */
const REFUSED: Record<string, string> = {
  "crypto.perpvenue-funding [].universe": "is the list of markets, beside that of their states",
};

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
const isObject = (value: unknown): value is { [name: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

type Visit = (object: { [name: string]: Json }, name: string, path: string) => void;

/** Every key of every record of a list of several, with its path. */
function visitRecords(value: unknown, visit: Visit, path = "", isInList = false): void {
  if (Array.isArray(value))
    for (const inner of value) visitRecords(inner, visit, `${path}[]`, isInList || value.length > 1);
  else if (isObject(value))
    for (const [name, inner] of Object.entries(value)) {
      const here = `${path}.${/^\d+$/.test(name) ? "*" : name}`;
      if (isInList && /^[a-z_$@:.-][\w$@:. -]*$/i.test(name)) visit(value, name, here);
      visitRecords(inner, visit, here, isInList);
    }
}

/** A copy in which the last record with the key has it no more, or null for it. */
function withOddRecord<Body>(
  body: Body,
  target: string,
  change: (object: { [name: string]: Json }, name: string) => void,
) {
  const copy = structuredClone(body);
  let last: (() => void) | undefined;
  visitRecords(copy, (object, name, path) => {
    if (path === target) last = () => change(object, name);
  });
  last?.();
  return copy;
}

const CHANGES = [
  (object: { [name: string]: Json }, name: string) => Reflect.deleteProperty(object, name),
  (object: { [name: string]: Json }, name: string) => {
    object[name] = null;
  },
];

function play(capability: AnyCapability, { input, now, secrets }: Recording, exchanges: Recording["exchanges"]) {
  const required = Object.fromEntries(capability.requires.map((name) => [name, "test-key"]));
  const clock = now === undefined ? {} : { clock: () => new Date(now) };
  const { fetch } = replay(exchanges);
  const options = {
    fetch,
    dataDir,
    secrets: { ...required, ...secrets },
    cache: false as const,
    logger: silent,
    ...clock,
  };
  return capability(input, options).then(
    () => undefined,
    (error: unknown) => error,
  );
}

test.skipIf(!present)(
  "one odd record of a list does not take the others with it",
  async () => {
    const refused = new Set<string>();
    let changes = 0;
    for (const recorded of cases) {
      const capability = byId.get(recorded.capability);
      if (!capability || recorded.capability.startsWith("ai.")) continue;
      if ((await play(capability, recorded, recorded.exchanges)) !== undefined) continue;
      for (const [index, exchange] of recorded.exchanges.entries()) {
        if (exchange.status !== 200 || typeof exchange.body !== "object") continue;
        const paths = new Set<string>();
        visitRecords(exchange.body, (_, __, path) => paths.add(path));
        for (const path of paths)
          for (const change of CHANGES) {
            const body = withOddRecord(exchange.body, path, change);
            const error = await play(capability, recorded, recorded.exchanges.with(index, { ...exchange, body }));
            changes++;
            if (CapabilityError.is(error) && error.code === "UPSTREAM_SCHEMA")
              refused.add(`${recorded.capability} ${path}`);
          }
      }
    }
    console.info(`${changes} lists with one odd record, of which ${refused.size} are refused.`);
    expect(changes).toBeGreaterThan(1000);
    expect([...refused].sort()).toEqual(Object.keys(REFUSED).sort());
  },
  900_000,
);
