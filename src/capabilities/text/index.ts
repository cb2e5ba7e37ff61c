// Generated: npx vitest run test/generated.test.ts -u

export { textChunk } from "./chunk.js";
export { textDiff } from "./diff.js";
export { textSimilarity } from "./similarity.js";
