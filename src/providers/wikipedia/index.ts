import { defineProvider } from "../../capability/provider.js";

export const wikipedia = /* @__PURE__ */ defineProvider({
  name: "Wikipedia",
  url: "https://en.wikipedia.org",
  license: "CC BY-SA 4.0",
  baseUrl: "https://en.wikipedia.org/w",
  // It asks for few connections of who has no account.
  concurrency: 2,
  timeoutMs: 10_000,
});
