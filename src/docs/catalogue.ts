/** The list of endpoints as the documentation page carries it: as little as its sidebar, search and front page show. */
import type { Facts } from "../capability/types.js";
import { availabilityOf, availableFirst } from "../discovery/availability.js";
import type { Catalogue } from "../host/catalogue.js";

/** Members that are usual are left out, because every visitor loads all entries. */
export interface Listing {
  id: string;
  summary: string;
  price: Facts["price"];
  /** Left out for GET. */
  method?: "POST" | "DELETE";
  /** Left out for a call that costs its price. */
  billing?: "upto";
  deprecated?: true;
  /** The day on which it is expected to end. */
  sunset?: string;
  available?: false;
  /** Why it is unavailable. */
  reason?: string;
  trial?: false;
  /** Free, and for the owner of an account alone. */
  ownersOnly?: true;
  /** The id whose path it has, if that is not its own. */
  mountedAt?: string;
}

/** Every endpoint, unavailable ones last. */
export function listings(catalogue: Catalogue): Listing[] {
  return availableFirst(catalogue, catalogue.capabilities, (one) => one).map((capability) => {
    const { id, summary, method, billing, deprecated, sunset, trial, ownersOnly, mountedAt } = capability;
    return {
      id,
      summary,
      price: catalogue.priceOf(capability),
      ...(method === "GET" ? {} : { method }),
      ...(billing === "upto" ? { billing } : {}),
      ...(deprecated ? { deprecated } : {}),
      ...(sunset ? { sunset: sunset.slice(0, 10) } : {}),
      ...availabilityOf(catalogue, capability),
      ...(trial === false ? { trial } : {}),
      ...(ownersOnly ? { ownersOnly } : {}),
      ...(mountedAt === undefined ? {} : { mountedAt }),
    };
  });
}
