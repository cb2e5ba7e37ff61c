// Generated: npx vitest run test/generated.test.ts -u

export { codeRepoLookup } from "./repo-lookup.js";
