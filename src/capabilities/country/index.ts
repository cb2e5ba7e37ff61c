// Generated: npx vitest run test/generated.test.ts -u

export { countryFinancials } from "./financials.js";
export { countryLookup } from "./lookup.js";
