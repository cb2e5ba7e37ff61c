/** Finds countries by a whole name in another form than the lists have it. */

import { foldName } from "./fold.js";
import { bareOf, type Form, firstLetters, formOf, partsOf, sharedStems, tellsForm } from "./forms.js";
import { type Index, indexOf } from "./name-index.js";
import type { NamedCountry } from "./names.js";
import { isVietnamese, mayBeVietnamese, soundOf } from "./sounds.js";

/** Countries that a name means, and the part of it that is theirs. */
export interface OtherForm {
  codes: ReadonlySet<string>;
  core: string;
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

/** Countries that a name means, if it is a whole name in another form. */
export function countriesByForm(countries: readonly NamedCountry[], name: string): OtherForm | undefined {
  const index = indexOf(countries);
  const ways = waysOf(name);
  for (const [at, part] of partsOf(foldName(name)).entries()) {
    const form = formOf(part);
    const codes = firstOf(ways, (way) => way(index, part, form));
    // The addition says which part of the island it is, in words that nobody knows.
    const isPart = at > 0 && codes && [...codes].some((code) => code === "MF" || code === "SX");
    if (codes) return { codes: isPart ? withTwins(codes) : codes, core: form.core.join(" ") };
  }
  return undefined;
}

type Way = (index: Index, part: string, form: Form) => ReadonlySet<string> | undefined;

/** A name of two syllables may be a Vietnamese one or not: "Timor-Leste". */
const waysOf = (name: string): readonly Way[] => [
  ...(mayBeVietnamese(name) ? [bySyllables] : []),
  ...(isVietnamese(name) ? [] : [byWords, byLess, byLetters]),
];

function firstOf<Of, Result>(all: readonly Of[], resultOf: (one: Of) => Result | undefined): Result | undefined {
  for (const one of all) {
    const result = resultOf(one);
    if (result !== undefined) return result;
  }
  return undefined;
}

const byWords: Way = ({ words, bare }, part, form) =>
  bare.get(bareOf(part)) ?? (form.isMostlyLittle ? undefined : words.get(form.words));

/** By what is left without the form of the state. */
const byLess: Way = (index, _, form) => {
  const codes = (form.hasForm ? index.bare.get(form.bare) : undefined) ?? byCore(index, form);
  return codes && withTwins(codes);
};

const byLetters: Way = ({ sounds, statesSounds }, _, { core, hasForm }) =>
  bySound(hasForm ? statesSounds : sounds, core, false);

/** By how it sounds, if that is how one country alone sounds. */
function bySound(sounds: Index["sounds"], words: readonly string[], syllables: boolean) {
  const codes = sounds.get(soundOf(words, syllables) ?? "");
  return codes?.size === 1 ? codes : undefined;
}

/** A Vietnamese name, of which no syllable means anything alone. */
const bySyllables: Way = (index, part, { ordered }) => {
  const whole = index.bare.get(bareOf(part));
  if (whole) return whole;
  const codes = index.bare.get(bareOf(ordered.join(""))) ?? bySound(index.sounds, ordered, true);
  return codes && withTwins(codes);
};

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
