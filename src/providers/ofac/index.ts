import { defineProvider } from "../../capability/provider.js";

/** The sanctions lists of the US Treasury's Office of Foreign Assets Control. Keyless; changed several times a week. */
export const ofac = /* @__PURE__ */ defineProvider({
  name: "OFAC Specially Designated Nationals list",
  url: "https://sanctionslist.ofac.treas.gov",
  license: "U.S. Government work, public domain",
  baseUrl: "https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports",
});
