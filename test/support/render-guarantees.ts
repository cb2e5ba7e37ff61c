/**
 * docs/guarantees.md: its rows are written by hand, and the column of tests is filled in here, from the titles that
 * begin with the number of a row.
 */
import { readdirSync, readFileSync } from "node:fs";
import { pathFromRoot } from "./render-indexes.js";

const ROW = /^\| ([A-Z]{1,4}-\d{1,3}) \| (.+?) \|(?: .* \|)?$/;
/** A text that begins with a number, as the first argument of a call (a title) or of a row of a table (a part of one). */
const TITLE = /(?:^\s*|(\[)|\()(["'`])((?:[A-Z]{1,4}-\d{1,3},? )+.*?)\2/gm;
const NUMBER = /\b([A-Z]{1,4})-\d{1,3}\b/g;

const NAMED_FILES = 3;

export interface Page {
  text: string;
  /** Numbers of rows that no test's title has. */
  untested: string[];
  /** Numbers in titles that no row has. */
  unpromised: string[];
  /** Numbers that stand in two rows. */
  repeated: string[];
}

export function renderGuarantees(page: string, files = testsOf()): Page {
  const rows = page.split("\n").map((line) => ROW.exec(line));
  const promised = rows.flatMap((row) => row?.[1] ?? []);
  const tests = filesByNumber(files, new Set(promised.map(familyOf)));
  const text = page
    .split("\n")
    .map((line, at) => {
      const [, number = "", promise] = rows[at] ?? [];
      return promise === undefined ? line : `| ${number} | ${promise} | ${named(tests.get(number) ?? [])} |`;
    })
    .join("\n");
  return {
    text,
    untested: promised.filter((number) => !tests.has(number)),
    unpromised: [...tests.keys()].filter((number) => !promised.includes(number)),
    repeated: promised.filter((number, at) => promised.indexOf(number) !== at),
  };
}

const familyOf = (number: string) => number.replace(/-.*/, "");

/** The files whose titles have a number. Behind its beginning, or in a table, a title may have other names of this form. */
function filesByNumber(files: Map<string, string>, families: Set<string>): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [file, source] of files)
    for (const [, isTable, , title = ""] of source.matchAll(TITLE)) {
      const numbers = [...title.matchAll(NUMBER)].filter(
        ({ 1: family = "", index }) => families.has(family) || (index === 0 && !isTable),
      );
      for (const [number] of numbers) {
        const known = found.get(number) ?? [];
        if (!known.includes(file)) found.set(number, [...known, file]);
      }
    }
  return found;
}

const testsOf = (): Map<string, string> =>
  new Map(
    readdirSync(pathFromRoot("test"), { recursive: true, encoding: "utf8" })
      // The test of this page has examples of titles, which test nothing.
      .filter((path) => path.endsWith(".test.ts") && path !== "generated.test.ts")
      .sort()
      .map((path) => [path.slice(0, -".test.ts".length), readFileSync(pathFromRoot(`test/${path}`), "utf8")]),
  );

/** Not links: the documents travel with the package, and tests do not. */
function named(files: string[]): string {
  const shown = files.slice(0, NAMED_FILES).map((file) => `\`${file}\``);
  const others = files.length - shown.length;
  return `${shown.join(", ")}${others > 0 ? ` and ${others} more` : ""}`;
}
