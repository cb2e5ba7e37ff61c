// Generated: npx vitest run test/generated.test.ts -u

export { blsSeries } from "./series.js";
