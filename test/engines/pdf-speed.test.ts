/** PDF.js as it is built in does nothing in vain, and gives what it gave. */
import { expect, test } from "vitest";
import { changed } from "../../scripts/bundled-pdf-patches.mjs";
import { runBuiltPdfjs } from "../support/built-pdfjs.js";
import { pdfOf, ruleFrom, textAt } from "../support/pdf.js";

const PICTURE = "q 50 0 0 50 20 20 cm BI /W 1 /H 1 /CS /RGB /BPC 8 ID abc EI Q\n";
const PAGE = pdfOf({
  pages: [
    { content: `${ruleFrom(50, 700, 300, 700)}${textAt(60, 680, "tea")}q 2 0 0 2 9 9 cm 1 2 30 40 re f Q\n${PICTURE}` },
  ],
});

/** Operators of a page by name, and what they draw. */
const LIST = `
const names = Object.fromEntries(Object.entries(OPS).map(([name, operator]) => [operator, name]));
const listOf = async (intent) => {
  const { fnArray, argsArray } = await page.getOperatorList({ intent });
  return fnArray.map((operator, i) => [names[operator], argsArray[i]]);
};
answer({ lines: await listOf("lines"), all: await listOf("display") });`;

test("for lines alone, texts and pictures are left out, and all lines stay where they were", async () => {
  const { lines, all } = (await runBuiltPdfjs(PAGE, LIST)) as Record<"lines" | "all", [string, unknown][]>;
  const namesOf = (list: [string, unknown][]) => [...new Set(list.map(([name]) => name))].sort();
  expect(namesOf(all)).toEqual(
    expect.arrayContaining(["showText", "setFont", "paintInlineImageXObject", "constructPath", "transform"]),
  );
  expect(namesOf(lines)).toEqual(["constructPath", "restore", "save", "transform"]);
  expect(lines).toEqual(all.filter(([name]) => namesOf(lines).includes(name)));
});

test("texts are handed over without a copy, as many times as they are asked for", async () => {
  const { copies, texts } = (await runBuiltPdfjs(
    PAGE,
    `const readText = async () => (await page.getTextContent()).items.map(({ str }) => str).join("");
     answer({ texts: [await readText(), await readText()], copies });`,
    `const { structuredClone: clone } = globalThis;
     let copies = 0;
     globalThis.structuredClone = (value, ...more) => {
       if (value?.chunk?.items) copies++;
       return clone(value, ...more);
     };`,
  )) as { copies: number; texts: string[] };
  expect(texts).toEqual(["tea", "tea"]);
  expect(copies).toBe(0);
});

test("the process keeps its own push", async () => {
  const keep = "const { push } = Array.prototype;";
  expect(await runBuiltPdfjs(PAGE, "answer(Array.prototype.push === push);", keep)).toBe(true);
});

test("a PDF.js whose code is another is not built in", () => {
  expect(() => changed("pdf.mjs", "class LoopbackPort {}")).toThrow("PDF.js has changed");
});
