/** The names that countries are found by: those of the table, and CLDR's as far as the host has them. */
import type { Country } from "./country.js";
import { foldName } from "./fold.js";
import { FURTHER_NAMES } from "./further-names.js";

/** A country's names, folded for comparison. */
export interface Names {
  common: string;
  /** The common and the official one in English. */
  english: string[];
  native: string[];
  /** Names in CLDR, in fifty languages. */
  cldr: string[];
  /** All other names, matched in whole or in part. */
  other: string[];
  /** Names that it has in common with another country, such as "Korea". */
  shared: string[];
  /** ISO codes among the spellings, which match only as a whole. */
  codes: string[];
  /** Names of CLDR that are written as a code is: "RU" is the United Kingdom in Spanish. */
  abbreviations: string[];
}

export interface NamedCountry {
  country: Country;
  names: Names;
}

export function namedCountries(countries: readonly Country[]): NamedCountry[] {
  const inCldr = cldr();
  const shared = sharedNames(inCldr);
  const all = new Map(countries.map((country) => [country.alpha2, namesOf(country, inCldr)]));
  for (const [state, territory] of REGIONS) shareBareNames(all.get(state), all.get(territory));
  return countries.map((country) => {
    const names = all.get(country.alpha2) ?? namesOf(country, inCldr);
    const common = shared.get(country.alpha2) ?? new Set();
    const isFirst = NAMESAKES.some(([first]) => first === country.alpha2);
    const own = isFirst ? new Set([...names.cldr, ...common]) : names.cldr.filter((name) => !common.has(name));
    return { country, names: { ...names, cldr: [...own], shared: [...common] } };
  });
}

type WholeNames = Omit<Names, "shared">;

function namesOf(country: Country, displayNames: readonly Intl.DisplayNames[]): WholeNames {
  const { alpha2, commonName, officialName, nativeNames, altSpellings, translations } = country;
  const common = foldName(commonName);
  const spellings = altSpellings.filter((spelling) => !isCode(spelling));
  const inCldr = [...new Set(displayNames.flatMap((names) => names.of(alpha2) ?? []))];
  return {
    common,
    english: [common, foldName(officialName)],
    native: folded(nativeNames.flatMap((native) => [native.common, native.official])),
    cldr: folded(inCldr),
    other: folded([
      ...spellings,
      ...translations,
      ...inCldr.map(withoutBrackets),
      ...(FURTHER_NAMES.get(alpha2) ?? []),
    ]),
    codes: folded(altSpellings.filter(isCode)),
    abbreviations: folded(inCldr.filter(isCode)),
  };
}

const folded = (names: readonly string[]) => [...new Set(names.map(foldName))].filter((name) => name !== "");

const isCode = (spelling: string) => /^[A-Z]{2}$/.test(spelling);

/** "Myanmar (Burma)" is also called Myanmar. */
const withoutBrackets = (name: string) => name.replace(/ ?[(（].*[)）]/u, "");

/** Languages whose country names are taken from CLDR, in addition to those of the table. */
const LANGUAGES =
  "ar bg bn ca cs da de el en es es-MX et fa fi fil fr he hi hr hu hy id is it ja ka kk ko lt lv mk ms nb nl pl pt pt-PT " +
  "ro ru sk sl sq sr sr-Latn sv sw ta th tr uk ur uz vi zh zh-Hant zh-Hant-HK";

/** None where the host has no names at all; a host with fewer languages than these gives those that it has. */
function cldr(): Intl.DisplayNames[] {
  if (typeof Intl.DisplayNames !== "function") return [];
  return Intl.DisplayNames.supportedLocalesOf(LANGUAGES.split(" ")).flatMap((language) =>
    (["long", "short"] as const).map(
      (style) => new Intl.DisplayNames(language, { type: "region", style, fallback: "none" }),
    ),
  );
}

/**
 * Countries that share a name, to which CLDR mostly adds which of them it is: "Kongo-Kinshasa", "Korea Południowa". A bare
 * name means the first before the second: "Congo" is how ISO 3166 names CG.
 */
const NAMESAKES = [
  ["CG", "CD"],
  ["KP", "KR"],
  ["VG", "VI"],
] as const;

/** A country and another one's part of the same region: a name of the part that does not say whose it is means both. */
const REGIONS = [["GY", "GF"]] as const;

function shareBareNames(state: WholeNames | undefined, territory: WholeNames | undefined): void {
  if (!state || !territory) return;
  const names = [...territory.english, ...territory.native, ...territory.cldr, ...territory.other];
  const words = new Set(names.filter((name) => name.includes(" ")).flatMap((name) => name.split(" ")));
  state.cldr.push(...names.filter((name) => words.has(name) && !state.cldr.includes(name)));
}

function sharedNames(displayNames: readonly Intl.DisplayNames[]): Map<string, Set<string>> {
  const shared = new Map<string, Set<string>>();
  for (const pair of NAMESAKES)
    for (const names of displayNames) {
      const [one, other] = pair.map((alpha2) => foldName(withoutBrackets(names.of(alpha2) ?? "")).split(" "));
      const name = commonWords(one ?? [], other ?? []);
      for (const alpha2 of name === undefined ? [] : pair) {
        const own = shared.get(alpha2) ?? new Set();
        shared.set(alpha2, own.add(name ?? ""));
      }
    }
  return shared;
}

const LEAST_WORD = 4;

/** The words that two names begin or end with. */
function commonWords(one: readonly string[], other: readonly string[]): string | undefined {
  const words = leading(one, other);
  if (words.length === 0) words.push(...leading(one.toReversed(), other.toReversed()).toReversed());
  // Without the preposition that stands before the addition: "Coreia do".
  while (words.length > 1 && (words.at(-1)?.length ?? 0) < LEAST_WORD) words.pop();
  return words.length > 0 ? words.join(" ") : undefined;
}

function leading(one: readonly string[], other: readonly string[]): string[] {
  const different = one.findIndex((word, at) => word !== other[at]);
  return one.slice(0, different === -1 ? one.length : different);
}
