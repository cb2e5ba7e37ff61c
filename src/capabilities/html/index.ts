// Generated: npx vitest run test/generated.test.ts -u

export { htmlExtract } from "./extract.js";
export { htmlToMarkdown } from "./to-markdown.js";
