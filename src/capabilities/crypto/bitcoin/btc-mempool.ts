import { z } from "zod";
import { defineCapability } from "../../../capability/define.js";
import { rows } from "../../../capability/output.js";
import { sourceOf } from "../../../capability/provider.js";
import { blockstream, mempoolSpace } from "../../../providers/mempool/provider.js";
import { readMempool, readRecent } from "../../../providers/mempool/reads.js";
import { toBtc } from "./_bitcoin.js";

/** Exceeds all bitcoin that will ever exist. */
const MAX_BTC = 21_000_000;

export const cryptoBtcMempool = /* @__PURE__ */ defineCapability({
  id: "crypto.btc-mempool",
  summary: "Bitcoin's mempool: how many transactions wait, their size and fees, and the ten that came last.",
  keywords: ["bitcoin", "mempool", "unconfirmed", "pending", "recent transactions", "fee histogram", "whale"],
  price: "0.00144",
  provider: mempoolSpace,
  origins: [mempoolSpace, blockstream],
  input: () =>
    z.strictObject({
      minBtc: z
        .number()
        .min(0)
        .max(MAX_BTC)
        .default(0)
        .describe("Of the ten newest transactions, only those of at least this many bitcoin"),
    }),
  output: rows(() =>
    z.object({
      txid: z.string(),
      feeSats: z.int(),
      vsize: z.number().describe("In virtual bytes"),
      feeRate: z.number().describe("In satoshis for a virtual byte"),
      valueSats: z.int().describe("The sum of its outputs, change among them"),
      valueBtc: z.number(),
    }),
  ),
  example: { minBtc: 0.1 },
  async run({ minBtc }, ctx) {
    const [{ value: mempool }, { explorer, value: recent }] = await Promise.all([readMempool(ctx), readRecent(ctx)]);
    const items = recent
      .filter(({ value }) => toBtc(value) >= minBtc)
      .map(({ txid, fee, vsize, value }) => ({
        txid,
        feeSats: fee,
        vsize,
        feeRate: Math.round((fee / vsize) * 100) / 100,
        valueSats: value,
        valueBtc: toBtc(value),
      }));
    return {
      items,
      total: items.length,
      meta: {
        txCount: mempool.count,
        vsize: mempool.vsize,
        totalFeeSats: mempool.total_fee,
        /** Pairs of satoshis per virtual byte, and virtual bytes. */
        feeHistogram: mempool.fee_histogram,
        scanned: recent.length,
      },
      source: sourceOf(explorer),
    };
  },
});
