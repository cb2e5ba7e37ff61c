// Generated: npx vitest run test/generated.test.ts -u

export { storeBlobDelete } from "./blob-delete.js";
export { storeBlobGet } from "./blob-get.js";
export { storeBlobList } from "./blob-list.js";
export { storeBlobPut } from "./blob-put.js";
export { storeDocDelete } from "./doc-delete.js";
export { storeDocGet } from "./doc-get.js";
export { storeDocPatch } from "./doc-patch.js";
export { storeDocPut } from "./doc-put.js";
export { storeDocQuery } from "./doc-query.js";
export { storeDocSearch } from "./doc-search.js";
export { storeErase } from "./erase.js";
export { storeExport } from "./export.js";
export { storeKvDelete } from "./kv-delete.js";
export { storeKvGet } from "./kv-get.js";
export { storeKvIncrement } from "./kv-increment.js";
export { storeKvPut } from "./kv-put.js";
export { storeKvScan } from "./kv-scan.js";
export { storeUsage } from "./usage.js";
export { storeVectorDelete } from "./vector-delete.js";
export { storeVectorQuery } from "./vector-query.js";
export { storeVectorUpsert } from "./vector-upsert.js";
