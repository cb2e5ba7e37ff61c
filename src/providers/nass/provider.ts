import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import { defineProvider } from "../../capability/provider.js";
import { usGovernmentWork } from "../../capability/terms.js";
import { CapabilityError } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

const refusal = lazySchema(() => z.object({ error: z.array(z.string()) }));

/** USDA's Quick Stats. It needs a free key; an answer has at most 50,000 rows. */
export const nass = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "USDA NASS Quick Stats",
  url: "https://quickstats.nass.usda.gov",
  license: "Public domain (U.S. Government)",
  terms: /* @__PURE__ */ usGovernmentWork(
    "https://quickstats.nass.usda.gov/api",
    "This product uses the NASS API but is not endorsed or certified by NASS.",
  ),
  baseUrl: "https://quickstats.nass.usda.gov/api",
  secret: {
    name: "NASS_API_KEY",
    required: true,
    in: { query: "key" },
    keyUrl: "https://quickstats.nass.usda.gov/api",
    free: true,
  },
  timeoutMs: 30_000,
  // 50,000 rows are about 50 MB.
  maxBytes: 64 * 1024 * 1024,
  concurrency: 4,
  errorIn,
});

function errorIn(body: unknown, status: number): CapabilityError | undefined {
  if (status === 413)
    return new CapabilityError(
      "RESULT_TOO_LARGE",
      "More than 50,000 rows match: narrow the query by year, state_alpha, statisticcat_desc or agg_level_desc.",
    );
  if (status === 403)
    return new CapabilityError("UPSTREAM_RATE_LIMIT", "Quick Stats is rate limiting requests; retry later.", {
      retryAfter: 60,
    });
  // It reports an unknown value and a query without matches in the same words: neither is charged.
  const reason = refusal().safeParse(body).data?.error.join(" ") ?? "";
  if (status === 400 && reason.includes("invalid query"))
    return new CapabilityError(
      "NOT_FOUND",
      "Quick Stats has no rows for this query: check the spelling of each value, or leave some out.",
    );
  return undefined;
}
