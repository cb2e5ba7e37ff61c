import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { rows, type Source } from "../../capability/output.js";
import { sourceOf } from "../../capability/provider.js";
import type { Context, Settings } from "../../capability/types.js";
import { allCountries } from "../../engines/countries/countries.js";
import { CapabilityError } from "../../errors.js";
import { countryRisks, risksByCountry } from "../../providers/damodaran/country-risk.js";
import { damodaran } from "../../providers/damodaran/provider.js";
import { finnhubCountries } from "../../providers/finnhub/countries.js";
import { finnhub } from "../../providers/finnhub/provider.js";
import { worldCountries } from "../../providers/packaged/provider.js";

const item = () =>
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
  });
type Item = z.output<ReturnType<typeof item>>;

export const countryFinancials = /* @__PURE__ */ defineCapability({
  id: "country.financials",
  summary: "Sovereign rating, default spread, country and equity risk premium, and currency of one or all countries.",
  keywords: ["sovereign risk", "moody's", "credit rating", "equity risk premium", "damodaran", "country risk", "erp"],
  price: "0.001",
  requires: (host) => (sourceName(host) === "finnhub" ? ["FINNHUB_API_KEY"] : []),
  origins: (host) => (sourceName(host) === "finnhub" ? [finnhub] : [damodaran, worldCountries]),
  source: {
    provider: finnhub.name,
    url: "https://finnhub.io/docs/api/country",
    license: "Finnhub API terms (redistribution needs a plan); risk figures after A. Damodaran, NYU Stern",
  },
  // The first call of a process may wait for the workbook.
  timeoutMs: 60_000,
  input: () =>
    z.strictObject({
      code: z
        .string()
        .regex(/^[A-Za-z]{2,3}$/, { error: "must be an ISO 3166-1 code of 2 or 3 letters, such as DE or DEU" })
        .toUpperCase()
        .optional()
        .describe("ISO 3166-1 code of 2 or 3 letters. Left out: every country"),
    }),
  output: rows(item),
  example: { code: "DE" },
  async run({ code }, ctx) {
    const readAll = SOURCES.get(sourceName(ctx));
    if (!readAll)
      throw new CapabilityError("PROVIDER_NOT_CONFIGURED", "COUNTRY_RISK_SOURCE must be damodaran or finnhub.");
    const { all, source, ...more } = await readAll(ctx);
    const items = all.filter(codeIs(code)).sort(byName);
    if (items.length === 0) throw new CapabilityError("NOT_FOUND", `No country has the code ${code}.`);
    const meta = { unit: "percent", ratingAgency: "Moody's", ...more };
    return { items, total: items.length, meta, ...(source ? { source } : {}) };
  },
});

/**
 * Both sources have limits: Finnhub's plans forbid resale, and the ratings in Damodaran's workbook are Moody's. The
 * host decides.
 */
function sourceName({ setting }: Settings): string {
  return setting("COUNTRY_RISK_SOURCE") ?? "finnhub";
}

interface Found {
  all: Item[];
  source?: Source;
  /** Day of the figures, if the source states it. */
  asOf?: string | null;
}

async function fromFinnhub(ctx: Context): Promise<Found> {
  const all = (await finnhubCountries(ctx)).map((row) => ({
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
  }));
  return { all };
}

/** The countries' other facts come from the package, whose licence requires attribution, too. */
const DAMODARAN: Source = {
  ...sourceOf(damodaran),
  attribution: [damodaran, worldCountries].map(({ terms }) => terms.attribution).join(". "),
};

/** Every country, with nulls if the workbook has no figures. */
async function fromDamodaran(ctx: Context): Promise<Found> {
  const [{ rows: risks, asOf }, countries] = await Promise.all([countryRisks(ctx), allCountries()]);
  const byCode = await risksByCountry(risks);
  const all = countries.map((country) => {
    const risk = byCode.get(country.alpha2);
    const [currency] = country.currencies;
    return {
      code: country.alpha2,
      code3: country.alpha3,
      codeNumeric: country.numeric,
      country: country.commonName,
      region: country.region,
      subRegion: country.subregion,
      currency: currency?.name ?? null,
      currencyCode: currency?.code ?? null,
      rating: risk?.rating ?? null,
      defaultSpread: risk?.defaultSpread ?? null,
      countryRiskPremium: risk?.countryRiskPremium ?? null,
      equityRiskPremium: risk?.equityRiskPremium ?? null,
    };
  });
  return { all, asOf, source: DAMODARAN };
}

const SOURCES = new Map([
  ["damodaran", fromDamodaran],
  ["finnhub", fromFinnhub],
]);

const codeIs = (code: string | undefined) => (row: Item) =>
  code === undefined || row.code === code || row.code3 === code;

const byName = (a: Item, b: Item) => a.country.localeCompare(b.country, "en");
