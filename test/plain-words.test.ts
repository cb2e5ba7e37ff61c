/**
 * Words that keep a reader guessing: a comment begins with the noun that it is about, and some phrases, which say
 * little or are not English, are written nowhere that people read.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { pathFromRoot } from "./support/render-indexes.js";

/** First words of a comment that name nothing. */
const OPENINGS = /^(?:What|Whoever|That)\b/;
const PHRASES = /\bis no \b|\bbelongs? into\b|\bbesides\b/i;

/** Generated from the page's scripts, and from the summaries of endpoints. */
const GENERATED = [
  "src/docs/assets.ts",
  "src/client/catalogue.ts",
  // Word for word as their authors wrote them.
  "src/engines/json/schema/metaschemas.ts",
];

const filesOf = (...patterns: string[]) =>
  execFileSync("git", ["ls-files", "--", ...patterns], { cwd: pathFromRoot("."), encoding: "utf8" })
    .split("\n")
    .filter((file) => file && !GENERATED.includes(file));

/** The lines on which comments begin, each with its text there or on the next line. */
function openingsIn(source: string): string[] {
  const lines = source.split("\n");
  const isLineComment = (line = "") => /^\s*(?:\/\/|#)/.test(line);
  return lines.flatMap((line, at) => {
    if (/^\s*\/\*\*?\s*$/.test(line)) return [(lines[at + 1] ?? "").replace(/^\s*\*?\s*/, "")];
    const [, ofBlock] = /(?:^|\s)\/\*\*?\s+(.*)$/.exec(line) ?? [];
    if (ofBlock) return [ofBlock];
    const [, ofLine] = /(?:^|[\s;{,])\/\/ (.*)$/.exec(line) ?? [];
    return ofLine && !(isLineComment(line) && isLineComment(lines[at - 1])) ? [ofLine] : [];
  });
}

const guessesIn = (source: string) => openingsIn(source).filter((text) => OPENINGS.test(text));
const phrasesIn = (source: string) => source.split("\n").filter((line) => PHRASES.test(line));

const found = (files: string[], look: (source: string) => string[]) =>
  files.flatMap((file) => look(readFileSync(pathFromRoot(file), "utf8")).map((text) => `${file}: ${text.trim()}`));

describe("plain words", () => {
  test("a comment names its subject first", () => {
    expect(found(filesOf("src/*.ts", "examples/*.ts", "examples/*.mjs", "scripts/*.mjs"), guessesIn)).toEqual([]);
  });

  test("no text that people read has a banned phrase", () => {
    expect(found(filesOf("src", "examples", "scripts/*.mjs", "docs/*.md", "*.md"), phrasesIn)).toEqual([]);
  });

  test.each([
    ["a block", "/** What a client may spend. */"],
    ["a block of several lines", "/**\n * Whoever holds the lease works.\n */"],
    ["a line", "const a = 1;\n// That a challenge is ours.\nconst b = 2;"],
    ["the end of a line", "const a = 1; // What is left."],
    ["a member", "interface A {\n  /** What it costs. */\n  cost: string;\n}"],
  ])("finds a comment that opens so: %s", (_, source) => {
    expect(guessesIn(source)).toHaveLength(1);
  });

  test.each(["A text is no option.", "It belongs into the base path.", "What capabilities read besides it."])(
    "finds the phrase in: %s",
    (source) => {
      expect(phrasesIn(source)).toHaveLength(1);
    },
  );

  test("leaves sentences alone that go on with such a word", () => {
    const source = "// The record is read again, so\n// That is a second line.\nconst url = 'https://What.example';";
    expect(guessesIn(source)).toEqual([]);
    expect(phrasesIn("It stands beside them, and there is none.")).toEqual([]);
  });
});
