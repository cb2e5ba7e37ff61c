// Generated: npx vitest run test/generated.test.ts -u

export { validateIban } from "./iban.js";
export { validateIdentifier } from "./identifier.js";
export { validateTaxId } from "./tax-id.js";
