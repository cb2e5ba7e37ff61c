import { lazy } from "../../lib/lazy.js";
import type { Country } from "./country.js";

/** A country's names, folded for comparison. */
interface Names {
  common: string;
  /** The common and the official one in English. */
  english: string[];
  native: string[];
  /** Names in CLDR, in fifty languages. */
  cldr: string[];
  /** All other names, matched in whole or in part. */
  other: string[];
  /** ISO codes among the spellings, which match only as a whole. */
  codes: string[];
}

export interface CountryQuery {
  alpha2?: string | undefined;
  alpha3?: string | undefined;
  name?: string | undefined;
  /** Whether the whole name must match. */
  fullText: boolean;
}

const loadCountries = lazy(async () => {
  const { COUNTRIES } = await import("./country-table.js");
  const displayNames = cldr();
  return COUNTRIES.map((country) => ({ country, names: namesOf(country, displayNames) }));
});

/** Countries that match all given fields, best match of the name first. */
export async function findCountries({ alpha2, alpha3, name, fullText }: CountryQuery): Promise<Country[]> {
  const countries = await loadCountries();
  const rank = rankBy(name, fullText);
  return countries
    .filter(({ country }) => alpha2 === undefined || country.alpha2 === alpha2.toUpperCase())
    .filter(({ country }) => alpha3 === undefined || country.alpha3 === alpha3.toUpperCase())
    .map(({ country, names }) => ({ country, rank: rank(names) }))
    .filter((match) => match.rank < NO_MATCH)
    .sort((a, b) => a.rank - b.rank || a.country.commonName.localeCompare(b.country.commonName, "en"))
    .map(({ country }) => country);
}

export const allCountries = async (): Promise<Country[]> => (await loadCountries()).map(({ country }) => country);

/** ISO 3166-1 alpha-2 codes by folded name. If two countries share a name, the one whose primary name it is wins. */
export const codesByName = lazy(async (): Promise<ReadonlyMap<string, string>> => {
  const countries = await loadCountries();
  const codes = new Map<string, string>();
  for (const kind of ["english", "cldr", "other"] as const)
    for (const { country, names } of countries)
      for (const name of names[kind]) if (!codes.has(name)) codes.set(name, country.alpha2);
  return codes;
});

/** Letters that Unicode does not decompose into a plain letter and an accent. */
const PLAIN: Record<string, string> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", ı: "i", þ: "th" };

/** Without case, accents, punctuation between words and a leading "the"; "&" is "and", and "St." is "Saint". */
export function foldName(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/[ßæœøłđðıþ]/g, (letter) => PLAIN[letter] ?? letter)
    .replace(/[’‘ʼ`´]/g, "'")
    .replace(/&/g, " and ")
    .replace(/[.,\p{Pd}\s]+/gu, " ")
    .trim()
    .replace(/(^| )st (?=\p{L})/gu, "$1saint ")
    .replace(/^the (?=.)/, "");
}

const NO_MATCH = 6;

function rankBy(name: string | undefined, fullText: boolean): (names: Names) => number {
  if (name === undefined) return () => 0;
  const wanted = foldName(name);
  return (names) => rankOfWhole(names, wanted) ?? (fullText ? NO_MATCH : rankOfPart(names, wanted));
}

function rankOfWhole({ english, native, cldr, other, codes }: Names, wanted: string): number | undefined {
  if (english.includes(wanted)) return 0;
  if (native.includes(wanted) || cldr.includes(wanted)) return 1;
  // The table's translations have errors: some are another country's name.
  return other.includes(wanted) || codes.includes(wanted) ? 2 : undefined;
}

function rankOfPart({ common, english, native, cldr, other }: Names, wanted: string): number {
  const contains = (text: string) => text.includes(wanted);
  if (common.startsWith(wanted)) return 3;
  if (english.some(contains)) return 4;
  return [native, cldr, other].some((names) => names.some(contains)) ? 5 : NO_MATCH;
}

function namesOf(country: Country, displayNames: readonly Intl.DisplayNames[]): Names {
  const { commonName, officialName, nativeNames, altSpellings, translations } = country;
  const common = foldName(commonName);
  const spellings = altSpellings.filter((spelling) => !isCode(spelling));
  return {
    common,
    english: [common, foldName(officialName)],
    native: nativeNames.flatMap((native) => [foldName(native.common), foldName(native.official)]),
    cldr: [...new Set(namesInCldr(country.alpha2, displayNames).map(foldName))],
    other: [...spellings, ...translations].map(foldName),
    codes: altSpellings.filter(isCode).map(foldName),
  };
}

const isCode = (spelling: string) => /^[A-Z]{2}$/.test(spelling);

/** Languages whose country names are taken from CLDR, in addition to those of the table. */
const LANGUAGES =
  "ar bg bn ca cs da de el en es es-MX et fa fi fil fr he hi hr hu hy id is it ja ka kk ko lt lv mk ms nb nl pl pt pt-PT " +
  "ro ru sk sl sq sr sr-Latn sv sw ta th tr uk ur uz vi zh zh-Hant zh-Hant-HK";

function cldr(): Intl.DisplayNames[] {
  return LANGUAGES.split(" ").flatMap((language) =>
    (["long", "short"] as const).map(
      (style) => new Intl.DisplayNames(language, { type: "region", style, fallback: "none" }),
    ),
  );
}

/** A territory's names, and those with an addition in brackets also without it: "Myanmar (Burma)". */
function namesInCldr(alpha2: string, displayNames: readonly Intl.DisplayNames[]): string[] {
  const names = displayNames.flatMap((names) => names.of(alpha2) ?? []);
  return [...new Set(names)]
    .flatMap((name) => [name, name.replace(/ ?[(（].*[)）]/u, "")])
    .filter((name) => name !== "");
}
