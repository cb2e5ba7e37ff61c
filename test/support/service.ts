import { capabilities as all } from "../../src/capabilities/index.js";
import { createContext } from "../../src/capability/context.js";
import type { AnyCapability } from "../../src/capability/types.js";
import { addDiscovery } from "../../src/discovery/pages.js";
import type { Catalogue } from "../../src/host/catalogue.js";
import type { Brand } from "../../src/host/options.js";
import { createRoutes } from "../../src/host/routes.js";

interface ServiceOptions {
  capabilities?: readonly AnyCapability[];
  brand?: Partial<Brand>;
  basePath?: string;
  missing?: Catalogue["missing"];
  priceOf?: Catalogue["priceOf"];
}

/** A mounted catalogue at list prices, without a handler around it. */
export function serviceOf(options: ServiceOptions = {}): Catalogue {
  const { capabilities = all, basePath = "/api" } = options;
  const catalogue: Catalogue = {
    brand: { name: "Coinslot", slug: "svc", ...options.brand },
    basePath,
    capabilities,
    byId: new Map(capabilities.map((capability) => [capability.id, capability])),
    pathOf: ({ id }) => `${basePath}/${id.replace(".", "/")}`,
    publicPath: (path) => path,
    priceOf: options.priceOf ?? ((capability) => capability.price),
    contextFor: (capability) => createContext({}, { timeoutMs: capability.timeoutMs }),
    paid: true,
    docs: true,
    signIn: false,
    signInFree: new Set(),
    signInAgain: false,
    ownSignIn: false,
    networks: [],
    recentBlocks: new Map(),
    accountKeys: false,
    trialsPerHour: 1,
    chargesOf: () => [],
    missing: options.missing ?? (() => []),
    termsOf: ({ terms }) => terms,
    routes: createRoutes(),
  };
  addDiscovery(catalogue);
  return catalogue;
}
