/** The facilitator of a host, or several as one. */

import { type ClientOptions, createFacilitatorClient, type FacilitatorClient } from "./facilitator.js";
import type { FacilitatorOptions } from "./facilitator-options.js";
import { createFailover, type Failover } from "./failover.js";
import type { Facilitator } from "./transport.js";

export type { FacilitatorHealth } from "./failover.js";

type One = FacilitatorOptions | Facilitator;

/** Throws a TypeError for an invalid one. */
export function createFacilitators(
  from: One | readonly One[],
  options: ClientOptions,
): FacilitatorClient & Partial<Pick<Failover, "health">> {
  if (!isList(from)) return createFacilitatorClient(from, options);
  const clients = from.map((one, index) => ({
    name: nameOf(one, index),
    client: createFacilitatorClient(one, options),
  }));
  return createFailover(clients, options);
}

const isList = (from: One | readonly One[]): from is readonly One[] => Array.isArray(from);

/** An address may contain a key in its path or query, so that its origin names it; objects are named by their place. */
function nameOf(one: One, index: number): string {
  const url = "url" in one && typeof one.url === "string" ? one.url : undefined;
  return url === undefined ? `in this process, ${index + 1}` : new URL(url).origin;
}
