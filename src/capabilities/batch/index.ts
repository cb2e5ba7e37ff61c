// Generated: npx vitest run test/generated.test.ts -u

export { batchRun } from "./run.js";
