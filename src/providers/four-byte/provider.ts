import { defineProvider } from "../../capability/provider.js";
import { lazy } from "../../lib/lazy.js";
import { SECOND_MS } from "../../lib/time.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

/** The oldest database of signatures by selector; anybody can write to it. Keyless. */
export const fourByte = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "4byte.directory",
  url: "https://www.4byte.directory",
  license: "Public domain signatures (no licence stated)",
  terms: {
    resale: "unknown",
    attribution: null,
    note: "No licence is stated for the signatures of 4byte.directory.",
    url: "https://www.4byte.directory",
    checkedAt: null,
  },
  baseUrl: "https://www.4byte.directory/api/v1",
  timeoutMs: 3 * SECOND_MS,
});
