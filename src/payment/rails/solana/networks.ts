/** Solana networks with known tokens, by CAIP-2 id. */

export interface SolanaNetwork {
  /** USDC's mint. */
  asset: string;
  rpcUrl: string;
}

export const SOLANA_NETWORKS: ReadonlyMap<string, SolanaNetwork> = new Map([
  [
    "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
    { asset: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", rpcUrl: "https://api.mainnet-beta.solana.com" },
  ],
  [
    "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1",
    { asset: "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU", rpcUrl: "https://api.devnet.solana.com" },
  ],
]);
