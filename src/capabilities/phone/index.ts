// Generated: npx vitest run test/generated.test.ts -u

export { phoneNormalize } from "./normalize.js";
