/** The facilitator of a host, or several as one. */

import { type ClientOptions, createFacilitatorClient, type FacilitatorClient } from "./facilitator.js";
import type { FacilitatorOptions } from "./facilitator-options.js";
import { createFailover, type Failover, type NamedClient } from "./failover.js";
import type { Facilitator } from "./transport.js";

export type { FacilitatorHealth } from "./failover.js";

type One = FacilitatorOptions | Facilitator;

/** The same client, whose questions are timed. */
export type MeasuredFacilitator = (client: FacilitatorClient, name: string) => FacilitatorClient;

export interface Facilitators {
  /** All as one: it verifies and settles. */
  facilitator: FacilitatorClient & Partial<Pick<Failover, "health">>;
  /** Each by itself, for a question to every one. */
  each: readonly NamedClient[];
}

/** Throws a TypeError for an invalid one. */
export function createFacilitators(
  from: One | readonly One[],
  { measured = (client) => client, ...options }: ClientOptions & { measured?: MeasuredFacilitator | undefined },
): Facilitators {
  const each = (isList(from) ? from : [from]).map((one, index) => {
    const name = nameOf(one, index);
    return { client: askedOnce(measured(createFacilitatorClient(one, options), name)), name };
  });
  const [first] = each;
  return { each, facilitator: first && !isList(from) ? first.client : createFailover(each, options) };
}

/** Several who ask for the supported kinds at the same time share one request. */
function askedOnce(client: FacilitatorClient): FacilitatorClient {
  let asking: Promise<unknown> | undefined;
  return {
    ...client,
    supported() {
      asking ??= client.supported().finally(() => {
        asking = undefined;
      });
      return asking;
    },
  };
}

const isList = (from: One | readonly One[]): from is readonly One[] => Array.isArray(from);

/** An address may contain a key in its path or query, so that its origin names it; objects are named by their place. */
function nameOf(one: One, index: number): string {
  const url = "url" in one && typeof one.url === "string" ? one.url : undefined;
  return url === undefined ? `in this process, ${index + 1}` : new URL(url).origin;
}
