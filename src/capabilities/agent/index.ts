// Generated: npx vitest run test/generated.test.ts -u

export { agentKnowledgeDelta } from "./knowledge-delta.js";
