// Generated: npx vitest run test/generated.test.ts -u

export { tldInfo } from "./info.js";
