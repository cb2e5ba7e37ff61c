import type { Terms } from "../../src/capability/terms.js";

/** Of providers that only tests have. */
export const OPEN_TERMS: Terms = {
  resale: "allowed",
  attribution: null,
  note: "Example gives its data away.",
  url: "https://x.example/terms",
  checkedAt: null,
};
