/** Runs a regular expression, of any form, in time that is linear in the text. */
import type { RE2JS } from "re2js";
import { CapabilityError, invalid, without } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { backtracks } from "./backtracking.js";

export const RE2 = { engine: "re2js", version: "2.10.0" };

const library = /* @__PURE__ */ lazy(() => import("re2js").catch(without("re2js")));

export interface PatternQuestion {
  pattern: string;
  flags: string;
  text: string;
  replace?: string | undefined;
  limit: number;
}

export interface PatternMatch {
  text: string;
  start: number;
  end: number;
  groups: (string | null)[];
  named: Record<string, string | null>;
}

export interface PatternOutcome {
  supported: boolean;
  reason: string | null;
  linear: true;
  matches: PatternMatch[];
  count: number;
  result: string | null;
  risk: boolean;
  riskReason: string | null;
}

const MAX_RESULT = 1_000_000;

export async function testPattern({ pattern, flags, text, replace, limit }: PatternQuestion): Promise<PatternOutcome> {
  const compiled = await compile(pattern, flags);
  const riskReason = backtracks(pattern, flags);
  const risk = { linear: true as const, risk: riskReason !== null, riskReason };
  if ("reason" in compiled)
    return { supported: false, reason: compiled.reason, matches: [], count: 0, result: null, ...risk };
  const matches: PatternMatch[] = [];
  const replacing = replace === undefined ? undefined : new Replacing(text, replace);
  let count = 0;
  for (const match of matchesOf(compiled.regex, text)) {
    if (count++ < limit) matches.push(match);
    replacing?.add(match);
    if (count >= limit && !replacing && count > MAX_RESULT) break;
  }
  return { supported: true, reason: null, matches, count, result: replacing?.end() ?? null, ...risk };
}

/** Constructs that need memory of what matched, or looking elsewhere: other engines have them. */
const ELSEWHERE: readonly (readonly [RegExp, string])[] = [
  [/\(\?(?:[=!]|<[=!])/, "look-around"],
  [/\\[1-9]|\\k[<{']|\(\?P=/, "back references"],
  [/\(\?>|[*+?}]\+/, "atomic groups and possessive repetition"],
  [/\(\?(?:R|\d|&|\()/, "recursion and conditions"],
];

async function compile(pattern: string, flags: string): Promise<{ regex: RE2JS } | { reason: string }> {
  const { RE2JS } = await library();
  const bits = [
    [flags.includes("i"), RE2JS.CASE_INSENSITIVE],
    [flags.includes("s"), RE2JS.DOTALL],
    [flags.includes("m"), RE2JS.MULTILINE],
  ].reduce((all, [isSet, bit]) => (isSet ? all | Number(bit) : all), 0);
  const attempt = (source: string): { regex: RE2JS } | { problem: string } => {
    try {
      return { regex: RE2JS.compile(source, bits) };
    } catch (error) {
      return { problem: String((error as Error).message).replace("error parsing regexp: ", "") };
    }
  };
  const first = attempt(pattern);
  if ("regex" in first) return first;
  if (first.problem.startsWith("invalid repeat count"))
    throw invalid("pattern", "repeats more than 1000 times in all, or its counts are the wrong way round");
  const found = ELSEWHERE.find(([construct]) => construct.test(pattern.replace(/\\\\/g, "")));
  if (found) return { reason: `It uses ${found[1]}, which no engine of linear time has.` };
  // Escapes of JavaScript, such as \u0041.
  const translated = attempt(RE2JS.translateRegExp(pattern));
  if ("regex" in translated) return translated;
  if (isOfJavaScript(pattern, flags)) return { reason: `RE2 refuses what JavaScript takes: ${first.problem}.` };
  throw invalid("pattern", `is not a regular expression: ${first.problem}`);
}

function isOfJavaScript(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags.replace(/[^ims]/g, "")) instanceof RegExp;
  } catch {
    return false;
  }
}

function* matchesOf(regex: RE2JS, text: string): Generator<PatternMatch> {
  const matcher = regex.matcher(text);
  const names = Object.entries(regex.namedGroups() as Record<string, number>);
  while (matcher.find()) {
    const groups = Array.from({ length: matcher.groupCount() }, (_, at) => matcher.group(at + 1) ?? null);
    const named = Object.fromEntries(names.map(([name, at]) => [name, groups[at - 1] ?? null]));
    yield { text: matcher.group() ?? "", start: matcher.start(), end: matcher.end(), groups, named };
  }
}

/** Replaces matches by a text in which $1, $<name>, $& and $$ have JavaScript's meaning. */
class Replacing {
  readonly #pieces: string[] = [];
  #from = 0;
  #length = 0;
  constructor(
    readonly text: string,
    readonly replace: string,
  ) {}

  add(match: PatternMatch): void {
    this.#push(this.text.slice(this.#from, match.start) + this.#filled(match));
    this.#from = match.end;
  }

  end(): string {
    this.#push(this.text.slice(this.#from));
    return this.#pieces.join("");
  }

  #filled({ text, groups, named }: PatternMatch): string {
    const groupOf = (digits: string) => {
      const both = Number(digits);
      if (both >= 1 && both <= groups.length) return groups[both - 1] ?? "";
      const first = Number(digits[0]);
      return first >= 1 && first <= groups.length ? (groups[first - 1] ?? "") + digits.slice(1) : undefined;
    };
    return this.replace.replace(/\$(?:\$|&|<([^>]*)>|(\d{1,2}))/g, (whole, name, digits) => {
      if (whole === "$$") return "$";
      if (whole === "$&") return text;
      if (digits !== undefined) return groupOf(digits) ?? whole;
      return Object.hasOwn(named, name) ? (named[name] ?? "") : "";
    });
  }

  #push(piece: string): void {
    this.#length += piece.length;
    if (this.#length > MAX_RESULT)
      throw new CapabilityError("RESULT_TOO_LARGE", `replace: the text would grow above ${MAX_RESULT} characters.`, {
        issues: [{ path: "replace", message: `makes a text above ${MAX_RESULT} characters` }],
      });
    this.#pieces.push(piece);
  }
}
