/** EVM chains that are read from their own nodes. */
export interface EvmChain {
  /** EIP-155. */
  id: number;
  name: string;
  /** Symbol of its native coin, which has 18 decimals on all of them. */
  symbol: string;
  /** Its explorer, for people. */
  explorer: string;
  /** Public JSON-RPC nodes without a key; the second replaces the first if it fails. */
  nodes: readonly [string, string];
  /** True for a rollup, where a transaction also pays for its data on Ethereum. */
  rollup?: true;
  /** True if contracts see the block number of Ethereum instead of the chain's own. */
  foreignBlockNumber?: true;
}

export const EVM_CHAINS = {
  ethereum: {
    id: 1,
    name: "Ethereum",
    symbol: "ETH",
    explorer: "https://etherscan.io",
    nodes: ["https://ethereum.reth.rs/rpc", "https://eth.merkle.io"],
  },
  base: {
    id: 8453,
    name: "Base",
    symbol: "ETH",
    explorer: "https://basescan.org",
    nodes: ["https://mainnet.base.org", "https://base.publicnode.com"],
    rollup: true,
  },
  polygon: {
    id: 137,
    name: "Polygon",
    symbol: "POL",
    explorer: "https://polygonscan.com",
    nodes: ["https://polygon.drpc.org", "https://polygon-bor.publicnode.com"],
  },
  arbitrum: {
    id: 42161,
    name: "Arbitrum",
    symbol: "ETH",
    explorer: "https://arbiscan.io",
    nodes: ["https://arb1.arbitrum.io/rpc", "https://1rpc.io/arb"],
    rollup: true,
    foreignBlockNumber: true,
  },
  optimism: {
    id: 10,
    name: "Optimism",
    symbol: "ETH",
    explorer: "https://optimistic.etherscan.io",
    nodes: ["https://mainnet.optimism.io", "https://optimism.drpc.org"],
    rollup: true,
  },
  bsc: {
    id: 56,
    name: "BNB Smart Chain",
    symbol: "BNB",
    explorer: "https://bscscan.com",
    nodes: ["https://56.rpc.thirdweb.com", "https://1rpc.io/bnb"],
  },
  avalanche: {
    id: 43114,
    name: "Avalanche",
    symbol: "AVAX",
    explorer: "https://snowtrace.io",
    nodes: ["https://api.avax.network/ext/bc/C/rpc", "https://1rpc.io/avax/c"],
  },
} as const satisfies Record<string, EvmChain>;

export type EvmChainName = keyof typeof EVM_CHAINS;

export const EVM_CHAIN_NAMES = Object.keys(EVM_CHAINS) as EvmChainName[];

export const chainOf = (name: EvmChainName): EvmChain => EVM_CHAINS[name];

/** The setting for a host's own nodes. */
export const settingOf = (name: EvmChainName) => `RPC_URL_${name.toUpperCase()}`;
