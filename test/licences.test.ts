/** An install: how heavy, and whose. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { builtIn, defaultTree, sizeOf } from "./support/installed-tree.js";
import { pathFromRoot } from "./support/render-indexes.js";
import { dataFiles } from "./support/render-licences.js";

const PERMISSIVE = [
  ...["0BSD", "Apache-2.0", "BlueOak-1.0.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "MIT-0"],
  ...["PSF-2.0", "Unlicense", "Zlib"],
];
/** Of the packages that hold data beside their code. */
const DATA = ["CC-BY-3.0"];

/** Parts of an expression of SPDX, all of which have to be allowed, whatever word is between them. */
const partsOf = (licence: string) => licence.replace(/[()]/g, "").split(/ (?:AND|OR) /);
const refused = (packages: ReturnType<typeof defaultTree>, allowed: readonly string[]) =>
  packages
    .filter(({ licence }) => !partsOf(licence).every((part) => allowed.includes(part)))
    .map(({ name, licence }) => `${name}: ${licence}`);

describe("what an install brings", () => {
  it("is code under permissive licences alone", () => {
    expect(refused(defaultTree(), PERMISSIVE)).toEqual([]);
    expect(refused(builtIn(), [...PERMISSIVE, ...DATA])).toEqual([]);
    expect(defaultTree().map(({ name }) => name)).toContain("zod");
    expect(builtIn().map(({ name }) => name)).toContain("astronomia");
    const wrong = [{ name: "a", version: "1.0.0", licence: "MIT OR GPL-3.0", folder: "" }];
    expect(refused(wrong, PERMISSIVE)).toEqual(["a: MIT OR GPL-3.0"]);
  });

  it("is under 45 packages and 50 MB, ourselves counted", () => {
    const tree = defaultTree();
    expect(tree.length + 1).toBeLessThan(45);
    const bytes = tree.reduce((sum, { folder }) => sum + sizeOf(folder), sizeOf(pathFromRoot("dist")));
    expect(bytes).toBeGreaterThan(10e6);
    expect(bytes).toBeLessThan(50e6);
  });

  it("has no viem, no font and no browser", () => {
    const names = defaultTree().map(({ name }) => name);
    expect(names.filter((name) => /viem|ox|font|puppeteer|chromium|solana|openai|date-holidays/.test(name))).toEqual(
      [],
    );
  });
});

it("every table that a script made of others' data names its licence, and stands in docs/licences.md", () => {
  const page = readFileSync(pathFromRoot("docs/licences.md"), "utf8");
  const files = dataFiles();
  expect(files.length).toBeGreaterThan(7);
  for (const { path, notice } of files) {
    expect(notice, path).toMatch(
      /\b(?:MIT|ISC|Apache-2\.0|ODbL|CC0|CC BY|OFL|EUPL|MPL|public domain|Bitstream Vera)\b/,
    );
    expect(page).toContain(`\`${path}\``);
  }
});
