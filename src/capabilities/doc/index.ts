// Generated: npx vitest run test/generated.test.ts -u

export { docToMarkdown } from "./to-markdown.js";
