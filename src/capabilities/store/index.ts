// Generated: npx vitest run test/generated.test.ts -u

export { storeKvDelete } from "./kv-delete.js";
export { storeKvGet } from "./kv-get.js";
export { storeKvIncrement } from "./kv-increment.js";
export { storeKvPut } from "./kv-put.js";
export { storeKvScan } from "./kv-scan.js";
export { storeUsage } from "./usage.js";
