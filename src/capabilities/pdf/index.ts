// Generated: npx vitest run test/generated.test.ts -u

export { pdfText } from "./text.js";
export { pdfToImage } from "./to-image.js";
export { pdfToMarkdown } from "./to-markdown.js";
