// Generated: npx vitest run test/generated.test.ts -u

export { businessLei } from "./lei.js";
export { businessLeiHierarchy } from "./lei-hierarchy.js";
export { businessLeiIsins } from "./lei-isins.js";
export { businessSosSearch } from "./sos-search.js";
export { businessUkCompanies } from "./uk-companies.js";
