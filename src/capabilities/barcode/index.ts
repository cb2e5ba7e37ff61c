// Generated: npx vitest run test/generated.test.ts -u

export { barcodeGenerate } from "./generate.js";
export { barcodeRead } from "./read.js";
