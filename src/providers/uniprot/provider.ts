import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import { defineProvider } from "../../capability/provider.js";
import { CapabilityError } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

const refusal = lazySchema(() => z.object({ messages: z.array(z.string()) }));

/** UniProt's knowledgebase of proteins. Keyless; a new release every eight weeks. */
export const uniprot = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "UniProt",
  url: "https://www.uniprot.org",
  license: "CC BY 4.0",
  terms: {
    resale: "allowed",
    attribution: "Source: UniProt, https://www.uniprot.org, CC BY 4.0",
    note: "UniProt is CC BY 4.0: it is to be named.",
    url: "https://www.uniprot.org/help/license",
    checkedAt: null,
  },
  baseUrl: "https://rest.uniprot.org",
  timeoutMs: 8000,
  perSecond: 10,
  // The entry of titin alone has several megabytes.
  maxBytes: 16 * 1024 * 1024,
  errorIn(body, status) {
    if (status !== 400 && status !== 404) return undefined;
    // A 404 without UniProt's own text is a routing fault, and says nothing about the protein.
    if (!refusal().safeParse(body).success) return undefined;
    return status === 404
      ? new CapabilityError("NOT_FOUND", "UniProt has no entry of this accession.")
      : new CapabilityError("INVALID_INPUT", "UniProt cannot read this accession.");
  },
});
