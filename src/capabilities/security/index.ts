// Generated: npx vitest run test/generated.test.ts -u

export { securityCvss } from "./cvss.js";
