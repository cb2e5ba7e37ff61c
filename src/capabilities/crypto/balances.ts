import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text } from "../../capability/fields.js";
import { rows } from "../../capability/output.js";
import { fromUnits } from "../../engines/units/atomic.js";
import { chainOf } from "../../providers/evm/chains.js";
import { evmNodes } from "../../providers/evm/provider.js";
import { readBalances, type TokenBalance } from "../../providers/evm/tokens.js";
import { chainSource, evmAddress, isEvmAddress, NODE_CHAINS, withChecksum } from "./_evm.js";

const MAX_TOKENS = 20;
const NATIVE_DECIMALS = 18;

export const cryptoBalances = /* @__PURE__ */ defineCapability({
  id: "crypto.balances",
  summary:
    "Live balances of an EVM address: the chain's native coin, and up to twenty ERC-20 tokens by contract address.",
  keywords: [
    "wallet balance",
    "erc-20",
    "token balance",
    "eth",
    "usdc",
    "multicall",
    "polygon",
    "arbitrum",
    "optimism",
  ],
  price: "0.00144",
  provider: evmNodes,
  input: () =>
    z.strictObject({
      address: evmAddress().describe("The account"),
      chain: z.enum(NODE_CHAINS).default("base").describe("The chain"),
      tokens: tokenList().optional().describe(`Contract addresses, at most ${MAX_TOKENS}, divided by commas`),
    }),
  output: rows(() =>
    z.object({
      type: z.enum(["native", "token"]),
      address: z.string().nullable().describe("The token's contract; null for the native coin"),
      symbol: z.string().nullable().describe("As the contract says: anybody may call a token anything"),
      decimals: z.int().nullable(),
      balanceRaw: z.string().nullable().describe("In the smallest units; null if the contract is not an ERC-20 token"),
      balance: z.string().nullable().describe("In whole coins; null where the decimals are unknown"),
    }),
  ),
  packages: ["viem"],
  example: {
    address: "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045",
    chain: "base",
    tokens: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  },
  read: async ({ address, chain, tokens = [] }) => ({
    chain,
    account: await withChecksum(address),
    tokens: await Promise.all(tokens.map(withChecksum)),
  }),
  async run({ chain, account, tokens }, ctx) {
    const balances = await readBalances(ctx, chain, { account, tokens });
    const { id: chainId, symbol } = chainOf(chain);
    const native = {
      type: "native" as const,
      address: null,
      symbol,
      decimals: NATIVE_DECIMALS,
      balanceRaw: String(balances.native),
      balance: fromUnits(balances.native, NATIVE_DECIMALS),
    };
    const items = [native, ...balances.tokens.map(toItem)];
    return {
      items,
      total: items.length,
      meta: {
        chain,
        chainId,
        blockNumber: balances.blockNumber === null ? null : Number(balances.blockNumber),
        failedTokens: balances.tokens.filter(({ raw }) => raw === null).map(({ token }) => token),
      },
      source: chainSource(chain),
    };
  },
});

function tokenList() {
  const read = (list: string) => {
    const given = list.split(",").map((token) => token.trim());
    // The same contract may be given in two cases.
    return [...new Map(given.filter(Boolean).map((token) => [token.toLowerCase(), token])).values()];
  };
  return text(0, 900)
    .transform(read)
    .refine((tokens) => tokens.length <= MAX_TOKENS && tokens.every(isEvmAddress), {
      error: `must be at most ${MAX_TOKENS} contract addresses of 0x and 40 hexadecimal digits, divided by commas`,
    });
}

function toItem({ token, raw, symbol, decimals }: TokenBalance) {
  return {
    type: "token" as const,
    address: token,
    symbol,
    decimals,
    balanceRaw: raw === null ? null : String(raw),
    balance: raw === null || decimals === null ? null : fromUnits(raw, decimals),
  };
}
