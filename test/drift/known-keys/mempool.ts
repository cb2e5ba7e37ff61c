import type { KnownKeys } from "../../support/render-inventories.js";

const SOURCE = "mempool.space/docs/api/rest and github.com/Blockstream/esplora, API.md";
const STATUS = "confirmed block_height block_hash block_time";
const STATS = "funded_txo_count funded_txo_sum spent_txo_count spent_txo_sum tx_count";
const OUTPUT =
  "scriptpubkey scriptpubkey_asm scriptpubkey_type scriptpubkey_address value valuecommitment asset assetcommitment pegout";

/** What is not confirmed has no block; an old script has no address. */
export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/api/tx/*",
    source: SOURCE,
    objects: {
      "": "txid version locktime vin vout size weight sigops fee status discount_vsize discount_weight adjustedVsize effectiveFeePerVsize acceleration firstSeen",
      "vin[]":
        "txid vout is_coinbase is_pegin prevout scriptsig scriptsig_asm sequence witness inner_redeemscript_asm inner_witnessscript_asm issuance lazy",
      "vin[].prevout": OUTPUT,
      "vout[]": OUTPUT,
      status: STATUS,
    },
    rare: [
      ...["status.block_height", "status.block_hash", "status.block_time", "vin[].prevout"],
      ...["vin[].prevout.scriptpubkey_address", "vout[].scriptpubkey_address"],
    ],
  },
  {
    path: "/api/address/*",
    source: SOURCE,
    objects: { "": "address chain_stats mempool_stats electrum", chain_stats: STATS, mempool_stats: STATS },
  },
  {
    path: "/api/address/*/utxo",
    source: SOURCE,
    objects: { "[]": "txid vout status value valuecommitment asset assetcommitment", "[].status": STATUS },
    rare: ["block_height", "block_hash", "block_time"].map((name) => `[].status.${name}`),
  },
  {
    path: "/api/mempool",
    source: SOURCE,
    objects: { "": "count vsize total_fee fee_histogram usage maxmempool mempoolminfee minrelaytxfee bytes size" },
    rare: ["fee_histogram"],
  },
  {
    path: "/api/mempool/recent",
    source: SOURCE,
    objects: { "[]": "txid fee vsize value rate time acc flags" },
    rare: ["[].value"],
  },
  {
    path: "/api/v1/fees/recommended",
    source: SOURCE,
    objects: { "": "fastestFee halfHourFee hourFee economyFee minimumFee" },
  },
];
