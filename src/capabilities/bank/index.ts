// Generated: npx vitest run test/generated.test.ts -u

export { bankLookup } from "./lookup.js";
export { bankStatement } from "./statement.js";
