// Generated: npx vitest run test/generated.test.ts -u

export { imageCompare } from "./compare.js";
