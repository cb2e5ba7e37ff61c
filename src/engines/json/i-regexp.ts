/**
 * The functions `match` and `search` of JSONPath, whose patterns are I-Regexp (RFC 9485), on an engine whose time is linear
 * in the text.
 */
import type { RE2JS } from "re2js";
import { invalid, without } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";

const library = /* @__PURE__ */ lazy(() => import("re2js").catch(without("re2js")));

/** Pieces of a pattern. A class holds no bracket that is not escaped, and its members are told apart by their first sign. */
const CATEGORY = "\\\\[pP]\\{(?:L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|Z[lps]?|S[ckmo]?|C[cfno]?)\\}";
const ESCAPE = "\\\\[()*+\\-.?[\\\\\\]^nrt{|}]";
const IN_CLASS = `(?:[^\\-[\\\\\\]]|${ESCAPE})`;
const CLASS = `\\[\\^?(?:-|${IN_CLASS}(?:-${IN_CLASS})?|${CATEGORY})(?:${IN_CLASS}(?:-${IN_CLASS})?|${CATEGORY})*-?\\]`;
const PIECE = new RegExp(
  `(?<atom>[^()*+.?[\\\\\\]{|}]|${ESCAPE}|${CATEGORY}|${CLASS})|(?<dot>\\.)|(?<open>\\()|(?<close>\\))|(?<or>\\|)|(?<times>[*+?]|\\{\\d+(?:,\\d*)?\\})`,
  "uy",
);

/** The pattern as RE2 takes it; undefined for text that is not an I-Regexp. */
function translated(pattern: string): string | undefined {
  let [depth, mayRepeat, result] = [0, false, ""];
  PIECE.lastIndex = 0;
  while (PIECE.lastIndex < pattern.length) {
    const piece = PIECE.exec(pattern);
    if (!piece) return undefined;
    const { name, text } = nameOf(piece);
    if (name === "times" && !mayRepeat) return undefined;
    depth += DEPTH[name] ?? 0;
    if (depth < 0) return undefined;
    mayRepeat = name === "atom" || name === "dot" || name === "close";
    result += WRITTEN[name] ?? text;
  }
  return depth === 0 ? result : undefined;
}

const DEPTH: Record<string, number> = { open: 1, close: -1 };
/** A dot takes no end of a line, and nobody asks for groups. */
const WRITTEN: Record<string, string> = { dot: "[^\\n\\r]", open: "(?:" };

function nameOf({ groups = {}, 0: text }: RegExpExecArray): { name: string; text: string } {
  return { name: Object.keys(groups).find((name) => groups[name] !== undefined) ?? "", text };
}

/** Steps of compiled patterns times characters that one query may try: some two seconds of work. */
const MAX_WORK = 400_000_000;
/** Work of compiling one step, in characters. */
const COMPILING = 3_000;
const MAX_KEPT = 100;

export interface Patterns {
  match(text: unknown, pattern: unknown): boolean;
  search(text: unknown, pattern: unknown): boolean;
}

/** The functions for one query. `tooMuch` throws what the caller is told when they have worked too long. */
export async function openPatterns(tooMuch: () => never): Promise<Patterns> {
  const { RE2JS } = await library();
  const kept = new Map<string, RE2JS | undefined>();
  let work = 0;
  const count = (steps: number) => {
    work += steps;
    // guard: patterns of a JSONPath try so much text | gone | query
    if (work > MAX_WORK) tooMuch();
  };
  const compiled = (pattern: string): RE2JS | undefined => {
    if (kept.has(pattern)) return kept.get(pattern);
    if (kept.size >= MAX_KEPT) kept.clear();
    const source = translated(pattern);
    const regex = source === undefined ? undefined : compile(RE2JS, source);
    count((regex?.programSize() ?? pattern.length) * COMPILING);
    kept.set(pattern, regex);
    return regex;
  };
  const tried = (text: unknown, pattern: unknown, test: (regex: RE2JS, text: string) => boolean): boolean => {
    if (typeof text !== "string" || typeof pattern !== "string") return false;
    const regex = compiled(pattern);
    if (!regex) return false;
    count(text.length * regex.programSize());
    return test(regex, text);
  };
  return {
    match: (text, pattern) => tried(text, pattern, (regex, whole) => regex.testExact(whole)),
    search: (text, pattern) => tried(text, pattern, (regex, within) => regex.test(within)),
  };
}

/** A pattern that RE2 refuses though it is an I-Regexp has counts above 1,000, or the wrong way round. */
function compile(library: typeof RE2JS, source: string): RE2JS | undefined {
  try {
    return library.compile(source);
  } catch (error) {
    if (/\{\d+,?(\d*)\}/.test(source) && /repeat/.test((error as Error).message))
      throw invalid(
        "query",
        "has a pattern that repeats more than 1,000 times in all, or whose counts are the wrong way round",
      );
    return undefined;
  }
}
