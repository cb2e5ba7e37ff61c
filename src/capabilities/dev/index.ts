// Generated: npx vitest run test/generated.test.ts -u

export { devCron } from "./cron.js";
