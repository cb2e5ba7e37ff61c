// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"POST","path":"/","by":"method=eth_call","objects":"\tresult? s|error? o\tjsonrpc|id\nerror\tcode! n|data? s\tmessage"},
  {"method":"POST","path":"/","by":"method=eth_feeHistory","objects":"\tresult? o\tjsonrpc|id|error\nresult\tbaseFeePerGas! a|gasUsedRatio? a|oldestBlock! s|reward? a\tbaseFeePerBlobGas|blobGasUsedRatio"},
  {"method":"POST","path":"/","by":"method=eth_getBalance","objects":"\tresult? s\tjsonrpc|id|error"},
  {"method":"POST","path":"/","by":"method=eth_getCode","objects":"\tresult? s\tjsonrpc|id|error"},
];
