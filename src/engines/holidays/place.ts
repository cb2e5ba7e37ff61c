/** Countries, states and regions of the date-holidays library. */
import type Holidays from "date-holidays";
import type { HolidaysTypes } from "date-holidays";
import { text } from "../../capability/fields.js";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { correctedCountries, correctedRegions } from "./corrections.js";

/** A country, and a state and region of it, in the library's spelling. */
export interface HolidayPlace extends Region {
  country: string;
  countryName: string;
}

interface Region {
  state?: string;
  region?: string;
}

export const regionField = () =>
  text(1, 10).optional().describe("State or region of the country, such as CA, BY or BY-A");

/** The library takes 130 ms to load. `all` is an instance without a country, for its lists. */
export const library = lazy(async () => {
  const { default: Holidays } = await import("date-holidays");
  const all = new Holidays();
  const names = new Intl.DisplayNames("en", { type: "region" });
  const ours = await correctedCountries();
  const countries = new Map([
    ...ours.map((code): [string, string] => [code, names.of(code) ?? code]),
    ...Object.entries(all.getCountries("en")),
  ]);
  return { Holidays, all, countries };
});

/**
 * The place of an input: `DE`, with a region in any case: `BY`, `BY-A` or `DE-BY`. Throws INVALID_INPUT for unknown
 * ones, for which the library would return no holidays or those of the whole country.
 */
export async function readPlace(input: { country: string; region?: string | undefined }): Promise<HolidayPlace> {
  const { all, countries } = await library();
  const { country } = input;
  const countryName = countries.get(country);
  if (countryName === undefined) throw invalid("country", unknownCountry(country, [...countries.keys()].sort()));
  if (input.region === undefined) return { country, countryName };

  const regions = regionsOf(country, all);
  for (const code of await correctedRegions(country))
    if (!regions.has(code.toUpperCase()) && !code.includes("-")) regions.set(code, { state: code });
  const upper = input.region.toUpperCase();
  const name = RENAMED[upper.startsWith(`${country}-`) ? upper : `${country}-${upper}`] ?? upper;
  const region = regions.get(name) ?? (name.startsWith(`${country}-`) ? regions.get(name.slice(3)) : undefined);
  if (region) return { country, countryName, ...region };
  const known = [...regions.values()].map(regionOf).join(", ");
  throw invalid("region", known ? `is not one of ${country}: ${known}` : `leave it out, ${country} has none here`);
}

/** Codes that ISO 3166-2 has changed, in the library's spelling. */
const RENAMED: Readonly<Record<string, string>> = { "IN-CG": "CT", "IN-OD": "OR", "IN-TS": "TG", "IN-UK": "UT" };

/** The states of a country and their regions, by upper-case name: `BY`, `BY-A`. */
function regionsOf(country: string, all: Holidays): Map<string, Region> {
  const states = Object.keys(all.getStates(country) ?? {});
  const regions = states.flatMap((state): Region[] => {
    const inside = Object.keys(all.getRegions(country, state) ?? {});
    return [{ state }, ...inside.map((region) => ({ state, region }))];
  });
  return new Map(regions.map((region) => [regionOf(region)?.toUpperCase() ?? "", region]));
}

function unknownCountry(country: string, known: string[]): string {
  const near = known.filter((code) => code[0] === country[0]).join(", ");
  return `"${country}" is not one of the ${known.length} countries known here; with ${country[0]} begin ${near || "none"}`;
}

/** A place's region in callers' spelling: `BY-A`. */
export function regionOf({ state, region }: Region): string | null {
  if (state === undefined) return null;
  return region === undefined ? state : `${state}-${region}`;
}

/** A place and its parents, the largest first: `DE`, `DE-BY`, `DE-BY-A`. */
export function levelsOf({ country, state, region }: Pick<HolidayPlace, "country" | keyof Region>): string[] {
  const levels = [country];
  if (state !== undefined) levels.push(`${country}-${state}`);
  if (state !== undefined && region !== undefined) levels.push(`${country}-${state}-${region}`);
  return levels;
}

/** A place in the library's form. */
export function definition({ country, state, region }: HolidayPlace): HolidaysTypes.Country {
  return { country, ...(state === undefined ? {} : { state }), ...(region === undefined ? {} : { region }) };
}
