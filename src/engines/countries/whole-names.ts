/** Finds countries by a whole name in another form than the lists have it. */

import { foldName } from "./fold.js";
import { bareOf, type Form, firstLetters, formOf, partsOf, sharedStems, tellsForm } from "./forms.js";
import type { NamedCountry } from "./names.js";

interface Core {
  words: string[];
  codes: Set<string>;
}

interface Index {
  /** Codes by the sorted words of names. */
  words: Map<string, Set<string>>;
  /** Codes by the sorted words of names that do not tell a form of state, apart from namesakes. */
  cores: Map<string, Core>;
  /** The same by the first letters of each of these words. */
  stems: Map<string, Set<Core>>;
  /** Codes by names without spaces and vowel signs, which are written in several ways: "Bouvet-Insel", "हौण्डुरस". */
  bare: Map<string, Set<string>>;
}

/** Countries that a name means, and the part of it that is theirs. */
export interface OtherForm {
  codes: ReadonlySet<string>;
  core: string;
}

/**
 * Which of these a name means depends on the form alone: the Republic of China is not the People's Republic of China.
 */
const NAMESAKES = new Set(["CD", "CG", "CN", "TW", "KP", "KR"]);

/** One for each list, made when a name is first asked for that stands in no list. */
const indexes = new WeakMap<readonly NamedCountry[], Index>();

function indexOf(countries: readonly NamedCountry[]): Index {
  const known = indexes.get(countries);
  if (known) return known;
  const index: Index = { words: new Map(), cores: new Map(), stems: new Map(), bare: new Map() };
  for (const { country, names } of countries)
    for (const name of [names.english, names.native, names.cldr, names.other].flat()) {
      const { words, core } = formOf(name);
      add(index.words, words, country.alpha2);
      add(index.bare, bareOf(name), country.alpha2);
      if (NAMESAKES.has(country.alpha2)) continue;
      if (core.length === 0) continue;
      const key = core.join(" ");
      const entry = index.cores.get(key) ?? { words: core, codes: new Set() };
      index.cores.set(key, entry);
      entry.codes.add(country.alpha2);
      for (const word of core) add(index.stems, firstLetters(word), entry);
    }
  for (const codes of [index.words, index.bare]) codes.delete("");
  indexes.set(countries, index);
  return index;
}

function add<Value>(map: Map<string, Set<Value>>, key: string, value: Value): void {
  const values = map.get(key) ?? new Set();
  map.set(key, values.add(value));
}

/**
 * Countries whose names differ by what is left out here, such as the form of the state or an addition in brackets: what means
 * the first then may mean the other. Taiwan means itself.
 */
const TWINS: Readonly<Record<string, string>> = {
  ...{ CD: "CG", CG: "CD", KP: "KR", KR: "KP", CN: "TW" },
  ...{ DM: "DO", DO: "DM", MF: "SX", SX: "MF" },
};

const withTwins = (codes: Iterable<string>): ReadonlySet<string> =>
  new Set([...codes].flatMap((code) => [code, TWINS[code] ?? code]));

/** Countries that a folded name means, if it is a whole name in another form. */
export function countriesByForm(countries: readonly NamedCountry[], wanted: string): OtherForm | undefined {
  const index = indexOf(countries);
  for (const [at, part] of partsOf(wanted).entries()) {
    const form = formOf(part);
    const codes = byWords(index, part, form) ?? byLess(index, form);
    // The addition says which part of the island it is, in words that nobody knows.
    const isPart = at > 0 && codes && [...codes].some((code) => code === "MF" || code === "SX");
    if (codes) return { codes: isPart ? withTwins(codes) : codes, core: form.core.join(" ") };
  }
  return undefined;
}

const byWords = ({ words, bare }: Index, part: string, form: Form) =>
  bare.get(bareOf(part)) ?? (form.isMostlyLittle ? undefined : words.get(form.words));

/** By what is left without the form of the state. */
function byLess(index: Index, form: Form): ReadonlySet<string> | undefined {
  const codes = (form.hasForm ? index.bare.get(form.bare) : undefined) ?? byCore(index, form);
  return codes && withTwins(codes);
}

/** Words for a part of a country, whose name stands before them. */
const PART = /(?<!\p{L})(?:wilayah|regi[oóa]|territ)/u;

/** "Tanzania, United Republic of Tanzania": the name before a comma, where a form of state stands behind it. */
export function headOf(name: string): { head: string; isInverted: boolean } {
  const [head = "", ...rest] = name.split(/[,،、]/u);
  const tail = foldName(rest.join(" "));
  return { head: foldName(head), isInverted: tellsForm(tail) && !PART.test(tail) };
}

/** Countries by the name before a comma, and those that it may mean as well. */
export const countriesByHead = (codes: Iterable<string>): OtherForm => ({ codes: withTwins(codes), core: "" });

function byCore({ cores, stems }: Index, { core, hasForm }: Form): ReadonlySet<string> | undefined {
  // Without a form of state it may be a part of a name, or an adjective: "german".
  const [first] = core;
  if (!hasForm || first === undefined) return undefined;
  const exact = cores.get(core.join(" "));
  if (exact) return exact.codes;
  const close = [...(stems.get(firstLetters(first)) ?? [])].flatMap(({ words, codes }) => {
    const stem = sharedStems(core, words);
    return stem ? [{ ...stem, codes }] : [];
  });
  const shared = Math.max(...close.map((one) => one.shared));
  const lost = Math.min(...close.filter((one) => one.shared === shared).map((one) => one.lost));
  const best = close.filter((one) => one.shared === shared && one.lost === lost);
  return best.length > 0 ? new Set(best.flatMap(({ codes }) => [...codes])) : undefined;
}
