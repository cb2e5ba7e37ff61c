import { z } from "zod";
import { defineCapability } from "../../../capability/define.js";
import { one } from "../../../capability/output.js";
import { sourceOf } from "../../../capability/provider.js";
import { blockstream, mempoolSpace } from "../../../providers/mempool/provider.js";
import { readAddress } from "../../../providers/mempool/reads.js";
import { bitcoinAddress, readBitcoinAddress, toBtc } from "./_bitcoin.js";

export const cryptoBtcAddress = /* @__PURE__ */ defineCapability({
  id: "crypto.btc-address",
  summary:
    "Balance and totals of a Bitcoin address: received, sent, transactions, unspent outputs, and what is pending.",
  keywords: ["bitcoin balance", "wallet", "satoshi", "received", "sent", "unconfirmed", "address lookup"],
  price: "0.00144",
  provider: mempoolSpace,
  origins: [mempoolSpace, blockstream],
  input: () => z.strictObject({ address: bitcoinAddress() }),
  output: one(() =>
    z.object({
      address: z.string(),
      balanceSats: z.int().describe("Confirmed"),
      balanceBtc: z.number(),
      totalReceivedSats: z.int(),
      totalSentSats: z.int(),
      txCount: z.int().describe("Confirmed transactions"),
      fundedOutputs: z.int().describe("Outputs that it ever received"),
      spentOutputs: z.int(),
      utxoCount: z.int().describe("Outputs that it could spend"),
      mempoolBalanceSats: z
        .int()
        .describe("What waits for a block: added to the balance by then, so it may be negative"),
      mempoolTxCount: z.int(),
    }),
  ),
  example: { address: "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa" },
  read: async ({ address }) => ({ address: await readBitcoinAddress(address) }),
  async run({ address }, ctx) {
    const { explorer, value } = await readAddress(ctx, address);
    const { chain_stats: chain, mempool_stats: mempool } = value;
    const balanceSats = chain.funded_txo_sum - chain.spent_txo_sum;
    return {
      item: {
        address,
        balanceSats,
        balanceBtc: toBtc(balanceSats),
        totalReceivedSats: chain.funded_txo_sum,
        totalSentSats: chain.spent_txo_sum,
        txCount: chain.tx_count,
        fundedOutputs: chain.funded_txo_count,
        spentOutputs: chain.spent_txo_count,
        utxoCount: chain.funded_txo_count - chain.spent_txo_count,
        mempoolBalanceSats: mempool.funded_txo_sum - mempool.spent_txo_sum,
        mempoolTxCount: mempool.tx_count,
      },
      source: sourceOf(explorer),
    };
  },
});
