import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { rows } from "../../capability/output.js";
import { sourceOf } from "../../capability/provider.js";
import type { Context } from "../../capability/types.js";
import { fromUnits } from "../../engines/units/atomic.js";
import { CapabilityError, invalid } from "../../errors.js";
import { MINUTE_MS } from "../../lib/time.js";
import { blockscout, blockscoutOf } from "../../providers/blockscout/provider.js";
import { type Explorer, etherscan } from "../../providers/etherscan/provider.js";
import { type AccountTransaction, readTransactions } from "../../providers/etherscan/transactions.js";
import { routescan } from "../../providers/routescan/provider.js";
import { segments } from "../../upstream/client.js";
import { failover } from "../../upstream/failover.js";
import { evmAddress, withChecksum } from "./_evm.js";

/** Maximum rows that explorers return by pages. */
const MAX_ROWS = 10_000;
const MAX_INPUT = 2000;
const LAST_BLOCK = 99_999_999;
const NATIVE_DECIMALS = 18;

const block = (byDefault: number) => z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(byDefault);
const address = () => z.string().nullable();
const units = () => z.string();

export const cryptoAddressHistory = /* @__PURE__ */ defineCapability({
  id: "crypto.address-history",
  summary:
    "Transactions of an EVM address, the newest first: hash, time, counterparties, value, fee, method and outcome.",
  keywords: ["transaction history", "wallet", "txlist", "etherscan", "account activity", "ethereum", "transfers"],
  price: "0.00144",
  origins: [etherscan, blockscout, routescan],
  source: {
    provider: "Etherscan, Blockscout or Routescan",
    url: etherscan.url,
    license: "Terms of service of the explorer that answered",
  },
  timeoutMs: MINUTE_MS,
  input: () =>
    z.strictObject({
      address: evmAddress().describe("The account or contract"),
      chainId: z.int().min(1).max(Number.MAX_SAFE_INTEGER).default(1).describe("The chain by its EIP-155 number"),
      page: z.int().min(1).max(MAX_ROWS).default(1).describe("Which page, from 1"),
      offset: z.int().min(1).max(100).default(25).describe("How many transactions make a page"),
      sort: z.enum(["asc", "desc"]).default("desc").describe("desc: the newest first; asc: the oldest first"),
      startBlock: block(0).describe("The first block to look at"),
      endBlock: block(LAST_BLOCK).describe("The last block to look at"),
    }),
  output: rows(() =>
    z.object({
      hash: z.string(),
      blockNumber: z.number(),
      timestamp: z.string(),
      nonce: z.number().nullable(),
      from: z.string(),
      to: address().describe("Null where a contract was created"),
      contractAddress: address().describe("Of the contract that was created"),
      valueWei: units(),
      value: units().describe("In the native coin"),
      gas: units().describe("The limit"),
      gasUsed: units(),
      gasPriceWei: units().nullable(),
      feeWei: units().nullable().describe("Price of the gas, without the fee of rollups for data"),
      isError: z.boolean(),
      receiptStatus: z.number().nullable().describe("1 for success, 0 for failure, null before the fork of Byzantium"),
      methodId: z.string().nullable().describe("The function's selector; null for a plain transfer"),
      functionName: z.string().nullable().describe("Where the explorer knows it"),
      input: z.string().describe(`The first ${MAX_INPUT} characters of the call's data`),
      confirmations: z.number().nullable(),
    }),
  ),
  example: { address: "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045", offset: 5 },
  check({ page, offset, startBlock, endBlock }) {
    if (startBlock > endBlock) throw invalid("startBlock", "must not be after endBlock");
    if (page * offset <= MAX_ROWS) return;
    const message = `page × offset must be at most ${MAX_ROWS}: narrow the blocks instead`;
    throw new CapabilityError("RESULT_TOO_LARGE", message, { issues: [{ path: "page", message }] });
  },
  async run({ chainId, ...query }, ctx) {
    const { explorer, transactions } = await readFromAny(ctx, chainId, (explorer) =>
      readTransactions(ctx, explorer, query),
    );
    const { page, offset, sort } = query;
    return {
      items: await Promise.all(transactions.map(toItem)),
      // No explorer counts them.
      total: page === 1 && transactions.length === 0 ? 0 : null,
      meta: { chainId, page, offset, sort, provider: explorer.provider.name },
      source: sourceOf(explorer.provider),
    };
  },
});

/** The answer of the first available explorer of the chain. */
function readFromAny(
  ctx: Context,
  chainId: number,
  read: (explorer: Explorer) => Promise<AccountTransaction[]>,
): Promise<{ explorer: Explorer; transactions: AccountTransaction[] }> {
  const own = blockscoutOf(ctx, chainId);
  const explorers: Explorer[] = [
    ...(ctx.secret(etherscan.secret.name) ? [{ provider: etherscan, path: "/api", query: { chainid: chainId } }] : []),
    ...(own ? [{ provider: own, path: "/api" }] : []),
    { provider: routescan, path: segments(chainId, "etherscan", "api") },
  ];
  const attempts = explorers.map((explorer) => async () => ({ explorer, transactions: await read(explorer) }));
  const whatever = { whenBusy: true, whenNotConfigured: true };
  return attempts.reduceRight((next, attempt) => () => failover(attempt, next, whatever))();
}

async function toItem({ input, value, gas, gasUsed, gasPrice, ...row }: AccountTransaction) {
  const data = input ?? "0x";
  const checksummed = (address: string | null) => (address ? withChecksum(address) : null);
  return {
    hash: row.hash,
    blockNumber: row.blockNumber,
    timestamp: row.timeStamp,
    nonce: row.nonce,
    from: await withChecksum(row.from),
    to: await checksummed(row.to),
    contractAddress: await checksummed(row.contractAddress),
    valueWei: String(value),
    value: fromUnits(value, NATIVE_DECIMALS),
    gas: String(gas),
    gasUsed: String(gasUsed),
    gasPriceWei: gasPrice === null ? null : String(gasPrice),
    feeWei: gasPrice === null ? null : String(gasUsed * gasPrice),
    isError: row.isError ?? row.txreceipt_status === 0,
    receiptStatus: row.txreceipt_status,
    // Computed here, because one explorer leaves it empty and another has it wrong.
    methodId: data.length >= 10 ? data.slice(0, 10).toLowerCase() : null,
    functionName: row.functionName,
    input: data.slice(0, MAX_INPUT),
    confirmations: row.confirmations,
  };
}
