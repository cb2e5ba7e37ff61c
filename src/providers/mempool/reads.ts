/**
 * Reads of Bitcoin's chain and mempool, at mempool.space or, while that is down, at Blockstream. Amounts are satoshis.
 */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Provider } from "../../capability/provider.js";
import type { Context } from "../../capability/types.js";
import { MINUTE_MS, SECOND_MS } from "../../lib/time.js";
import { segments, upstream } from "../../upstream/client.js";
import { failover } from "../../upstream/failover.js";
import { figure, flag, identifiedRows, label, list, maybe, number, unixTime, whole } from "../../upstream/fields.js";
import { blockstream, mempoolSpace } from "./provider.js";

/** An answer, and its explorer. */
export interface FromExplorer<T> {
  explorer: Provider;
  value: T;
}

/** Reads at the first explorer that answers. */
function fromEither<T>(read: (explorer: Provider) => Promise<T>): Promise<FromExplorer<T>> {
  const at = (explorer: Provider) => async () => ({ explorer, value: await read(explorer) });
  return failover(at(mempoolSpace), at(blockstream), { whenBusy: true });
}

const totals = lazySchema(() =>
  z.object({
    funded_txo_count: z.int(),
    funded_txo_sum: z.int(),
    spent_txo_count: z.int(),
    spent_txo_sum: z.int(),
    tx_count: z.int(),
  }),
);

/** Received and spent amounts of an address: in blocks, and in the mempool. */
export const readAddress = (ctx: Context, address: string) =>
  fromEither((explorer) =>
    upstream(ctx, explorer).get(segments("address", address), {
      schema: z.object({ chain_stats: totals(), mempool_stats: totals() }),
      ttlMs: 30 * SECOND_MS,
    }),
  );

const status = lazySchema(() =>
  whole({ confirmed: z.boolean() }, { block_height: number(), block_hash: label(), block_time: maybe(unixTime("s")) }, [
    "block_height",
    "block_hash",
    "block_time",
  ]),
);

const output = lazySchema(() => z.object({ txid: z.string(), vout: z.int(), value: z.int(), status: status() }));

/** Unspent outputs of an address, unordered. Rejects with RESULT_TOO_LARGE from about five hundred outputs on. */
export const readUnspent = (ctx: Context, address: string) =>
  fromEither((explorer) =>
    upstream(ctx, explorer).get(segments("address", address, "utxo"), {
      schema: z.array(output()),
      ttlMs: 30 * SECOND_MS,
    }),
  );

const spentOutput = lazySchema(() =>
  whole({ scriptpubkey_type: label(), value: z.int() }, { scriptpubkey_address: label() }).refine(
    ({ scriptpubkey_type: type, scriptpubkey_address: address }) =>
      address !== null || !/^p2.*h$|^v\d_/.test(type ?? ""),
    "has no address, and its script is of one",
  ),
);
const transaction = lazySchema(() =>
  z.object({
    txid: z.string(),
    version: z.int(),
    locktime: z.int(),
    size: z.int(),
    weight: z.int().positive(),
    fee: z.int(),
    status: status(),
    vin: z.array(
      whole({
        txid: z.string(),
        vout: z.int(),
        // A coinbase transaction spends no output.
        prevout: maybe(spentOutput()),
        is_coinbase: flag(),
        sequence: z.int(),
      }),
    ),
    vout: z.array(spentOutput()),
  }),
);
export type BitcoinTransaction = z.output<ReturnType<typeof transaction>>;

/** A transaction; undefined if neither a block nor the mempool has it. It may be in a block a moment later. */
export const readTransaction = (ctx: Context, txid: string) =>
  fromEither((explorer) =>
    upstream(ctx, explorer).get(segments("tx", txid), {
      schema: transaction(),
      absent: [404],
      ttlMs: 15 * SECOND_MS,
    }),
  );

const mempool = lazySchema(() =>
  z.object({
    count: z.int(),
    vsize: z.int(),
    total_fee: z.number(),
    /** Pairs of a fee rate and the virtual bytes that pay at least this rate and less than the previous pair's. */
    fee_histogram: list(z.tuple([z.number(), z.number()])),
  }),
);

/** Totals of the mempool. */
export const readMempool = (ctx: Context, ttlMs = 10 * SECOND_MS) =>
  fromEither((explorer) => upstream(ctx, explorer).get("/mempool", { schema: mempool(), ttlMs }));

const recent = lazySchema(() =>
  z.object({ txid: z.string(), fee: z.int(), vsize: z.number().positive(), value: z.int() }),
);

/** The ten newest transactions, with the sums of their outputs. */
export const readRecent = (ctx: Context) =>
  fromEither((explorer) =>
    upstream(ctx, explorer).get("/mempool/recent", {
      schema: identifiedRows(recent(), ["txid"]),
      ttlMs: 10 * SECOND_MS,
    }),
  );

const recommended = lazySchema(() =>
  z.object({
    fastestFee: figure(),
    halfHourFee: figure(),
    hourFee: figure(),
    economyFee: figure(),
    minimumFee: figure(),
  }),
);
export type Fees = z.output<ReturnType<typeof recommended>>;

/** Blockstream estimates by the number of blocks until inclusion: 1 to 25, 144, 504, 1008. */
const estimates = lazySchema(() =>
  z
    .object({ 1: figure(), 3: figure(), 6: figure(), 144: figure() })
    .transform(
      (by): Fees => ({ fastestFee: by[1], halfHourFee: by[3], hourFee: by[6], economyFee: by[144], minimumFee: 1 }),
    ),
);

/** Fee rates for inclusion in one of the next blocks, in satoshis per virtual byte. */
export function readFees(ctx: Context): Promise<FromExplorer<Fees>> {
  const ttlMs = 15 * SECOND_MS;
  return failover(
    async () => ({
      explorer: mempoolSpace,
      value: await upstream(ctx, mempoolSpace).get("/v1/fees/recommended", { schema: recommended(), ttlMs }),
    }),
    async () => ({
      explorer: blockstream,
      value: await upstream(ctx, blockstream).get("/fee-estimates", { schema: estimates(), ttlMs: MINUTE_MS }),
    }),
    { whenBusy: true },
  );
}
