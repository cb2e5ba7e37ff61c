import { defineProvider } from "../../capability/provider.js";
import { usGovernmentWork } from "../../capability/terms.js";
import { CapabilityError } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

/** The data API of the U.S. Census Bureau. Since May 2026 every request needs a free key. */
export const census = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "U.S. Census Bureau, American Community Survey",
  url: "https://www.census.gov/data/developers/data-sets/acs-5year.html",
  license: "Public domain (U.S. Government)",
  terms: /* @__PURE__ */ usGovernmentWork(
    "https://www.census.gov/data/developers/about/terms-of-service.html",
    "This product uses the Census Bureau Data API but is not endorsed or certified by the Census Bureau.",
  ),
  baseUrl: "https://api.census.gov/data",
  secret: {
    name: "CENSUS_API_KEY",
    required: true,
    in: { query: "key" },
    keyUrl: "https://api.census.gov/data/key_signup.html",
    free: true,
  },
  settings: [
    { name: "ACS5_LATEST_YEAR", what: "the survey's newest year, once there is a newer one than is known here" },
  ],
  followsRedirects: false,
  errorIn,
});

/** Answers are read as text, because a status of 400 is explained in plain words. */
function errorIn(body: unknown, status: number): CapabilityError | undefined {
  if (status === 302) return refusedKey();
  if (status === 404) return new CapabilityError("NOT_FOUND", "There are no ACS 5-year data for this year.");
  if (typeof body !== "string") return undefined;
  if (status === 400 && body.includes("geography"))
    return new CapabilityError("NOT_FOUND", "The Census Bureau has no such area in this year.");
  // An invalid key leads to a web page: by a redirect, or directly with status 200.
  if (body.startsWith("<") && /(?:missing|invalid) key/i.test(body)) return refusedKey();
  return undefined;
}

const refusedKey = () =>
  new CapabilityError("PROVIDER_NOT_CONFIGURED", "The Census Bureau refused the key in CENSUS_API_KEY.");
