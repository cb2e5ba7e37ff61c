// Generated: npx vitest run test/generated.test.ts -u

export { cryptoAddressValidate } from "./address-validate.js";
