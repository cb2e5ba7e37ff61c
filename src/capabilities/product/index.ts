// Generated: npx vitest run test/generated.test.ts -u

export { productGs1 } from "./gs1.js";
