// Generated: npx vitest run test/generated.test.ts -u

export { validateBatch } from "./batch.js";
export { validateIban } from "./iban.js";
export { validateIdentifier } from "./identifier.js";
export { validateTaxId } from "./tax-id.js";
