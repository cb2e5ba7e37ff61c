import { defineProvider } from "../../capability/provider.js";
import { CapabilityError } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { SECOND_MS } from "../../lib/time.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

/** Short, so that the second explorer has time before the caller's limit. */
const TIMEOUT_MS = 4 * SECOND_MS;

/** The Bitcoin explorer mempool.space. Keyless; its limit per address is not published. */
export const mempoolSpace = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "mempool.space",
  url: "https://mempool.space",
  license: "Public blockchain data",
  terms: {
    resale: "unknown",
    attribution: null,
    note: "mempool.space publishes no limit on passing on what the chain says that is known; much traffic is for its paid plans.",
    url: "https://mempool.space/terms-of-service",
    checkedAt: null,
  },
  baseUrl: "https://mempool.space/api",
  timeoutMs: TIMEOUT_MS,
  errorIn: refusalIn,
});

/** Blockstream's explorer: the same reads in the same format, except for recommended fees. */
export const blockstream = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "Blockstream Explorer",
  url: "https://blockstream.info",
  license: "Public blockchain data",
  terms: {
    resale: "unknown",
    attribution: null,
    note: "Blockstream publishes no limit on passing on what the chain says that is known.",
    url: "https://blockstream.com/terms/",
    checkedAt: null,
  },
  baseUrl: "https://blockstream.info/api",
  timeoutMs: TIMEOUT_MS,
  errorIn: refusalIn,
});

/** Refusals are plain text: an address with too much history or too many outputs, or an invalid one. */
function refusalIn(body: unknown, status: number): CapabilityError | undefined {
  if (status !== 400 && status !== 413) return undefined;
  return typeof body === "string" && /too many|too much/i.test(body)
    ? new CapabilityError("RESULT_TOO_LARGE", "The address has more outputs or history than the explorers hand out.")
    : new CapabilityError("INVALID_INPUT", "The Bitcoin explorers cannot read this.");
}
