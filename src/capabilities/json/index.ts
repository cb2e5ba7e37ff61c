// Generated: npx vitest run test/generated.test.ts -u

export { jsonDiff } from "./diff.js";
export { jsonQuery } from "./query.js";
export { jsonRepair } from "./repair.js";
export { jsonValidate } from "./validate.js";
