/** Finds the subjects of a question in one language. */
import type { Language } from "./words.js";

export interface Recognized {
  subjects: Set<string>;
  /** How many letters of the question are of this language. */
  covered: number;
  /** The function words in it. */
  small: string[];
}

/** Shorter beginnings allow a single further letter, because "gas" does not begin "gasto". */
const LONG = 4;
/** The shortest beginning that may also stand inside a compound. */
const IN_COMPOUND = 5;
/** Words that Arabic writes before a noun, as part of the word: "and", "the", "with", "for". */
const ARABIC_PREFIXES = ["", "ال", "وال", "بال", "لل", "كال", "فال", "و", "ب", "ل", "ف"];

/** A word that goes on with a digit is a name: "pdf417" is not of "pdf". */
const DIGIT = /\d/;

interface Found {
  start: number;
  end: number;
  length: number;
  subjects: string[];
}

export function recognize(question: string, language: Language): Recognized {
  const text = language.fold(question);
  const taken = new Uint8Array(text.length);
  const subjects = new Set<string>();
  const found = matchesIn(text, language).sort((a, b) => b.length - a.length || a.start - b.start);
  for (const match of found) {
    if (taken.subarray(match.start, match.end).some((one) => one === 1)) continue;
    taken.fill(1, match.start, match.end);
    for (const subject of match.subjects) subjects.add(subject);
  }
  let covered = 0;
  const small: string[] = [];
  let at = 1;
  for (const word of text.trim().split(" ")) {
    const used = taken.subarray(at, at + word.length).some((one) => one === 1);
    const isSmall = language.small.has(word);
    if (isSmall) small.push(word);
    if (used || isSmall || /^\p{N}+$/u.test(word)) covered += word.length;
    at += word.length + 1;
  }
  return { subjects, covered, small };
}

function matchesIn(text: string, language: Language): Found[] {
  const found: Found[] = [];
  const prefixes = language.name === "ar" ? ARABIC_PREFIXES : [""];
  const onlyStarts = language.script === "start" || language.script === "whole";
  for (let at = 1; at < text.length; at++) {
    if (onlyStarts && text[at - 1] !== " ") continue;
    for (const prefix of prefixes)
      if (text.startsWith(prefix, at)) found.push(...longestAt(text, at, at + prefix.length, language));
  }
  return mergeSame(found);
}

/** The longest beginnings that stand at a place, behind a prefix. */
function longestAt(text: string, at: number, start: number, language: Language): Found[] {
  const found: Found[] = [];
  for (const { parts, length, subjects } of language.beginnings.get(text[start] ?? "") ?? []) {
    if (length < (found[0]?.length ?? 0)) break;
    const end = endOf(text, start, parts, language);
    if (end > 0) found.push({ start: at, end, length, subjects });
  }
  return found;
}

/** Where a phrase that stands at a place ends, with the rest of its last word; 0 if it does not stand there. */
function endOf(text: string, start: number, parts: string[], language: Language): number {
  let at = start;
  let end = 0;
  for (const [index, part] of parts.entries()) {
    if (index > 0) at += articleAt(text, at, part, language);
    if (!text.startsWith(part, at)) return 0;
    end = at + part.length;
    const wordEnd = text.indexOf(" ", end);
    const isLast = index === parts.length - 1;
    if (!mayEnd(text.slice(end, wordEnd), part, isLast, text[at - 1] === " ", language)) return 0;
    if (language.script === "start") end = wordEnd;
    at = wordEnd + 1;
  }
  return end;
}

/** Whether a beginning may be followed by the rest of a word, and, inside a word, stand there. */
function mayEnd(rest: string, part: string, isLast: boolean, isStart: boolean, { name, script }: Language): boolean {
  if (script === "inside") return isLast || rest === "";
  if (script === "whole") return rest === "";
  if (DIGIT.test(rest[0] ?? "") || (part.length < LONG && rest.length > allowed(name, part))) return false;
  return script === "start" || isStart || part.length >= IN_COMPOUND;
}

/** Letters of an Arabic article before a further word of a phrase. */
function articleAt(text: string, at: number, part: string, { name }: Language): number {
  return name === "ar" && !text.startsWith(part, at) && text.startsWith("ال", at) ? 2 : 0;
}

/** Letters that may follow a short beginning: inflection is longer in some languages. */
function allowed(name: string, part: string): number {
  if (name === "ru" || name === "pl" || name === "tr" || name === "ar" || name === "hi") return part.length < 3 ? 1 : 3;
  return part.length < 3 ? 0 : 1;
}

/** Beginnings of one length at one place mean all their subjects. */
function mergeSame(found: Found[]): Found[] {
  const merged = new Map<string, Found>();
  for (const match of found) {
    const key = `${match.start}:${match.end}:${match.length}`;
    const known = merged.get(key);
    if (known) known.subjects = [...known.subjects, ...match.subjects];
    else merged.set(key, { ...match });
  }
  return [...merged.values()];
}
