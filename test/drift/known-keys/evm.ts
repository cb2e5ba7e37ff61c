import type { KnownKeys } from "../../support/render-inventories.js";

const METHODS = ["eth_call", "eth_feeHistory", "eth_getBalance", "eth_getCode"];

/** A revert has `error` instead of `result`; only some nodes tell its data. */
export const knownKeys: readonly KnownKeys[] = METHODS.map((method) => ({
  method: "POST",
  path: "/",
  by: `method=${method}`,
  source: "ethereum.org/developers/docs/apis/json-rpc and the OpenRPC of execution-apis",
  objects: {
    "": "jsonrpc id result error",
    error: "code message data",
    result: "baseFeePerGas gasUsedRatio baseFeePerBlobGas blobGasUsedRatio oldestBlock reward",
  },
  rare: ["result", "error", "error.data", "result.reward", "result.gasUsedRatio"],
}));
