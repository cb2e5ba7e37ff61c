// Generated: npx vitest run test/generated.test.ts -u

export { addressFormat } from "./format.js";
