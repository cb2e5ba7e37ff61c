import { z } from "zod";
import { defineCapability } from "../../../capability/define.js";
import { one } from "../../../capability/output.js";
import { sourceOf } from "../../../capability/provider.js";
import { CapabilityError } from "../../../errors.js";
import { blockstream, mempoolSpace } from "../../../providers/mempool/provider.js";
import { type BitcoinTransaction, readTransaction } from "../../../providers/mempool/reads.js";

/** Maximum number of inputs, and of outputs. */
const MAX_SHOWN = 100;
/** From this sequence number on a transaction is not replaceable (BIP 125). */
const FINAL_SEQUENCE = 0xfffffffe;

export const cryptoBtcTx = /* @__PURE__ */ defineCapability({
  id: "crypto.btc-tx",
  summary: "A Bitcoin transaction: whether it is confirmed and where, its fee, size, inputs and outputs.",
  keywords: ["bitcoin", "transaction", "txid", "confirmations", "fee", "rbf", "block height"],
  price: "0.00144",
  provider: mempoolSpace,
  origins: [mempoolSpace, blockstream],
  input: () =>
    z.strictObject({
      txid: z
        .string()
        .regex(/^[0-9a-fA-F]{64}$/, { error: "must be 64 hexadecimal characters" })
        .toLowerCase()
        .describe("The transaction's id"),
    }),
  output: one(() =>
    z.object({
      txid: z.string(),
      confirmed: z.boolean(),
      blockHeight: z.number().nullable(),
      blockHash: z.string().nullable(),
      blockTime: z.string().nullable(),
      version: z.int(),
      locktime: z.int(),
      size: z.int().describe("In bytes"),
      weight: z.int().describe("In weight units, four to a virtual byte"),
      vsize: z.int().describe("In virtual bytes"),
      feeSats: z.int(),
      feeRate: z.number().describe("In satoshis for a virtual byte"),
      inputCount: z.int(),
      outputCount: z.int(),
      totalInputSats: z.int().nullable().describe("Null for new coins"),
      totalOutputSats: z.int(),
      isCoinbase: z.boolean().describe("Whether it makes new coins"),
      rbf: z.boolean().describe("Whether it says that another one with a higher fee may replace it"),
      vin: z
        .array(
          z.object({
            txid: z.string(),
            vout: z.int(),
            address: z.string().nullable(),
            valueSats: z.int().nullable(),
          }),
        )
        .describe(`The first ${MAX_SHOWN}`),
      vout: z
        .array(
          z.object({
            index: z.int(),
            address: z.string().nullable(),
            type: z.string().nullable(),
            valueSats: z.int(),
          }),
        )
        .describe(`The first ${MAX_SHOWN}`),
    }),
  ),
  example: { txid: "4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b" },
  async run({ txid }, ctx) {
    const { explorer, value: transaction } = await readTransaction(ctx, txid);
    if (!transaction) throw new CapabilityError("NOT_FOUND", "No block and no waiting transaction has this id.");
    return { item: toItem(transaction), source: sourceOf(explorer) };
  },
});

function toItem({ vin, vout, status, fee, weight, ...transaction }: BitcoinTransaction) {
  const isCoinbase = vin.some(({ is_coinbase }) => is_coinbase);
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  return {
    txid: transaction.txid,
    confirmed: status.confirmed,
    blockHeight: status.block_height,
    blockHash: status.block_hash,
    blockTime: status.block_time,
    version: transaction.version,
    locktime: transaction.locktime,
    size: transaction.size,
    weight,
    vsize: Math.ceil(weight / 4),
    feeSats: fee,
    feeRate: Math.round((fee / (weight / 4)) * 100) / 100,
    inputCount: vin.length,
    outputCount: vout.length,
    totalInputSats: isCoinbase ? null : sum(vin.map(({ prevout }) => prevout?.value ?? 0)),
    totalOutputSats: sum(vout.map(({ value }) => value)),
    isCoinbase,
    rbf: vin.some(({ sequence }) => sequence < FINAL_SEQUENCE),
    vin: vin.slice(0, MAX_SHOWN).map(({ txid, vout, prevout }) => ({
      txid,
      vout,
      address: prevout?.scriptpubkey_address ?? null,
      valueSats: prevout?.value ?? null,
    })),
    vout: vout.slice(0, MAX_SHOWN).map(({ scriptpubkey_address, scriptpubkey_type, value }, index) => ({
      index,
      address: scriptpubkey_address,
      type: scriptpubkey_type,
      valueSats: value,
    })),
  };
}
