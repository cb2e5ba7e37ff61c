// Generated: npx vitest run test/generated.test.ts -u

export { devCron } from "./cron.js";
export { devJwt } from "./jwt.js";
export { devLicense } from "./license.js";
export { devRegexTest } from "./regex-test.js";
export { devVersion } from "./version.js";
