// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"GET","path":"/api/address/*","objects":"\tchain_stats! o|mempool_stats! o\taddress|electrum\nchain_stats\tfunded_txo_count! n|funded_txo_sum! n|spent_txo_count! n|spent_txo_sum! n|tx_count! n\t\nmempool_stats\tfunded_txo_count! n|funded_txo_sum! n|spent_txo_count! n|spent_txo_sum! n|tx_count! n\t"},
  {"method":"GET","path":"/api/address/*/utxo","objects":"[]\ttxid! s|vout! n|status! o|value! n\tvaluecommitment|asset|assetcommitment\n[].status\tconfirmed! b|block_height? n|block_hash? s|block_time? n\t"},
  {"method":"GET","path":"/api/mempool","objects":"\tcount! n|vsize! n|total_fee! n|fee_histogram? a\tusage|maxmempool|mempoolminfee|minrelaytxfee|bytes|size"},
  {"method":"GET","path":"/api/mempool/recent","objects":"[]\ttxid! s|fee! n|vsize! n|value? n\trate|time|acc|flags"},
  {"method":"GET","path":"/api/tx/*","objects":"\ttxid! s|version! n|locktime! n|vin! a|vout! a|size! n|weight! n|fee! n|status! o\tsigops|discount_vsize|discount_weight|adjustedVsize|effectiveFeePerVsize|acceleration|firstSeen\nvin[]\ttxid! fs|vout! n|prevout? oz|is_coinbase! b|sequence! n\tscriptsig|scriptsig_asm|is_pegin|witness|inner_redeemscript_asm|inner_witnessscript_asm|issuance|lazy\nvout[]\tscriptpubkey_type! s|value! n|scriptpubkey_address? s\tscriptpubkey|scriptpubkey_asm|valuecommitment|asset|assetcommitment|pegout\nstatus\tconfirmed! b|block_height? n|block_hash? s|block_time? n\t\nvin[].prevout\tscriptpubkey_type! s|scriptpubkey_address? s|value! n\tscriptpubkey|scriptpubkey_asm|valuecommitment|asset|assetcommitment|pegout"},
  {"method":"GET","path":"/api/v1/fees/recommended","objects":"\tfastestFee! n|halfHourFee! n|hourFee! n|economyFee! n|minimumFee! n\t"},
];
