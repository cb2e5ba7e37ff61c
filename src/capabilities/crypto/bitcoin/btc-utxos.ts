import { z } from "zod";
import { defineCapability } from "../../../capability/define.js";
import { limit } from "../../../capability/fields.js";
import { rows } from "../../../capability/output.js";
import { sourceOf } from "../../../capability/provider.js";
import { blockstream, mempoolSpace } from "../../../providers/mempool/provider.js";
import { readUnspent } from "../../../providers/mempool/reads.js";
import { bitcoinAddress, readBitcoinAddress, toBtc } from "./_bitcoin.js";

export const cryptoBtcUtxos = /* @__PURE__ */ defineCapability({
  id: "crypto.btc-utxos",
  summary: "Unspent outputs of a Bitcoin address, the largest first, with their sum.",
  keywords: ["utxo", "bitcoin", "coins", "spendable", "outputs", "coin selection"],
  price: "0.00144",
  provider: mempoolSpace,
  origins: [mempoolSpace, blockstream],
  input: () =>
    z.strictObject({ address: bitcoinAddress(), limit: limit(100, 500).describe("How many outputs to return") }),
  output: rows(() =>
    z.object({
      txid: z.string(),
      vout: z.int().describe("Which output of the transaction, from 0"),
      valueSats: z.int(),
      valueBtc: z.number(),
      confirmed: z.boolean(),
      blockHeight: z.number().nullable(),
      blockTime: z.string().nullable(),
    }),
  ),
  example: { address: "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", limit: 10 },
  read: async ({ address, limit }) => ({ address: await readBitcoinAddress(address), limit }),
  async run({ address, limit }, ctx) {
    const { explorer, value: outputs } = await readUnspent(ctx, address);
    const sumOf = (some: typeof outputs) => some.reduce((sum, { value }) => sum + value, 0);
    const items = outputs
      .toSorted((a, b) => b.value - a.value)
      .slice(0, limit)
      .map(({ txid, vout, value, status }) => ({
        txid,
        vout,
        valueSats: value,
        valueBtc: toBtc(value),
        confirmed: status.confirmed,
        blockHeight: status.block_height,
        blockTime: status.block_time,
      }));
    return {
      items,
      total: outputs.length,
      meta: {
        address,
        totalSats: sumOf(outputs),
        confirmedSats: sumOf(outputs.filter(({ status }) => status.confirmed)),
      },
      source: sourceOf(explorer),
    };
  },
});
