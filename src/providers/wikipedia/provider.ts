import { defineProvider } from "../../capability/provider.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

export const wikipedia = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "Wikipedia",
  url: "https://en.wikipedia.org",
  license: "CC BY-SA 4.0",
  terms: {
    resale: "share-alike",
    attribution: "Wikipedia, https://en.wikipedia.org, CC BY-SA 4.0",
    note: "Wikipedia is CC BY-SA 4.0: its authors are named by a link to the article, and share-alike holds for texts made of it.",
    url: "https://foundation.wikimedia.org/wiki/Policy:Terms_of_Use",
    checkedAt: null,
  },
  baseUrl: "https://en.wikipedia.org/w",
  // It asks clients without an account for few connections.
  concurrency: 2,
  timeoutMs: 10_000,
});
