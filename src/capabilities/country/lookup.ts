import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text } from "../../capability/fields.js";
import { rows } from "../../capability/output.js";
import { sourceOf } from "../../capability/provider.js";
import { findCountries, foldName } from "../../engines/countries/countries.js";
import type { Country } from "../../engines/countries/country.js";
import { CapabilityError, invalid } from "../../errors.js";
import { worldCountries } from "../../providers/packaged/provider.js";

const label = () => z.string().nullable();
const labels = () => z.array(z.string());

export const countryLookup = /* @__PURE__ */ defineCapability({
  id: "country.lookup",
  summary: "Countries by ISO code or by a name in any of fifty languages: capital, currency, borders, codes, flag.",
  keywords: [
    "what currency",
    "iso 3166",
    "capital of",
    "capital city",
    "nation",
    "alpha-2",
    "alpha-3",
    "calling code",
    "tld",
    "flag emoji",
    "language",
    "dial code",
    "local currency",
  ],
  price: "0.0012",
  origins: [worldCountries],
  source: sourceOf(worldCountries),
  input: () =>
    z.strictObject({
      alpha2: z
        .string()
        .regex(/^[A-Za-z]{2}$/, { error: "must be 2 letters" })
        .optional()
        .describe("ISO 3166-1 alpha-2 code, such as FI"),
      alpha3: z
        .string()
        .regex(/^[A-Za-z]{3}$/, { error: "must be 3 letters" })
        .optional()
        .describe("ISO 3166-1 alpha-3 code, such as FIN"),
      name: text(2, 80).optional().describe("Its name or a part of it, in English or another language"),
      fullText: z
        .boolean()
        .default(false)
        .describe("Whether the name must be whole: common, official or native, in any language"),
    }),
  output: rows(() =>
    z.object({
      alpha2: z.string(),
      alpha3: z.string(),
      numeric: label(),
      cioc: label().describe("Code of the International Olympic Committee"),
      commonName: z.string(),
      officialName: z.string(),
      nativeNames: z.array(z.object({ lang: z.string(), common: z.string(), official: z.string() })),
      altSpellings: labels(),
      capital: labels(),
      region: label(),
      subregion: label(),
      continents: labels().nullable().describe("Not in the source: null"),
      independent: z.boolean().nullable(),
      status: z.string().describe("Of the ISO code"),
      unMember: z.boolean(),
      unRegionalGroup: label(),
      currencies: z.array(z.object({ code: z.string(), name: z.string(), symbol: z.string() })),
      languages: z.array(z.object({ code: z.string().describe("ISO 639-3"), name: z.string() })),
      callingCodes: labels(),
      tld: labels(),
      borders: labels().describe("ISO 3166-1 alpha-3 codes"),
      area: z.number().nullable().describe("In square kilometres"),
      latitude: z.number(),
      longitude: z.number(),
      landlocked: z.boolean(),
      demonym: label(),
      flagEmoji: z.string(),
      flagSvg: z.string(),
      population: z.number().nullable().describe("Not in the source: null"),
      timezones: labels().nullable().describe("Not in the source: null"),
    }),
  ),
  example: { alpha2: "FI" },
  check({ alpha2, alpha3, name }) {
    if ((alpha2 ?? alpha3 ?? name) === undefined) throw invalid("", "give at least one of alpha2, alpha3 and name");
    if (name !== undefined && foldName(name).length < 2) throw invalid("name", "must have at least 2 letters");
  },
  async run(query) {
    const countries = await findCountries(query);
    if (countries.length === 0) throw new CapabilityError("NOT_FOUND", "No country or territory matches.");
    return { items: countries.map(toItem), total: countries.length };
  },
});

function toItem({ translations: _, ...country }: Country) {
  return {
    // A copy, because a caller may change the result, and the table must not change with it.
    ...structuredClone(country),
    continents: null,
    flagEmoji: flagOf(country.alpha2),
    flagSvg: `https://flagcdn.com/${country.alpha2.toLowerCase()}.svg`,
    population: null,
    timezones: null,
  };
}

/** A flag consists of the country code in regional indicator letters, which begin at U+1F1E6. */
const flagOf = (alpha2: string) =>
  String.fromCodePoint(...[...alpha2].map((letter) => letter.charCodeAt(0) - 65 + 0x1f1e6));
