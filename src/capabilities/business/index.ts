// Generated: npx vitest run test/generated.test.ts -u

export { businessLeiHierarchy } from "./lei-hierarchy.js";
export { businessLeiIsins } from "./lei-isins.js";
export { businessLei } from "./lei.js";
