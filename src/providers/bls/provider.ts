import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import { defineProvider } from "../../capability/provider.js";
import { usGovernmentWork } from "../../capability/terms.js";
import { CapabilityError } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { DAY_MS } from "../../lib/time.js";
import { list } from "../../upstream/fields.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

const verdict = lazySchema(() => z.object({ status: z.string(), message: list(z.string()) }));

/**
 * The public data API of the Bureau of Labor Statistics: 25 requests a day and address; 500, 50 in ten seconds, with a
 * key.
 */
export const bls = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "U.S. Bureau of Labor Statistics",
  url: "https://www.bls.gov/developers/",
  license: "Public domain (U.S. Government)",
  terms: /* @__PURE__ */ usGovernmentWork(
    "https://www.bls.gov/developers/termsOfService.htm",
    "BLS.gov cannot vouch for the data or analyses derived from these data after the data have been retrieved from BLS.gov.",
  ),
  baseUrl: "https://api.bls.gov/publicAPI/v2",
  secret: {
    name: "BLS_API_KEY",
    required: false,
    in: { body: "registrationkey" },
    keyUrl: "https://data.bls.gov/registrationEngine/",
    free: true,
  },
  quota: { requests: 25, perMs: DAY_MS },
  withKey: { quota: { requests: 500, perMs: DAY_MS }, perSecond: 5 },
  errorIn,
});

/** Every answer has status 200. Its text is not passed on, because it may quote the key. */
function errorIn(body: unknown): CapabilityError | undefined {
  const { data } = verdict().safeParse(body);
  if (!data?.status.startsWith("REQUEST_") || data.status === "REQUEST_SUCCEEDED") return undefined;
  const message = data.message.join(" ");
  if (/daily threshold|exceeded the number of requests/i.test(message))
    return new CapabilityError("UPSTREAM_RATE_LIMIT", "The day's allowance at BLS is used up.");
  if (/key.{0,200}is invalid/i.test(message))
    return new CapabilityError("PROVIDER_NOT_CONFIGURED", "BLS refused the key in BLS_API_KEY.");
  return new CapabilityError("UPSTREAM_ERROR", "BLS did not process the request.");
}
