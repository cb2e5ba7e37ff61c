import { defineProvider, type Provider } from "../../capability/provider.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

/** Shared by all portals of Socrata. Without a token all callers share one small allowance. */
const socrataPortal = {
  secret: {
    name: "SOCRATA_APP_TOKEN",
    required: false,
    in: { header: "x-app-token" },
    keyUrl: "https://support.socrata.com/hc/en-us/articles/210138558",
    free: true,
  },
  // A search for a part of a name scans the whole table.
  timeoutMs: 15_000,
  concurrency: 4,
} as const satisfies Partial<Provider>;

/** The open-data portal of Connecticut; its Secretary of the State renews the business register every night. */
export const connecticut = /* @__PURE__ */ defineProvider({
  inventory: keys,
  ...socrataPortal,
  name: "Connecticut Secretary of the State (data.ct.gov)",
  url: "https://data.ct.gov/d/n7gp-d28j",
  license: "Public Domain",
  terms: {
    resale: "allowed",
    attribution: null,
    note: "Connecticut marks the data set as public domain.",
    url: "https://data.ct.gov/d/n7gp-d28j",
    checkedAt: null,
  },
  baseUrl: "https://data.ct.gov/resource",
});

/** The open-data portal of New York, whose Department of State lists the corporations that are active. */
export const newYork = /* @__PURE__ */ defineProvider({
  inventory: keys,
  ...socrataPortal,
  name: "New York Department of State (data.ny.gov)",
  url: "https://data.ny.gov/d/n9v6-gdp6",
  license: "Open NY terms (public)",
  terms: {
    resale: "allowed",
    attribution: null,
    note: "The terms of Open NY allow any use of its public data sets.",
    url: "https://data.ny.gov/d/77gx-ii52",
    checkedAt: null,
  },
  baseUrl: "https://data.ny.gov/resource",
});

/** The open-data portal of Colorado, with the business register of its Secretary of State. */
export const colorado = /* @__PURE__ */ defineProvider({
  inventory: keys,
  ...socrataPortal,
  name: "Colorado Secretary of State (data.colorado.gov)",
  url: "https://data.colorado.gov/d/4ykn-tg5h",
  license: "Public domain (State of Colorado)",
  terms: {
    resale: "allowed",
    attribution: null,
    note: "Colorado publishes its business register as public data, without a limit on its use that is known.",
    url: "https://data.colorado.gov/d/4ykn-tg5h",
    checkedAt: null,
  },
  baseUrl: "https://data.colorado.gov/resource",
});
