/** The names that the Machine Payments Protocol has for networks of Solana. */
const NETWORKS: Readonly<Record<string, string>> = {
  mainnet: "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
  devnet: "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1",
};

/** Undefined for a network that the protocol cannot name. */
export const clusterOf = (network: string): string | undefined =>
  Object.keys(NETWORKS).find((name) => NETWORKS[name] === network);

/** The CAIP-2 id of a network; undefined for an unknown name. */
export const networkOf = (cluster: string): string | undefined =>
  Object.hasOwn(NETWORKS, cluster) ? NETWORKS[cluster] : undefined;
