import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import { defineProvider } from "../../capability/provider.js";
import { CapabilityError } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

const failure = lazySchema(() => z.object({ metadata: z.object({ error: z.string().min(1) }) }));

/** The Crypto Fear & Greed Index of alternative.me, one value a day. Keyless; it takes 60 requests a minute. */
export const alternativeMe = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "alternative.me",
  url: "https://alternative.me/crypto/fear-and-greed-index/",
  license: "Free to use, attribution required",
  terms: {
    resale: "allowed",
    attribution: "Source: alternative.me Crypto Fear & Greed Index",
    note: "alternative.me wants to be named right beside the data; no product may pass for theirs.",
    url: "https://alternative.me/crypto/api/",
    checkedAt: null,
  },
  baseUrl: "https://api.alternative.me",
  quota: { requests: 60, perMs: 60_000 },
  errorIn: (body) =>
    failure().safeParse(body).success
      ? new CapabilityError("UPSTREAM_ERROR", "alternative.me could not give the index.")
      : undefined,
});
