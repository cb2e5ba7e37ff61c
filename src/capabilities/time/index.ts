// Generated: npx vitest run test/generated.test.ts -u

export { timeConvert } from "./convert.js";
export { timeParse } from "./parse.js";
