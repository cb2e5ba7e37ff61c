// Generated: npx vitest run test/generated.test.ts -u

export { bookSearch } from "./search.js";
