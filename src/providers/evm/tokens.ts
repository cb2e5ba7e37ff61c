/** Balances of an account: the chain's native coin, and ERC-20 tokens. */
import type { Context } from "../../capability/types.js";
import { SECOND_MS } from "../../lib/time.js";
import { chainOf, type EvmChainName } from "./chains.js";
import { type Address, type CallOutcome, callContracts, decoded, MULTICALL3, readChain, type Viem } from "./client.js";

/** A larger number is invalid: 10^78 exceeds any balance. */
const MAX_DECIMALS = 77;
const MAX_SYMBOL = 100;

export interface TokenBalance {
  token: Address;
  /** Null if the contract does not behave like an ERC-20 token. */
  raw: bigint | null;
  symbol: string | null;
  decimals: number | null;
}

export interface Balances {
  native: bigint;
  /** In the order of the request. */
  tokens: TokenBalance[];
  /** Block of the tokens' balances; null if none was requested, or contracts cannot read it. */
  blockNumber: bigint | null;
}

/** An account's balances, at most 15 seconds old. */
export function readBalances(
  ctx: Context,
  chain: EvmChainName,
  { account, tokens }: { account: Address; tokens: readonly Address[] },
): Promise<Balances> {
  return readChain(
    ctx,
    chain,
    async (view) => {
      const { client, viem } = view;
      const { erc20Abi: abi } = viem;
      const calls = tokens.flatMap((to) => [
        { to, data: viem.encodeFunctionData({ abi, functionName: "balanceOf", args: [account] }) },
        { to, data: viem.encodeFunctionData({ abi, functionName: "symbol" }) },
        { to, data: viem.encodeFunctionData({ abi, functionName: "decimals" }) },
      ]);
      const block = { to: MULTICALL3, data: viem.toFunctionSelector("getBlockNumber()") } as const;
      const seesBlock = tokens.length > 0 && !chainOf(chain).foreignBlockNumber;
      const [native, outcomes] = await Promise.all([
        client.getBalance({ address: account }),
        callContracts(view, seesBlock ? [...calls, block] : calls),
      ]);
      return {
        native,
        tokens: tokens.map((token, index) => {
          const [balance, symbol, decimals] = outcomes.slice(index * 3, index * 3 + 3);
          return { token, raw: toUint(balance), symbol: toSymbol(viem, symbol), decimals: toDecimals(decimals) };
        }),
        blockNumber: seesBlock ? toUint(outcomes[calls.length]) : null,
      };
    },
    { ttlMs: 15 * SECOND_MS },
  );
}

/** The first word; null for a revert, and for an address without code, whose answer is empty. */
function toUint(outcome: CallOutcome | undefined): bigint | null {
  return outcome?.ok && outcome.data.length >= 66 ? BigInt(outcome.data.slice(0, 66)) : null;
}

function toDecimals(outcome: CallOutcome | undefined): number | null {
  const value = toUint(outcome);
  return value !== null && value <= MAX_DECIMALS ? Number(value) : null;
}

/** A text, or 32 bytes of one in the oldest tokens. The token's author chose it, so it may be anything. */
function toSymbol(viem: Viem, outcome: CallOutcome | undefined): string | null {
  if (!outcome?.ok) return null;
  const { data } = outcome;
  const text =
    data.length === 66
      ? viem.hexToString(data)
      : decoded(() => viem.decodeFunctionResult({ abi: viem.erc20Abi, functionName: "symbol", data }));
  const printable = text?.replace(/[\p{C}\uFFFD]/gu, "").trim() ?? "";
  return [...printable].slice(0, MAX_SYMBOL).join("") || null;
}
