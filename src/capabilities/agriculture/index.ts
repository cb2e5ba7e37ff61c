// Generated: npx vitest run test/generated.test.ts -u

export { agricultureDrought } from "./drought.js";
export { agricultureStats } from "./stats.js";
