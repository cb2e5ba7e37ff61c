import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { one } from "../../capability/output.js";
import { fromUnits } from "../../engines/units/atomic.js";
import { exact } from "../../lib/exact.js";
import { chainOf } from "../../providers/evm/chains.js";
import { readFeeHistory } from "../../providers/evm/fees.js";
import { evmNodes } from "../../providers/evm/provider.js";
import { chainSource, NODE_CHAINS } from "./_evm.js";

/** Percentiles of fees in the last blocks: for slow, standard and fast. */
const PERCENTILES = [25, 50, 75];
/** Gas of a plain transfer of the native coin. */
const TRANSFER_GAS = 21_000;
const NATIVE_DECIMALS = 18;
const GWEI_DECIMALS = 9;

const wei = () => z.string();
const gwei = () => z.number();
const tier = (percentile: number) =>
  z
    .object({
      maxPriorityFeePerGas: wei(),
      maxFeePerGas: wei().describe("Twice the base fee and the priority fee: enough for six full blocks to come"),
      maxPriorityFeeGwei: gwei(),
      gasPriceGwei: gwei().describe("What the next block would charge: base fee and priority fee"),
      transferCostWei: wei(),
      transferCost: z.string().describe("In the native coin"),
    })
    .describe(`At the ${percentile}th percentile of the priority fees of the last four blocks`);

export const cryptoGasOracle = /* @__PURE__ */ defineCapability({
  id: "crypto.gas-oracle",
  summary: "Gas fees of an EVM chain now: base fee, slow, standard and fast priority fees, and what a transfer costs.",
  keywords: ["gas price", "gwei", "eip-1559", "base fee", "priority fee", "transaction fee", "ethereum", "polygon"],
  price: "0.001",
  provider: evmNodes,
  input: () => z.strictObject({ chain: z.enum(NODE_CHAINS).describe("The chain") }),
  output: one(() =>
    z.object({
      chain: z.enum(NODE_CHAINS),
      chainId: z.int(),
      blockNumber: z.int().describe("The newest block that was looked at"),
      baseFeePerGas: wei().describe("Of the next block, in wei, as all decimal texts here"),
      baseFeeGwei: gwei(),
      slow: tier(25),
      standard: tier(50),
      fast: tier(75),
      transferGas: z.int(),
      nativeSymbol: z.string(),
    }),
  ),
  packages: ["viem"],
  example: { chain: "base" },
  async run({ chain }, ctx) {
    const { id, symbol, rollup } = chainOf(chain);
    const { blockNumber, baseFee, priorityFees } = await readFeeHistory(ctx, chain, PERCENTILES);
    const [slow = 0n, standard = 0n, fast = 0n] = priorityFees;
    return {
      item: {
        chain,
        chainId: id,
        blockNumber: Number(blockNumber),
        baseFeePerGas: String(baseFee),
        baseFeeGwei: toGwei(baseFee),
        slow: toTier(baseFee, slow),
        standard: toTier(baseFee, standard),
        fast: toTier(baseFee, fast),
        transferGas: TRANSFER_GAS,
        nativeSymbol: symbol,
      },
      source: chainSource(chain),
      ...(rollup ? { meta: { note: "The fee that a rollup also charges for data on Ethereum is not included." } } : {}),
    };
  },
});

const toGwei = (wei: bigint) => exact(Number(fromUnits(wei, GWEI_DECIMALS)));

function toTier(baseFee: bigint, priorityFee: bigint) {
  const cost = BigInt(TRANSFER_GAS) * (baseFee + priorityFee);
  return {
    maxPriorityFeePerGas: String(priorityFee),
    maxFeePerGas: String(2n * baseFee + priorityFee),
    maxPriorityFeeGwei: toGwei(priorityFee),
    gasPriceGwei: toGwei(baseFee + priorityFee),
    transferCostWei: String(cost),
    transferCost: fromUnits(cost, NATIVE_DECIMALS),
  };
}
