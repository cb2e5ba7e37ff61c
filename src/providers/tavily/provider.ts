import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import { defineProvider } from "../../capability/provider.js";
import { CapabilityError, invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

const refusal = lazySchema(() => z.object({ detail: z.object({ error: z.string() }) }));

export const tavily = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "Tavily",
  url: "https://tavily.com",
  license: "Search results; rights remain with the publishers",
  terms: {
    resale: "unknown",
    attribution: null,
    note: "What a search finds stays its publishers’, and no words of Tavily are known on who sells its results on.",
    url: "https://www.tavily.com/terms",
    checkedAt: null,
  },
  baseUrl: "https://api.tavily.com",
  secret: {
    name: "TAVILY_API_KEY",
    required: true,
    in: { header: "authorization", prefix: "Bearer " },
    keyUrl: "https://app.tavily.com",
    free: true,
  },
  settings: [{ name: "TAVILY_CREDIT_USD", what: "what one search credit costs the host; 0.008 without it" }],
  timeoutMs: 20_000,
  errorIn(body, status) {
    // 432 and 433: the plan, or its pay-as-you-go limit, is exhausted.
    if (status === 432 || status === 433)
      return new CapabilityError("UPSTREAM_ERROR", "Tavily's allowance for this service is used up.");
    if (status === 400 && refusal().safeParse(body).success) return invalid("query", "was not accepted by the search");
    return undefined;
  },
});
