import { defineProvider } from "../../capability/provider.js";

export const arxiv = /* @__PURE__ */ defineProvider({
  name: "arXiv",
  url: "https://arxiv.org",
  license: "CC0 (metadata)",
  baseUrl: "https://export.arxiv.org/api",
  // Its terms: one connection, and a request every three seconds.
  concurrency: 1,
  perSecond: 1 / 3,
});
