import { defineProvider } from "../../capability/provider.js";

/** The browser that renders pages. The data comes from the pages, so it has no terms of its own. */
export const chromium = /* @__PURE__ */ defineProvider({
  name: "Chromium",
  url: "https://www.chromium.org",
  license: "BSD-3-Clause",
  terms: {
    resale: "allowed",
    attribution: null,
    note: "Chromium is free software; what it draws is its publisher’s.",
    url: "https://chromium.googlesource.com/chromium/src/+/main/LICENSE",
    checkedAt: null,
  },
  baseUrl: "https://www.chromium.org",
  settings: [
    { name: "CHROMIUM_PATH", what: "the Chromium or Chrome that draws pages, where it is not found by itself" },
    { name: "PUPPETEER_EXECUTABLE_PATH", what: "the same, by the name that Puppeteer knows" },
    {
      name: "CHROMIUM_ARGS",
      what: "more switches for it; `--no-sandbox` where it runs as root or in a container without user namespaces",
    },
    {
      name: "BROWSER_WS_ENDPOINT",
      what: "a browser on this machine that runs already, instead; docs/deploying.md tells how to confine it",
    },
  ],
});
