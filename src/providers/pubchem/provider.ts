import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import { defineProvider } from "../../capability/provider.js";
import { CapabilityError } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

const fault = lazySchema(() => z.object({ Fault: z.object({ Code: z.string() }) }));

/** PubChem's PUG REST. Keyless; at most 5 requests a second and 400 a minute. */
export const pubchem = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "PubChem",
  url: "https://pubchem.ncbi.nlm.nih.gov",
  license: "Public domain (NIH PubChem; some depositor data under own terms)",
  terms: {
    resale: "allowed",
    attribution: null,
    note: "PubChem places no restrictions on use; who deposited a record may hold rights in it.",
    url: "https://www.ncbi.nlm.nih.gov/home/about/policies/",
    checkedAt: null,
  },
  baseUrl: "https://pubchem.ncbi.nlm.nih.gov/rest/pug",
  timeoutMs: 8000,
  perSecond: 5,
  errorIn(body, status) {
    const code = fault().safeParse(body).data?.Fault.Code;
    if (code && status === 400)
      return new CapabilityError("INVALID_INPUT", "PubChem cannot read this identifier: check its spelling.");
    // Without its own explanation a 503 is an ordinary outage.
    if (code === "PUGREST.ServerBusy")
      return new CapabilityError("UPSTREAM_RATE_LIMIT", "PubChem is busy.", { retryAfter: 60 });
    if (status === 504) return new CapabilityError("UPSTREAM_TIMEOUT", "PubChem did not answer in time.");
    return undefined;
  },
});
