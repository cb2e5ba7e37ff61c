// Generated: npx vitest run test/generated.test.ts -u

export { textChunk } from "./chunk.js";
export { textDiff } from "./diff.js";
export { textRedact } from "./redact.js";
export { textSimilarity } from "./similarity.js";
