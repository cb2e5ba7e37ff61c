// Generated: npx vitest run test/generated.test.ts -u

export { censusDemographics } from "./demographics.js";
export { censusZipcode } from "./zipcode.js";
