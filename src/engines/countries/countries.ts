import { lazy } from "../../lib/lazy.js";
import type { Country } from "./country.js";
import { foldName } from "./fold.js";
import type { NamedCountry, Names } from "./names.js";

export { foldName } from "./fold.js";

export interface CountryQuery {
  alpha2?: string | undefined;
  alpha3?: string | undefined;
  name?: string | undefined;
  /** Whether the whole name must match. */
  fullText: boolean;
}

const loadCountries = lazy(async () => {
  const [{ COUNTRIES }, { namedCountries }] = await Promise.all([import("./country-table.js"), import("./names.js")]);
  return namedCountries(COUNTRIES);
});

/** Countries by whole folded names, each with its rank among those of the name. */
const loadWholeNames = lazy(async () => {
  const whole = new Map<string, Map<string, number>>();
  for (const { country, names } of await loadCountries()) {
    const kinds = [names.english, [...names.native, ...names.cldr], [...names.other, ...names.shared]];
    for (const [rank, list] of kinds.entries())
      for (const name of list) {
        const ranks = whole.get(name) ?? new Map<string, number>();
        whole.set(name, ranks);
        if (!ranks.has(country.alpha2)) ranks.set(country.alpha2, rank);
      }
  }
  return whole;
});

/** Countries that match all given fields, best match of the name first. */
export async function findCountries({ alpha2, alpha3, name, fullText }: CountryQuery): Promise<Country[]> {
  const countries = await loadCountries();
  const rank = name === undefined ? () => 0 : await rankBy(name, fullText);
  return countries
    .filter(({ country }) => alpha2 === undefined || country.alpha2 === alpha2.toUpperCase())
    .filter(({ country }) => alpha3 === undefined || country.alpha3 === alpha3.toUpperCase())
    .map(({ country, names }) => ({ country, rank: rank(names, country.alpha2) }))
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

const otherForms = lazy(() => import("./whole-names.js"));

const OTHER_FORM = 3;
const NO_MATCH = 10;

type Rank = (names: Names, alpha2: string) => number;

async function rankBy(name: string, fullText: boolean): Promise<Rank> {
  const wanted = foldName(name);
  const [countries, wholeNames] = await Promise.all([loadCountries(), loadWholeNames()]);
  // A code has no accents: "Mỹ" is the United States, and "MY" Malaysia.
  const isCode = /^\s*[A-Za-z]{2}\s*$/.test(name);
  const whole = wholeNames.get(wanted);
  const inOtherForm = whole ? undefined : await byOtherForm(name, countries, wholeNames);
  const core = wholeNames.get(inOtherForm?.core ?? "");
  return (names, alpha2) => {
    const asCode = isCode ? rankOfCode(names, wanted) : undefined;
    if (asCode !== undefined) return asCode;
    const rank = whole?.get(alpha2);
    if (rank !== undefined) return isCode ? rank + BEHIND_CODES : rank;
    if (inOtherForm?.codes.has(alpha2)) return OTHER_FORM + (core?.get(alpha2) ?? OTHER_FORM);
    return fullText ? NO_MATCH : rankOfPart(names, wanted);
  };
}

const BEHIND_CODES = 2;

const rankOfCode = ({ abbreviations, codes }: Names, wanted: string): number | undefined =>
  abbreviations.includes(wanted) ? 0 : codes.includes(wanted) ? 1 : undefined;

type WholeNames = ReadonlyMap<string, ReadonlyMap<string, number>>;

async function byOtherForm(name: string, countries: readonly NamedCountry[], wholeNames: WholeNames) {
  const { countriesByForm, countriesByHead, headOf } = await otherForms();
  const found = countriesByForm(countries, name);
  if (found) return found;
  const { head, isInverted } = headOf(name);
  const codes = isInverted ? wholeNames.get(head) : undefined;
  return codes && countriesByHead(codes.keys());
}

function rankOfPart({ common, english, native, cldr, other }: Names, wanted: string): number {
  const contains = (text: string) => text.includes(wanted);
  if (common.startsWith(wanted)) return 7;
  if (english.some(contains)) return 8;
  return [native, cldr, other].some((names) => names.some(contains)) ? 9 : NO_MATCH;
}
