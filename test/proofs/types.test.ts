/** Types as a host's compiler sees them: a program of TypeScript takes longer than any other test. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { pathFromRoot } from "../support/render-indexes.js";
import { documentPages, fileOf, openHost, snippetsOf } from "../support/snippets.js";
import { run } from "../support/stranger.js";

const COMPILER = pathFromRoot("node_modules/typescript/bin/tsc");
const TIMEOUT_MS = 300_000;

/** That every path has types is tried on the packed package (test/runtimes/declarations.mjs). */
const EXACT = `
  import { convertUnit } from "coinslot/capabilities/convert";
  const { items } = await convertUnit({ value: 1, from: "kg", to: "lb" });
  export const pounds: number = items[0].result;
  // @ts-expect-error: a number is no text, and this line is an error itself where the types are lost.
  export const text: string = items[0].result;
  // @ts-expect-error: "value" is a number.
  await convertUnit({ value: "1", from: "kg", to: "lb" });`;

it("every snippet in TypeScript has no errors of type, and inputs and results have exact ones", {
  timeout: TIMEOUT_MS,
}, async () => {
  const { project, remove } = openHost();
  onTestFinished(remove);
  const files = documentPages()
    .flatMap(snippetsOf)
    .filter(({ language, notRun, elsewhere }) => language === "ts" && (notRun ?? elsewhere) === undefined);
  const names = files.map((snippet) => `${fileOf(snippet)}.ts`);
  for (const [index, name] of names.entries()) writeFileSync(join(project, name), files[index]?.code ?? "");
  writeFileSync(join(project, "exact.ts"), EXACT);
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2023"];
  const compiled = run(process.execPath, [COMPILER, ...options, "exact.ts", ...names], { cwd: project });
  const { stdout } = await compiled.catch((failed: { stdout: string }) => failed);
  expect([names.length > 0, stdout]).toEqual([true, ""]);
});
