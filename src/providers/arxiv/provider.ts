import { defineProvider } from "../../capability/provider.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

export const arxiv = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "arXiv",
  url: "https://arxiv.org",
  license: "CC0 (metadata)",
  terms: {
    resale: "allowed",
    attribution: "Thank you to arXiv for use of its open access interoperability",
    note: "The metadata of arXiv are CC0; its API's pages ask for a line of thanks, and e-prints themselves are their authors'.",
    url: "https://info.arxiv.org/help/api/tou.html",
    checkedAt: "2026-11-22",
  },
  baseUrl: "https://export.arxiv.org/api",
  // Its terms: one connection, and a request every three seconds.
  concurrency: 1,
  perSecond: 1 / 3,
});
