/** Fees that transactions of the last blocks paid. */
import type { Context } from "../../capability/types.js";
import { SECOND_MS } from "../../lib/time.js";
import type { EvmChainName } from "./chains.js";
import { readChain } from "./client.js";

/** Number of blocks to read. */
const BLOCKS = 4;

/** Amounts are wei for a unit of gas. */
export interface FeeHistory {
  /** The newest of the blocks. */
  blockNumber: bigint;
  /** Of the block after it. */
  baseFee: bigint;
  /** For each requested percentile, the fee for the block's producer. */
  priorityFees: bigint[];
}

/** Means over the last four blocks without empty ones. */
export function readFeeHistory(ctx: Context, chain: EvmChainName, percentiles: number[]): Promise<FeeHistory> {
  return readChain(
    ctx,
    chain,
    async ({ client }) => {
      const history = await client.getFeeHistory({ blockCount: BLOCKS, rewardPercentiles: percentiles });
      const { oldestBlock, gasUsedRatio, baseFeePerGas, reward } = history;
      const baseFee = baseFeePerGas.at(-1);
      if (baseFee === undefined) throw new Error("a fee history without base fees");
      const full = reward?.filter((_, index) => gasUsedRatio[index] !== 0) ?? [];
      const rows = full.length > 0 ? full : (reward ?? []);
      const meanOf = (tier: number) => rows.reduce((sum, row) => sum + (row[tier] ?? 0n), 0n) / BigInt(rows.length);
      // Some nodes keep no rewards; then one suggested figure is used.
      const suggested = rows.length > 0 ? 0n : await client.estimateMaxPriorityFeePerGas();
      return {
        blockNumber: oldestBlock + BigInt(gasUsedRatio.length) - 1n,
        baseFee,
        priorityFees: percentiles.map((_, tier) => (rows.length > 0 ? meanOf(tier) : suggested)),
      };
    },
    { ttlMs: 5 * SECOND_MS },
  );
}
