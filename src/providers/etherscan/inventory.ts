// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"GET","path":"/v2/api","by":"action=getabi","objects":"\tresult! s\tstatus|message"},
  {"method":"GET","path":"/v2/api","by":"action=txlist","objects":"\tresult! as\tstatus|message\nresult[]\tblockNumber! f|timeStamp! f|hash! s|nonce! f|from! s|to! s|value! f|gas! f|gasPrice? f|input! s|functionName? s|contractAddress? s|txreceipt_status? f|gasUsed! f|confirmations! f|isError! f\tblockHash|transactionIndex|methodId|cumulativeGasUsed|gasPriceBid|gasUsedForL1|errDescription|txType|L1FeesPaid|type|traceId|errCode"},
];
