/** `npm run build -- --watch` builds again what has changed, and says what it could not build. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { isFresh, watchBuild } from "../scripts/quick-build.mjs";
import { pathFromRoot } from "./support/render-indexes.js";

it("builds again with each change, and after one that fails, too", async () => {
  const folder = mkdtempSync(pathFromRoot("node_modules/.cache-watch-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [dist, entry] = [join(folder, "dist"), join(folder, "entry.ts")];
  const write = (text: string) => writeFileSync(entry, text);
  const builtFile = () => readFileSync(join(dist, "entry.js"), "utf8");
  const ends: number[] = [];
  write("export const word: string = 'first';");
  const watcher = await watchBuild({ dist, outbase: folder, entries: [entry], onBuilt: (errors) => ends.push(errors) });
  onTestFinished(() => watcher.stop());
  await expect.poll(() => ends).toEqual([0]);
  expect(builtFile()).toContain('"first"');
  expect(isFresh(dist, [entry])).toBe(true);
  write("export const word: string = 'second';");
  await expect.poll(() => ends.length).toBe(2);
  expect(builtFile()).toContain('"second"');
  write("export const word: string = ;");
  await expect.poll(() => ends.length).toBe(3);
  expect(ends[2]).toBeGreaterThan(0);
  expect(isFresh(dist, [entry])).toBe(false);
  write("export const word: string = 'third';");
  await expect.poll(() => ends.length).toBe(4);
  expect(builtFile()).toContain('"third"');
});
