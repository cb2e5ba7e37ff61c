// Generated: npx vitest run test/generated.test.ts -u

export { htmlToMarkdown } from "./to-markdown.js";
