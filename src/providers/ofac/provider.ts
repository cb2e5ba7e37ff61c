import { defineProvider } from "../../capability/provider.js";
import { usGovernmentWork } from "../../capability/terms.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

/** The sanctions lists of the US Treasury's Office of Foreign Assets Control. Keyless; changed several times a week. */
export const ofac = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "OFAC Specially Designated Nationals list",
  url: "https://sanctionslist.ofac.treas.gov",
  license: "U.S. Government work, public domain",
  terms: /* @__PURE__ */ usGovernmentWork("https://sanctionslist.ofac.treas.gov"),
  baseUrl: "https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports",
});

/** The digital currency addresses of the same list, extracted every night by 0xB10C. Keyless. */
export const ofacAddresses = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "US Treasury OFAC SDN list",
  url: "https://sanctionslist.ofac.treas.gov",
  license: "US government work (public domain); extraction MIT",
  terms: /* @__PURE__ */ usGovernmentWork("https://sanctionslist.ofac.treas.gov"),
  baseUrl: "https://raw.githubusercontent.com/0xB10C/ofac-sanctioned-digital-currency-addresses/lists",
  concurrency: 17,
});
