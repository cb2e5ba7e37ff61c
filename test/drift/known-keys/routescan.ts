import type { KnownKeys } from "../../support/render-inventories.js";

export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/v2/network/mainnet/evm/*/etherscan/api",
    by: "action=txlist",
    source: "routescan.io/documentation, Etherscan-like API",
    objects: {},
    like: { provider: "etherscan", path: "/v2/api", by: "action=txlist" },
  },
];
