// Generated: npx vitest run test/generated.test.ts -u

export { domainEmailSecurity } from "./email-security.js";
