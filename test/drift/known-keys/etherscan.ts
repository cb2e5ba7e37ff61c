import type { KnownKeys } from "../../support/render-inventories.js";

const TRANSACTION =
  "blockNumber blockHash timeStamp hash nonce transactionIndex from to value gas gasPrice gasPriceBid gasUsed gasUsedForL1 cumulativeGasUsed input methodId functionName contractAddress txreceipt_status isError confirmations errDescription txType L1FeesPaid type traceId errCode";

export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/v2/api",
    by: "action=txlist",
    source: "docs.etherscan.io, Get normal transactions by address",
    objects: { "": "status message result", "result[]": TRANSACTION },
    rare: ["functionName", "txreceipt_status", "contractAddress", "gasPrice"].map((name) => `result[].${name}`),
  },
  {
    path: "/v2/api",
    by: "action=getabi",
    source: "docs.etherscan.io, Get contract ABI",
    objects: { "": "status message result" },
  },
];
