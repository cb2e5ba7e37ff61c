/** Differences of two texts, and patches. */
import { CapabilityError, invalid, without } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { graphemesOf } from "./graphemes.js";

export const DIFF = { engine: "diff", version: "9.0.0" };

const library = /* @__PURE__ */ lazy(() => import("diff").catch(without("diff")));
type Library = Awaited<ReturnType<typeof library>>;

export type DiffUnit = "line" | "word" | "character";

export interface DiffRequest {
  operation: "diff" | "apply";
  a: string;
  b?: string | undefined;
  by: DiffUnit;
  context: number;
  patch?: string | undefined;
}

export interface DiffPart {
  op: "equal" | "insert" | "delete";
  text: string;
}

export interface TextDifference {
  parts: DiffPart[];
  unified: string | null;
  added: number;
  removed: number;
  similarity: number | null;
  text: string | null;
  truncated: boolean;
  applied: boolean | null;
}

/** The search for the shortest difference ends after this time; the coarser one gets less. */
const SEARCH_MS = 2_000;
const COARSE_MS = 700;
const MAX_TEXT = 1_000_000;

export async function diffTexts(question: DiffRequest): Promise<TextDifference> {
  const diff = await library();
  return question.operation === "apply" ? applied(diff, question) : difference(diff, question);
}

interface Change {
  value: string;
  added: boolean;
  removed: boolean;
  count: number;
}

function difference(diff: Library, { a, b = "", by, context }: DiffRequest): TextDifference {
  const found = changesBy(diff, by, a, b, SEARCH_MS);
  const coarse = found ?? (by === "line" ? undefined : changesBy(diff, "line", a, b, COARSE_MS));
  const changes = coarse ?? replaced(a, b);
  const headerOptions = diff.FILE_HEADERS_ONLY;
  const format = { context, timeout: COARSE_MS, headerOptions };
  // A search by lines that took too long would take as long again.
  const unified = coarse && diff.createTwoFilesPatch("a", "b", a, b, undefined, undefined, format);
  const sum = (chosen: Change[], size: (change: Change) => number) =>
    chosen.reduce((total, one) => total + size(one), 0);
  const equal = changes.filter(({ added, removed }) => !added && !removed);
  const length = a.length + b.length;
  return {
    parts: changes.map(({ value, added, removed }) => ({
      op: added ? "insert" : removed ? "delete" : "equal",
      text: value,
    })),
    unified: unified ?? null,
    added: sum(
      changes.filter(({ added }) => added),
      ({ count }) => count,
    ),
    removed: sum(
      changes.filter(({ removed }) => removed),
      ({ count }) => count,
    ),
    similarity: length === 0 ? 1 : (2 * sum(equal, ({ value }) => value.length)) / length,
    text: null,
    truncated: !found,
    applied: null,
  };
}

/** Undefined if it takes too long. Deletions come before the insertions in their place. */
function changesBy(diff: Library, by: DiffUnit, a: string, b: string, timeout: number): Change[] | undefined {
  if (a === "" && b === "") return [];
  if (by === "line") return diff.diffLines(a, b, { timeout });
  const cut = by === "character" ? graphemesOf : wordsOf;
  return diff
    .diffArrays(cut(a), cut(b), { timeout })
    ?.map(({ value, ...change }) => ({ ...change, value: value.join(""), count: countOf(by, value) }));
}

/** Runs of letters and digits, runs of blanks, and single signs. */
const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{M}\p{N}_]+|\s+|./gsu) ?? [];

const countOf = (by: DiffUnit, values: string[]) =>
  by === "word" ? values.filter((value) => value.trim() !== "").length : values.length;

const lineCount = (text: string) => (text === "" ? 0 : text.replace(/\n$/, "").split("\n").length);

const replaced = (a: string, b: string): Change[] =>
  [
    { value: a, added: false, removed: true, count: lineCount(a) },
    { value: b, added: true, removed: false, count: lineCount(b) },
  ].filter(({ value }) => value !== "");

function applied(diff: Library, { a, patch = "" }: DiffRequest): TextDifference {
  const [parsed, ...others] = parse(diff, patch);
  if (!parsed || parsed.hunks.length === 0)
    throw invalid("patch", "must be a unified diff with at least one hunk (@@ -1,2 +1,3 @@)");
  if (others.length > 0) throw invalid("patch", "changes several files; send the part of one");
  // guard: offline: a patch adds no lines beyond the end | - fits(a, parsed) && | text/diff
  const text = fits(a, parsed) && diff.applyPatch(a, within(a, parsed), { compareLine: countedComparison() });
  const isApplied = text !== false;
  if (isApplied && text.length > MAX_TEXT)
    throw new CapabilityError("RESULT_TOO_LARGE", "The patched text is too large.");
  const lines = (sign: string) =>
    parsed.hunks.flatMap((hunk) => hunk.lines).filter((line) => line.startsWith(sign)).length;
  return {
    ...{ parts: [], unified: null, similarity: null, truncated: false },
    added: isApplied ? lines("+") : 0,
    removed: isApplied ? lines("-") : 0,
    text: isApplied ? text : null,
    applied: isApplied,
  };
}

/** Comparisons of lines in all. A hunk is looked for at every line of the text, so that many that fit nowhere multiply. */
export const MAX_COMPARED = 3_000_000;

function countedComparison() {
  let compared = 0;
  return (_at: number, line: string, _sign: string, wanted: string): boolean => {
    // guard: offline: the hunks of a patch are compared with so many lines | gone | text/diff
    if (++compared > MAX_COMPARED)
      throw invalid("patch", `fits nowhere near its lines: more than ${MAX_COMPARED} were compared; send a fresh one`);
    return line === wanted;
  };
}

type Patch = ReturnType<Library["parsePatch"]>[number];

/** Lines that are only added have no others to be found by: they fit where they say, which is within the text. */
function fits(a: string, { hunks }: Patch): boolean {
  const last = lineCount(a) + hunks.reduce((sum, { newLines }) => sum + newLines, 0);
  return hunks.every(({ oldLines, oldStart }) => oldLines > 0 || oldStart <= last + 1);
}

/** A hunk that says to stand beyond the end is looked for from the end on, not line by line from there. */
function within(a: string, patch: Patch): Patch {
  const end = lineCount(a) + 1;
  return { ...patch, hunks: patch.hunks.map((hunk) => ({ ...hunk, oldStart: Math.min(hunk.oldStart, end) })) };
}

function parse(diff: Library, patch: string) {
  try {
    return diff.parsePatch(patch);
  } catch {
    throw invalid("patch", "is not a unified diff: its hunks have other lines than their headers say");
  }
}
