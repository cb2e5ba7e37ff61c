/** Each endpoint that asks nobody has an example that solves a task with it, and that runs. */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { capabilities } from "../src/capabilities/index.js";
import type { AnyCapability } from "../src/capability/types.js";
import { pathFromRoot } from "./support/render-indexes.js";

const EXAMPLES: [example: string, ...printed: string[]][] = [
  ["order", "{} { gln: 'checksum' }", "+ORDRSP:D:96A:UN'BGM+231+A1'", "'10115 Berlin'", "\\nEUR119.00\\n"],
  ["loan", "payment: '1032.80'", "payment: '1032.78'", "balance: '0.00'", "rate: 0.10296", "value: '4.37'"],
  [
    "appointment",
    ...["instant: '2026-03-27T09:00:00Z'", "inTheWay: [ 'Stand-up' ]"],
    ...["instant: '2026-03-30T08:00:00Z'", "'job: At 10:30 AM, only on Monday'"],
  ],
  ["model-output", "toConfirm: [ 'black' ]", "before: 2, after: 3", "'/items/0/count must be at least 1'"],
  ["reading-list", "How to brew! is left out: 1 and 1 lines differ.", "under: 'How to brew / Green'", "[EMAIL]"],
  ["dependencies", "@tea/kettle [ 'TEA-1, critical 9.8' ]", "@tea/cup [ 'not ^1.9.0', 'AGPL-3.0-only' ]"],
  ["pdf-changes", "'delete fresh', 'insert clear'", "looksTheSame: false", "changed: [], looksTheSame: true"],
];

it.each(EXAMPLES)("%s/app.js", async (example, ...printed) => {
  const { stdout } = await promisify(execFile)(process.execPath, [pathFromRoot(`examples/${example}/app.js`)]);
  for (const text of printed) expect(stdout).toContain(text);
});

it("each of these endpoints stands in an example that a test runs", () => {
  const tests = readdirSync(pathFromRoot("test")).filter((name) => /^examples.*\.test\.ts$/.test(name));
  const run = tests.map((name) => readFileSync(pathFromRoot(`test/${name}`), "utf8")).join("");
  const elsewhere = [...run.matchAll(/examples\/([\w-]+)\/app\.js/g)].map(([, name = ""]) => name);
  const ran = [...EXAMPLES.map(([name]) => name), ...elsewhere].flatMap((name) =>
    readdirSync(pathFromRoot(`examples/${name}`))
      .filter((file) => file.endsWith(".js"))
      .map((file) => readFileSync(pathFromRoot(`examples/${name}/${file}`), "utf8")),
  );
  const called = new Set(ran.flatMap((code) => [...code.matchAll(/\b([a-z]\w*)\(/g)].map(([, name]) => name)));
  const nameOf = (id: string) => id.replace(/[.-](\w)/g, (_, letter: string) => letter.toUpperCase());
  const offline = (capabilities as readonly AnyCapability[]).filter((capability) => capability.offline);
  expect(offline.map(({ id }) => id).filter((id) => !called.has(nameOf(id)))).toEqual([]);
});
