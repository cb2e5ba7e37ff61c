/** Finnhub's list of countries, with Damodaran's risk figures in it. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { DAY_MS } from "../../lib/time.js";
import { upstream } from "../../upstream/client.js";
import { identifiedRows, isFilled, label, number, whole } from "../../upstream/fields.js";
import { finnhub } from "./provider.js";

/** Risk figures are missing for countries without a rating. */
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
export type FinnhubCountry = z.output<ReturnType<typeof country>>;

/** All countries, because Finnhub has no request for one. Figures are in percent. */
export const finnhubCountries = (ctx: Context): Promise<FinnhubCountry[]> =>
  upstream(ctx, finnhub).get("/country", {
    schema: identifiedRows(country(), ["code2", "code3", "country"]).refine(isFilled, "is empty"),
    ttlMs: DAY_MS,
    staleMs: 7 * DAY_MS,
  });
