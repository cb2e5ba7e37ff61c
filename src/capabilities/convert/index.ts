// Generated: npx vitest run test/generated.test.ts -u

export { convertCurrency } from "./currency.js";
export { convertUnit } from "./unit.js";
