/** The networks that this package can quote without being told more, by CAIP-2 id. */

export interface Network {
  /** The name that version 1 of the protocol uses. */
  alias: string;
  asset: string;
  /** EIP-712 domain of the asset: it differs by deployment, and a wrong name makes signatures that never verify. */
  name: string;
  version: string;
  /** A public node, asked only when a settlement's outcome is unclear. */
  rpcUrl: string;
}

const NETWORKS = new Map<string, Network>([
  [
    "eip155:8453",
    {
      alias: "base",
      asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
      name: "USD Coin",
      version: "2",
      rpcUrl: "https://mainnet.base.org",
    },
  ],
  [
    "eip155:84532",
    {
      alias: "base-sepolia",
      asset: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
      name: "USDC",
      version: "2",
      rpcUrl: "https://sepolia.base.org",
    },
  ],
]);

const BY_ALIAS = new Map([...NETWORKS].map(([id, { alias }]) => [alias, id]));

export const knownNetwork = (id: string): Network | undefined => NETWORKS.get(id);

/** The CAIP-2 id for a version-1 network name; CAIP-2 ids pass through. */
export const networkId = (name: string): string => BY_ALIAS.get(name) ?? name;

/** The version-1 name of a network, where it has one. */
export const networkAlias = (id: string): string => NETWORKS.get(id)?.alias ?? id;
