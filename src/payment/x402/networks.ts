/** The networks that this package can quote without being told more, by CAIP-2 id. */

export interface Network {
  /** The name that version 1 of the protocol uses. */
  alias: string;
  /** USDC: the token's contract, or its mint. */
  asset: string;
  /** The token's EIP-712 domain, on EVM networks: it differs by deployment, and a wrong name makes signatures that never verify. */
  domain?: { name: string; version: string };
  /** A public node. It is asked when a settlement's outcome is unclear, and for little else. */
  rpcUrl: string;
}

const NETWORKS = new Map<string, Network>([
  [
    "eip155:8453",
    {
      alias: "base",
      asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
      domain: { name: "USD Coin", version: "2" },
      rpcUrl: "https://mainnet.base.org",
    },
  ],
  [
    "eip155:84532",
    {
      alias: "base-sepolia",
      asset: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
      domain: { name: "USDC", version: "2" },
      rpcUrl: "https://sepolia.base.org",
    },
  ],
  [
    "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
    {
      alias: "solana",
      asset: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
      rpcUrl: "https://api.mainnet-beta.solana.com",
    },
  ],
  [
    "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1",
    {
      alias: "solana-devnet",
      asset: "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU",
      rpcUrl: "https://api.devnet.solana.com",
    },
  ],
]);

const BY_ALIAS = new Map([...NETWORKS].map(([id, { alias }]) => [alias, id]));

export const knownNetwork = (id: string): Network | undefined => NETWORKS.get(id);

/** The CAIP-2 id for a version-1 network name; CAIP-2 ids pass through. */
export const networkId = (name: string): string => BY_ALIAS.get(name) ?? name;

/** The version-1 name of a network, where it has one. */
export const networkAlias = (id: string): string => NETWORKS.get(id)?.alias ?? id;

export const isSolana = (network: string): boolean => network.startsWith("solana:");
