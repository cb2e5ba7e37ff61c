import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import { defineProvider } from "../../capability/provider.js";
import type { Terms } from "../../capability/terms.js";
import { CapabilityError } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { SECOND_MS } from "../../lib/time.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

const TERMS: Terms = {
  resale: "unknown",
  attribution: null,
  note: "Sourcify calls its data open and names no licence; the code of a contract is under its own.",
  url: "https://docs.sourcify.dev/docs/repository/",
  checkedAt: null,
};

/** Sourcify's repository of contracts with published and matching source. Keyless. */
export const sourcify = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "Sourcify",
  url: "https://sourcify.dev",
  license: "Open data (Sourcify)",
  terms: TERMS,
  baseUrl: "https://sourcify.dev/server",
  timeoutMs: 5 * SECOND_MS,
  errorIn: (body, status) =>
    status === 400 && refusal().safeParse(body).data?.customCode === "invalid_parameter"
      ? new CapabilityError("INVALID_INPUT", "Sourcify cannot read this question.")
      : undefined,
});

/** Sourcify's database of signatures by selector, formerly openchain.xyz. Keyless. */
export const sourcifySignatures = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "Sourcify 4byte",
  url: "https://4byte.sourcify.dev",
  license: "Public domain signatures (no licence stated)",
  terms: TERMS,
  baseUrl: "https://api.4byte.sourcify.dev/signature-database/v1",
  timeoutMs: 3 * SECOND_MS,
});

const refusal = lazySchema(() => z.object({ customCode: z.string() }));
