// Generated: npx vitest run test/generated.test.ts -u

export { emailValidate } from "./validate.js";
