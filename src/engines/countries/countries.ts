import { lazy } from "../../lib/lazy.js";

/** A country or territory, as the generated table has it. */
export interface Country {
  alpha2: string;
  alpha3: string;
  numeric: string | null;
  cioc: string | null;
  commonName: string;
  officialName: string;
  nativeNames: { lang: string; common: string; official: string }[];
  altSpellings: string[];
  capital: string[];
  region: string | null;
  subregion: string | null;
  independent: boolean | null;
  status: string;
  unMember: boolean;
  unRegionalGroup: string | null;
  currencies: { code: string; name: string; symbol: string }[];
  languages: { code: string; name: string }[];
  callingCodes: string[];
  tld: string[];
  borders: string[];
  area: number | null;
  latitude: number;
  longitude: number;
  landlocked: boolean;
  demonym: string | null;
  /** Its names in other languages. */
  translations: string[];
}

/** A country's names, folded for comparison. */
interface Names {
  common: string;
  /** The common and the official one in English. */
  english: string[];
  native: string[];
  /** Every other, by which it is found in whole or in part. */
  other: string[];
  /** ISO codes among the spellings: parts of names must not match them. */
  codes: string[];
}

export interface CountryQuery {
  alpha2?: string | undefined;
  alpha3?: string | undefined;
  name?: string | undefined;
  /** Whether the name must be the whole common, official or native name. */
  fullText: boolean;
}

const loadCountries = lazy(async () => {
  const { COUNTRIES } = await import("./country-table.js");
  return COUNTRIES.map((country) => ({ country, names: namesOf(country) }));
});

/** Countries for which everything that is given holds, best match of the name first. */
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

/** Without case, accents and typographic apostrophes. */
export function foldName(name: string): string {
  return name.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replace(/[’‘ʼ]/g, "'").trim();
}

const NO_MATCH = 5;

function rankBy(name: string | undefined, fullText: boolean): (names: Names) => number {
  if (name === undefined) return () => 0;
  const wanted = foldName(name);
  const contains = (text: string) => text.includes(wanted);
  if (fullText) return ({ english, native }) => ([...english, ...native].includes(wanted) ? 0 : NO_MATCH);
  return ({ common, english, native, other, codes }) => {
    if (english.includes(wanted)) return 0;
    if ([...native, ...other, ...codes].includes(wanted)) return 1;
    if (common.startsWith(wanted)) return 2;
    if (english.some(contains)) return 3;
    return native.some(contains) || other.some(contains) ? 4 : NO_MATCH;
  };
}

function namesOf({ commonName, officialName, nativeNames, altSpellings, translations }: Country): Names {
  const common = foldName(commonName);
  return {
    common,
    english: [common, foldName(officialName)],
    native: nativeNames.flatMap((native) => [foldName(native.common), foldName(native.official)]),
    other: [...altSpellings.filter((spelling) => !isCode(spelling)), ...translations].map(foldName),
    codes: altSpellings.filter(isCode).map(foldName),
  };
}

const isCode = (spelling: string) => /^[A-Z]{2}$/.test(spelling);
