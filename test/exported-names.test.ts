/**
 * One exported name, one meaning: no two files of an area export different things under the same name, and no more than
 * two areas export the same name. An area is a folder of src, and of src/engines, whose topics know nothing of each other.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pathFromRoot } from "./support/render-indexes.js";

/** Names that several files of an area export for a reason: each is the same thing to its users. */
const SHARED: Readonly<Record<string, string>> = {
  "discovery words": "the words of each language, loaded by its code",
  "providers inventory": "the keys of each provider's answers, generated beside it",
  "cli run": "each command of the command line exports one, loaded by the command's name",
  "docs Reference": "an endpoint in words: as the host writes it, and as the page reads it",
  "lib importCanvas": "a package, and its absence on Cloudflare Workers",
  "lib importPuppeteer": "a package, and its absence on Cloudflare Workers",
  "lib importUndici": "a package, and its absence on Cloudflare Workers",
  "payment lacksFunds": "each family of rails answers the same question of its own chain",
  "stores CoinslotStore": "the class where there are Durable Objects, and the one that says where they are",
};

const DECLARED =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;

/** The files that declare each exported name, by area and name. */
function exportedNames(): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const file of readdirSync(pathFromRoot("src"), { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".ts")) continue;
    const [room = "", topic = ""] = file.split(/[\\/]/);
    const area = room === "engines" ? `engines/${topic}` : room;
    const text = readFileSync(join(pathFromRoot("src"), file), "utf8");
    for (const name of new Set(Array.from(text.matchAll(DECLARED), ([, declared]) => `${area} ${declared}`)))
      names.set(name, [...(names.get(name) ?? []), file]);
  }
  return names;
}

test("an exported name has one meaning within its area", () => {
  const names = exportedNames();
  const repeated = [...names].filter(([name, files]) => files.length > 1 && !(name in SHARED));
  expect(repeated.map(([name, files]) => `${name}: ${files.sort().join(", ")}`).sort()).toEqual([]);
  expect(
    Object.keys(SHARED).filter((name) => (names.get(name)?.length ?? 0) < 2),
    "no reason is needed",
  ).toEqual([]);
});

/** In how many areas a name may be exported: each further one makes a search for it harder to read. */
const MOST_AREAS = 2;

test("an exported name recurs in no more than two areas", () => {
  const areas = new Map<string, string[]>();
  for (const entry of exportedNames().keys()) {
    const [area = "", name = ""] = entry.split(" ");
    areas.set(name, [...(areas.get(name) ?? []), area]);
  }
  expect(areas.size).toBeGreaterThan(1000);
  const everywhere = [...areas].filter(([, among]) => among.length > MOST_AREAS);
  expect(everywhere.map(([name, among]) => `${name}: ${among.sort().join(", ")}`)).toEqual([]);
});
