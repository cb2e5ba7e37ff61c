// Generated: npx vitest run test/generated.test.ts -u

export { dataConvert } from "./convert.js";
