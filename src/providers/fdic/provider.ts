import { defineProvider } from "../../capability/provider.js";
import { usGovernmentWork } from "../../capability/terms.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

/** The FDIC's BankFind Suite: every US bank with deposit insurance. Keyless; renewed daily, figures quarterly. */
export const fdic = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "FDIC BankFind Suite",
  url: "https://banks.data.fdic.gov/bankfind-suite/bankfind",
  license: "Public domain (U.S. Government)",
  terms: /* @__PURE__ */ usGovernmentWork("https://banks.data.fdic.gov/bankfind-suite/bankfind"),
  baseUrl: "https://api.fdic.gov/banks",
  secret: { name: "FDIC_API_KEY", required: false, in: { query: "api_key" } },
  timeoutMs: 5000,
});

/** Its older address with the same answers. */
export const fdicOldHost = /* @__PURE__ */ defineProvider({
  ...fdic,
  baseUrl: "https://banks.data.fdic.gov/api",
});
