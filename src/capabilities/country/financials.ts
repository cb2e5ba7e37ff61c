import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { lazySchema } from "../../capability/fields.js";
import { rows } from "../../capability/output.js";
import { CapabilityError } from "../../errors.js";
import { DAY_MS } from "../../lib/time.js";
import { finnhub } from "../../providers/finnhub/provider.js";
import { upstream } from "../../upstream/client.js";
import { label, number, whole } from "../../upstream/fields.js";

/** Countries without a rating lack risk figures. */
const country = lazySchema(() =>
  whole(
    {
      code2: z.string(),
      code3: z.string(),
      country: z.string(),
      codeNo: label(),
      currency: label(),
      currencyCode: label(),
    },
    {
      region: label(),
      subRegion: label(),
      rating: label(),
      defaultSpread: number(),
      countryRiskPremium: number(),
      equityRiskPremium: number(),
    },
    // Older answers have none of them.
    ["region", "subRegion", "rating", "defaultSpread", "countryRiskPremium", "equityRiskPremium"],
  ),
);
type Country = z.output<ReturnType<typeof country>>;

export const countryFinancials = /* @__PURE__ */ defineCapability({
  id: "country.financials",
  summary: "Sovereign rating, default spread, country and equity risk premium, and currency of one or all countries.",
  keywords: ["sovereign risk", "moody's", "credit rating", "equity risk premium", "damodaran", "country risk", "erp"],
  price: "0.001",
  provider: finnhub,
  source: {
    provider: finnhub.name,
    url: "https://finnhub.io/docs/api/country",
    license: "Finnhub API terms (redistribution needs a plan); risk figures after A. Damodaran, NYU Stern",
  },
  input: () =>
    z.strictObject({
      code: z
        .string()
        .regex(/^[A-Za-z]{2,3}$/, { error: "must be an ISO 3166-1 code of 2 or 3 letters, such as DE or DEU" })
        .toUpperCase()
        .optional()
        .describe("ISO 3166-1 code of 2 or 3 letters. Left out: every country"),
    }),
  output: rows(() =>
    z.object({
      code: z.string().describe("ISO 3166-1 alpha-2"),
      code3: z.string().describe("ISO 3166-1 alpha-3"),
      codeNumeric: z.string().nullable().describe("ISO 3166-1 numeric, three digits"),
      country: z.string(),
      region: z.string().nullable(),
      subRegion: z.string().nullable(),
      currency: z.string().nullable(),
      currencyCode: z.string().nullable(),
      rating: z.string().nullable().describe("On Moody's scale, Aaa to C"),
      defaultSpread: z.number().nullable().describe("In percent"),
      countryRiskPremium: z.number().nullable().describe("In percent"),
      equityRiskPremium: z.number().nullable().describe("In percent"),
    }),
  ),
  example: { code: "DE" },
  async run({ code }, ctx) {
    // Finnhub has no request for one country.
    const answer = await upstream(ctx, finnhub).get("/country", {
      schema: z.array(country()).nonempty(),
      ttlMs: DAY_MS,
      staleMs: 7 * DAY_MS,
    });
    const items = answer.filter(codeIs(code)).map(toItem).sort(byName);
    if (items.length === 0) throw new CapabilityError("NOT_FOUND", `Finnhub has no country of the code ${code}.`);
    return { items, total: items.length, meta: { unit: "percent", ratingAgency: "Moody's" } };
  },
});

const codeIs = (code: string | undefined) => (row: Country) =>
  code === undefined || row.code2 === code || row.code3 === code;

function toItem(row: Country) {
  return {
    code: row.code2,
    code3: row.code3,
    codeNumeric: row.codeNo?.padStart(3, "0") ?? null,
    country: row.country,
    region: row.region,
    subRegion: row.subRegion,
    currency: row.currency,
    currencyCode: row.currencyCode,
    rating: row.rating,
    defaultSpread: row.defaultSpread,
    countryRiskPremium: row.countryRiskPremium,
    equityRiskPremium: row.equityRiskPremium,
  };
}

const byName = (a: { country: string }, b: { country: string }) => a.country.localeCompare(b.country, "en");
