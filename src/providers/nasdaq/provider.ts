import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import { defineProvider } from "../../capability/provider.js";
import { CapabilityError } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

const verdict = lazySchema(() => z.object({ status: z.object({ rCode: z.number() }) }));

/** The calendars behind nasdaq.com's own pages. Keyless, and not a public interface. */
export const nasdaq = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "Nasdaq",
  url: "https://www.nasdaq.com/market-activity/earnings",
  license: "Nasdaq website terms of use",
  terms: {
    resale: "forbidden",
    attribution: null,
    note: "Nasdaq's terms of use do not allow commercial redistribution; its calendar stands in while Finnhub is down, unless NASDAQ_FALLBACK is off.",
    url: "https://www.nasdaq.com/legal",
    checkedAt: null,
  },
  baseUrl: "https://api.nasdaq.com/api",
  settings: [{ name: "NASDAQ_FALLBACK", what: "`off`: while Finnhub is down, Nasdaq does not stand in" }],
  // It answers browsers only.
  agent: "browser",
  headers: {
    accept: "application/json, text/plain, */*",
    origin: "https://www.nasdaq.com",
    referer: "https://www.nasdaq.com/",
  },
  timeoutMs: 8000,
  errorIn(body) {
    const code = verdict().safeParse(body).data?.status.rCode;
    return code === undefined || code === 200
      ? undefined
      : new CapabilityError("UPSTREAM_ERROR", `Nasdaq answered with code ${code}.`);
  },
});
