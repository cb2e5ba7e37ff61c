import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { one } from "../../capability/output.js";
import { invalid } from "../../errors.js";
import { type State, usState } from "../../lib/facts/us-states.js";
import { type Area, figureFields, latestYear, metaOf, readProfile } from "../../providers/census/acs.js";
import { census } from "../../providers/census/provider.js";

export const censusDemographics = /* @__PURE__ */ defineCapability({
  id: "census.demographics",
  summary:
    "Demographics of a US state or county: population, age, income, poverty, work, education, housing, race (ACS 5-year).",
  keywords: [
    "census",
    "acs",
    "population",
    "median income",
    "poverty",
    "county",
    "state",
    "education",
    "housing",
    "fips",
  ],
  price: "0.00108",
  provider: census,
  input: () =>
    z.strictObject({
      state: z
        .string()
        .regex(/^(?:[A-Za-z]{2}|\d{2})$/, { error: "must be a state code such as CA, or its FIPS code such as 06" })
        .describe("State as a code of two letters, such as CA, or a FIPS code of two digits, such as 06"),
      county: z
        .string()
        .regex(/^\d{3}$/, { error: "must be the 3 digits of a county's FIPS code, such as 037" })
        .optional()
        .describe("County as its FIPS code of three digits; in Connecticut 110 to 190 from the year 2022 on"),
      year: z
        .int()
        .min(2010)
        .max(2100)
        .optional()
        .describe("Last of the five years that were surveyed. Left out: the newest published"),
    }),
  output: one(() =>
    z.object({
      name: z.string().nullable(),
      geoId: z.string().describe("FIPS code: 2 digits for a state, 5 for a county"),
      stateFips: z.string(),
      stateCode: z.string(),
      countyFips: z.string().nullable(),
      year: z.int(),
      ...figureFields(),
    }),
  ),
  example: { state: "CA", county: "037" },
  read({ state, county, year }, ctx) {
    const thisYear = ctx.clock().getUTCFullYear();
    if (year !== undefined && year > thisYear) throw invalid("year", `must not be after ${thisYear}`);
    return { state: readState(state), county, year: year ?? latestYear(ctx) };
  },
  async run({ state, county, year }, ctx) {
    const { name, figures } = await readProfile(ctx, areaOf(state, county), year);
    const place = { stateFips: state.fips, stateCode: state.postalCode, countyFips: county ?? null };
    return { item: { name, geoId: state.fips + (county ?? ""), ...place, year, ...figures }, meta: metaOf(year) };
  },
});

function readState(code: string): State {
  const state = usState(code);
  if (!state || state.islandArea) throw invalid("state", "must be a US state, the District of Columbia or Puerto Rico");
  return state;
}

function areaOf({ fips }: State, county: string | undefined): Area {
  return county === undefined ? { for: `state:${fips}` } : { for: `county:${county}`, in: `state:${fips}` };
}
