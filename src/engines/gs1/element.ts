/** One element of GS1 data: an application identifier (AI) with its value, judged by the syntax dictionary. */
import { type DictionaryEntry, maxLength, minLength } from "./dictionary.js";
import { CHARACTER_TESTS, TESTS } from "./linters.js";

export interface Element {
  entry: DictionaryEntry;
  value: string;
  /** Place of the value in what was given, or of what stands for it there. */
  at: number;
}

export interface ElementFault {
  code: string;
  ai: string | null;
  /** Place in what was given, in UTF-16 units from 0. */
  position: number;
}

/** More are no label, and each costs a look at all others. */
export const MAX_ELEMENTS = 64;

/** Ends reading: behind the fault nobody knows where the next element begins. */
export class Unreadable extends Error {
  constructor(readonly fault: ElementFault) {
    super(fault.code);
  }
}

export const unreadable = (code: string, position: number, ai: string | null = null): Unreadable =>
  new Unreadable({ code, ai, position });

/** The values of its components; fewer where optional ones are left out. */
export function componentsOf({ components }: DictionaryEntry, value: string): string[] {
  let at = 0;
  return components.map(({ max }) => {
    const part = value.slice(at, at + max);
    at += part.length;
    return part;
  });
}

/** The first thing that is wrong with a value whose length as a whole is right. `at` counts from its start. */
export function valueFinding(
  entry: DictionaryEntry,
  value: string,
  year: number,
): { code: string; at: number } | undefined {
  let at = 0;
  for (const [index, part] of componentsOf(entry, value).entries()) {
    const component = entry.components[index];
    if (!component || (component.optional && part === "")) continue;
    if (part.length < component.min) return { code: "AI_DATA_HAS_INCORRECT_LENGTH", at };
    const tests = [CHARACTER_TESTS[component.characters], ...component.tests.map((name) => TESTS[name])];
    for (const test of tests) {
      const found = test?.(part, year);
      if (found) return { code: found.code, at: at + found.at };
    }
    at += part.length;
  }
  return undefined;
}

/** The finding of a value that stands by itself, in brackets or in a link. */
export function wholeValueFinding(
  entry: DictionaryEntry,
  value: string,
  year: number,
): { code: string; at: number } | undefined {
  if (value.length < minLength(entry)) return { code: "AI_VALUE_IS_TOO_SHORT", at: value.length };
  if (value.length > maxLength(entry)) return { code: "AI_VALUE_IS_TOO_LONG", at: maxLength(entry) };
  return valueFinding(entry, value, year);
}
