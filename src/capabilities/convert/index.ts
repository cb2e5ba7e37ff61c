// Generated: npx vitest run test/generated.test.ts -u

export { convertUnit } from "./unit.js";
