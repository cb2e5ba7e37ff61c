import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { zipCode } from "../../capability/fields.js";
import { one } from "../../capability/output.js";
import { figureFields, latestYear, metaOf, readProfile } from "../../providers/census/acs.js";
import { census } from "../../providers/census/provider.js";

export const censusZipcode = /* @__PURE__ */ defineCapability({
  id: "census.zipcode",
  summary:
    "Demographics of a US ZIP area: population, age, income, poverty, work, education, housing, race (ACS 5-year).",
  keywords: ["census", "acs", "zcta", "zip code", "postal code", "population", "neighborhood"],
  price: "0.001",
  provider: census,
  input: () =>
    z.strictObject({
      zip: zipCode().describe("ZIP code of 5 digits; those of post-office boxes have no area"),
    }),
  output: one(() =>
    z.object({
      zip: z.string(),
      name: z.string().nullable(),
      geoId: z.string().describe("The ZIP code tabulation area"),
      stateFips: z.string().nullable().describe("Null: the areas cross state lines"),
      stateCode: z.string().nullable(),
      countyFips: z.string().nullable(),
      year: z.int(),
      ...figureFields(),
    }),
  ),
  example: { zip: "90210" },
  async run({ zip }, ctx) {
    const year = latestYear(ctx);
    const { name, figures } = await readProfile(ctx, { for: `zip code tabulation area:${zip}` }, year);
    const place = { stateFips: null, stateCode: null, countyFips: null };
    return { item: { zip, name, geoId: zip, ...place, year, ...figures }, meta: metaOf(year) };
  },
});
