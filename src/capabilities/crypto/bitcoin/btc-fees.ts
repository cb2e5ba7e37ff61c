import { z } from "zod";
import { defineCapability } from "../../../capability/define.js";
import { one } from "../../../capability/output.js";
import { sourceOf } from "../../../capability/provider.js";
import { SECOND_MS } from "../../../lib/time.js";
import { blockstream, mempoolSpace } from "../../../providers/mempool/provider.js";
import { readFees, readMempool } from "../../../providers/mempool/reads.js";
import { optional } from "../../../upstream/optional.js";

const count = () => z.number().nullable().describe("Null where only this could not be read");

export const cryptoBtcFees = /* @__PURE__ */ defineCapability({
  id: "crypto.btc-fees",
  summary: "Recommended Bitcoin fee rates, from the next block to the cheapest, and how full the mempool is.",
  keywords: ["bitcoin", "fee", "sat/vb", "mempool", "transaction cost", "congestion"],
  price: "0.001",
  provider: mempoolSpace,
  origins: [mempoolSpace, blockstream],
  input: () => z.strictObject({}),
  output: one(() =>
    z.object({
      fastestFee: z.number().describe("For the next block"),
      halfHourFee: z.number(),
      hourFee: z.number(),
      economyFee: z.number().describe("For transactions that may wait a day"),
      minimumFee: z.number().describe("Below it nodes do not pass a transaction on"),
      unit: z.literal("sat/vB").describe("Of the fees: satoshis for a virtual byte"),
      mempoolTxCount: count(),
      mempoolVsize: count(),
      mempoolTotalFeeSats: count(),
    }),
  ),
  example: {},
  async run(_, ctx) {
    let partial = false;
    const [{ explorer, value: fees }, mempool] = await Promise.all([
      readFees(ctx),
      optional(readMempool(ctx, 15 * SECOND_MS), undefined, () => {
        partial = true;
      }),
    ]);
    const item = {
      ...fees,
      unit: "sat/vB" as const,
      mempoolTxCount: mempool?.value.count ?? null,
      mempoolVsize: mempool?.value.vsize ?? null,
      mempoolTotalFeeSats: mempool?.value.total_fee ?? null,
    };
    return { item, source: sourceOf(explorer), ...(partial ? { meta: { partial } } : {}) };
  },
});
