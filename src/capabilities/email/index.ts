// Generated: npx vitest run test/generated.test.ts -u

export { emailSpf } from "./spf.js";
export { emailValidate } from "./validate.js";
