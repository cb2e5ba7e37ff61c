/** Decides which endpoints can be sold here, for all documents and surfaces. */
import { unmetError } from "../capability/define.js";
import type { AnyCapability } from "../capability/types.js";
import { needsPackage, packageMissingIn } from "../errors.js";
import type { Catalogue } from "../host/catalogue.js";

/** Why a call of an endpoint answers 502 or 503 before a price is quoted. */
export interface Unavailable {
  /** For buyers, without names of keys. */
  reason: string;
  /** For the host: names of everything that is missing; empty if its upstream changed. */
  missing: string[];
}

type Sellable = Pick<Catalogue, "missing" | "unsound">;

/** Undefined for an endpoint that can be sold. */
export function unavailable(catalogue: Sellable, capability: AnyCapability): Unavailable | undefined {
  const missing = catalogue.missing(capability);
  if (missing.length > 0) return { reason: reasonOf(capability, missing), missing };
  const reason = catalogue.unsound?.(capability);
  return reason === undefined ? undefined : { reason, missing };
}

function reasonOf(capability: AnyCapability, missing: string[]): string {
  const unmet = unmetError(capability);
  if (unmet) {
    const lacking = packageMissingIn(unmet);
    return lacking ? needsPackage(lacking) : unmet.message;
  }
  if (missing.every((name) => name === "wallets")) return "This service keeps nothing for wallets.";
  return "It is not configured on this service.";
}

/** `available: false` with the reason for buyers; empty for an endpoint that can be sold. */
export function availabilityOf(catalogue: Sellable, capability: AnyCapability): { available?: false; reason?: string } {
  const found = unavailable(catalogue, capability);
  return found ? { available: false, reason: found.reason } : {};
}

const isAvailable = (catalogue: Sellable, capability: AnyCapability): boolean =>
  unavailable(catalogue, capability) === undefined;

/** Capabilities that a document lists: those that can be sold here, or with `all` every one. */
export function listed(
  catalogue: Sellable & Pick<Catalogue, "capabilities">,
  { all = false }: { all?: boolean | undefined } = {},
): readonly AnyCapability[] {
  const { capabilities } = catalogue;
  return all ? capabilities : capabilities.filter((capability) => isAvailable(catalogue, capability));
}

/** The same order, with unavailable endpoints at the end. */
export function availableFirst<T>(
  catalogue: Sellable,
  some: readonly T[],
  capabilityOf: (one: T) => AnyCapability | undefined,
): T[] {
  const fits = (one: T) => {
    const capability = capabilityOf(one);
    return capability !== undefined && isAvailable(catalogue, capability);
  };
  const judged = some.map((one) => ({ one, first: fits(one) }));
  return [...judged.filter(({ first }) => first), ...judged.filter(({ first }) => !first)].map(({ one }) => one);
}
