/** EVM networks with known tokens, by CAIP-2 id. */

export interface EvmNetwork {
  /** USDC's contract. */
  asset: string;
  /** Its EIP-712 domain. It differs by deployment, and with a wrong name no signature verifies. */
  domain: { name: string; version: string };
  rpcUrl: string;
}

export const EVM_NETWORKS: ReadonlyMap<string, EvmNetwork> = new Map([
  [
    "eip155:8453",
    {
      asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
      domain: { name: "USD Coin", version: "2" },
      rpcUrl: "https://mainnet.base.org",
    },
  ],
  [
    "eip155:84532",
    {
      asset: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
      domain: { name: "USDC", version: "2" },
      rpcUrl: "https://sepolia.base.org",
    },
  ],
]);
