/** An endpoint in the terms of x402: for buyers in a 402, and for facilitators, whose catalogues list it. */
import type { AnyCapability } from "../capability/types.js";
import type { Catalogue } from "../host/catalogue.js";
import type { PaidFor } from "../payment/x402/facilitator.js";
import { paymentIdentifier } from "../payment/x402/payment-identifier.js";
import { bazaar, DETAILS, LEANEST } from "./bazaar.js";

/** The subject of a payment: `resource` of x402 version 2. */
export interface Resource {
  url: string;
  description: string;
  mimeType: string;
  serviceName?: string;
  tags?: readonly string[];
  iconUrl?: string;
}

export interface Listing {
  resource: Resource;
  extensions: Record<string, unknown>;
}

/** Catalogues ignore longer names and other characters. */
const SERVICE_NAME = /^[\x20-\x7e]{1,32}$/;

export function resourceOf({ brand }: Pick<Catalogue, "brand">, capability: AnyCapability, url: string): Resource {
  const { name, tags = [capability.group], iconUrl } = brand;
  return {
    url,
    description: capability.summary,
    mimeType: capability.contentTypes[0] ?? "application/json",
    ...(SERVICE_NAME.test(name) ? { serviceName: name } : {}),
    ...(tags.length > 0 ? { tags } : {}),
    ...(iconUrl ? { iconUrl } : {}),
  };
}

/** Maximum size of the extensions sent with a payment. */
const MAX_LISTING_BYTES = 16 * 1024;

/** Description of a payment's endpoint for a facilitator; undefined if it is not mounted any more. */
export function listingOf(
  catalogue: Pick<Catalogue, "brand" | "byId">,
  { endpoint, url }: PaidFor,
): Listing | undefined {
  const capability = catalogue.byId.get(endpoint);
  if (!capability) return undefined;
  return { resource: resourceOf(catalogue, capability, url), extensions: declaredOf(capability) };
}

const declared = new WeakMap<AnyCapability, Record<string, unknown>>();

/** Computed once, because it is sent twice with each payment. */
function declaredOf(capability: AnyCapability): Record<string, unknown> {
  const known = declared.get(capability);
  if (known) return known;
  const extensions = fittingBazaar(capability, (some) => JSON.stringify(some).length <= MAX_LISTING_BYTES);
  declared.set(capability, extensions);
  return extensions;
}

/** The `bazaar` extension with as much detail as fits, or `{}` if not even the least detail fits. */
export function fittingBazaar(
  capability: AnyCapability,
  fits: (extensions: Record<string, unknown>) => boolean,
): Record<string, unknown> {
  for (const detail of DETAILS) {
    const declared = { bazaar: bazaar(capability, detail) };
    if (fits(declared)) return declared;
  }
  return {};
}

/** The `bazaar` extension with the least detail. */
export const leanestBazaar = (capability: AnyCapability) => ({ bazaar: bazaar(capability, LEANEST) });

/** The extensions in the body of a 402, whose length is unlimited. */
export const wholeExtensions = (capability: AnyCapability): Record<string, unknown> => ({
  ...fittingBazaar(capability, () => true),
  ...paymentIdentifier,
});
