import { capabilities as all } from "../../src/capabilities/index.js";
import type { AnyCapability } from "../../src/capability/types.js";
import type { Service } from "../../src/host/catalogue.js";
import type { Brand } from "../../src/options.js";

interface ServiceOptions {
  capabilities?: readonly AnyCapability[];
  brand?: Partial<Brand>;
  basePath?: string;
  missing?: Service["missing"];
  priceOf?: Service["priceOf"];
}

/** A mounted catalogue at list prices, without a handler around it. */
export function serviceOf(options: ServiceOptions = {}): Service {
  const { capabilities = all, basePath = "/api" } = options;
  return {
    brand: { name: "Coinslot", slug: "svc", ...options.brand },
    basePath,
    capabilities,
    byId: new Map(capabilities.map((capability) => [capability.id, capability])),
    pathOf: ({ id }) => `${basePath}/${id.replace(".", "/")}`,
    priceOf: options.priceOf ?? ((capability) => capability.price),
    paid: true,
    trial: true,
    missing: options.missing ?? (() => []),
  };
}
