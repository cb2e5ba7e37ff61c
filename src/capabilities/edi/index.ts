// Generated: npx vitest run test/generated.test.ts -u

export { ediEdifact } from "./edifact.js";
export { ediParse } from "./parse.js";
