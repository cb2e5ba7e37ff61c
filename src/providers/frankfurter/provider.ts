import { defineProvider } from "../../capability/provider.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

/** The euro reference rates of the European Central Bank as JSON. Keyless; new figures once a working day. */
export const frankfurter = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "Frankfurter / European Central Bank",
  url: "https://frankfurter.dev",
  license: "ECB euro reference rates (free reuse with source acknowledgement); service MIT",
  terms: {
    resale: "allowed",
    attribution: "Source: European Central Bank",
    note: "Frankfurter passes on reference rates of the European Central Bank, which wants to be named as their source.",
    url: "https://www.ecb.europa.eu/services/disclaimer/html/index.en.html",
    checkedAt: null,
  },
  // Version 1 is the ECB alone; version 2 blends some eighty central banks.
  baseUrl: "https://api.frankfurter.dev/v1",
  // Leaves time to ask the bank itself.
  timeoutMs: 5000,
  refusals: { 422: "The currencies or the date were refused by the source of the rates." },
});
