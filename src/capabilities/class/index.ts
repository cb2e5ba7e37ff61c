// Generated: npx vitest run test/generated.test.ts -u

export { classIndustryResolve } from "./industry-resolve.js";
