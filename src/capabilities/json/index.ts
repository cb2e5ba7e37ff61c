// Generated: npx vitest run test/generated.test.ts -u

export { jsonDiff } from "./diff.js";
