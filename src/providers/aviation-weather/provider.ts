import { defineProvider } from "../../capability/provider.js";
import { usGovernmentWork } from "../../capability/terms.js";
import { CapabilityError } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { MINUTE_MS } from "../../lib/time.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

/** NOAA's Aviation Weather Center. Keyless; at most 100 requests a minute. */
export const aviationWeather = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "NOAA Aviation Weather Center",
  url: "https://aviationweather.gov/data/api/",
  license: "Public domain (U.S. Government)",
  terms: /* @__PURE__ */ usGovernmentWork("https://www.weather.gov/disclaimer"),
  baseUrl: "https://aviationweather.gov/api/data",
  timeoutMs: 8000,
  quota: { requests: 100, perMs: MINUTE_MS },
  errorIn: (body, status) =>
    status === 400 && typeof body === "object"
      ? new CapabilityError("INVALID_INPUT", "The Aviation Weather Center refuses this request: check the station ids.")
      : undefined,
});
