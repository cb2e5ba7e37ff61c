// Generated: npx vitest run test/generated.test.ts -u

export { invoiceRead } from "./read.js";
export { invoiceValidate } from "./validate.js";
