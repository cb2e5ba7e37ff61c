import { defineProvider } from "../../capability/provider.js";
import { lazy } from "../../lib/lazy.js";
import { DAY_MS } from "../../lib/time.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

export const courtListener = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "CourtListener",
  url: "https://www.courtlistener.com",
  license: "Public domain (opinions); credit to Free Law Project requested",
  terms: {
    resale: "allowed",
    attribution: null,
    note: "Opinions of courts are in the public domain; Free Law Project asks to be named.",
    url: "https://www.courtlistener.com/terms/",
    checkedAt: null,
  },
  baseUrl: "https://www.courtlistener.com/api/rest/v4",
  secret: {
    name: "COURTLISTENER_API_TOKEN",
    required: false,
    in: { header: "authorization", prefix: "Token " },
    keyUrl: "https://www.courtlistener.com/help/api/rest/",
    free: true,
  },
  concurrency: 2,
  quota: { requests: 100, perMs: DAY_MS },
  withKey: { quota: { requests: 125, perMs: DAY_MS } },
});
