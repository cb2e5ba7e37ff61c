/**
 * EVM networks with known tokens, by CAIP-2 id. Addresses are those of viem's table of USDC; each domain gives the
 * DOMAIN_SEPARATOR that the contract itself was read to have.
 */

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
  [
    "eip155:137",
    {
      asset: "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359",
      domain: { name: "USD Coin", version: "2" },
      rpcUrl: "https://polygon.drpc.org",
    },
  ],
  [
    "eip155:42161",
    {
      asset: "0xaf88d065e77c8cC2239327C5EDb3A432268e5831",
      domain: { name: "USD Coin", version: "2" },
      rpcUrl: "https://arb1.arbitrum.io/rpc",
    },
  ],
  [
    "eip155:43114",
    {
      asset: "0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E",
      domain: { name: "USD Coin", version: "2" },
      rpcUrl: "https://api.avax.network/ext/bc/C/rpc",
    },
  ],
  [
    "eip155:10",
    {
      asset: "0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85",
      domain: { name: "USD Coin", version: "2" },
      rpcUrl: "https://mainnet.optimism.io",
    },
  ],
  [
    "eip155:480",
    {
      asset: "0x79A02482A880bCE3F13e09Da970dC34db4CD24d1",
      domain: { name: "USDC", version: "2" },
      rpcUrl: "https://worldchain-mainnet.g.alchemy.com/public",
    },
  ],
]);
