// Run by pdf-pages.mjs as `node pdf-memory.mjs <pages>`: by how many megabytes the process grows while it reads a PDF of so
// many pages. Code and libraries are loaded before, with one page.
import { pdfText, pdfToMarkdown } from "coinslot/capabilities/pdf";
import { pagesOfProse } from "./pdf-prose.mjs";

const count = Number(process.argv[2]);
const inputOf = (pages) => ({ file: pagesOfProse(pages).toString("base64"), pages: `1-${pages}` });
await pdfToMarkdown(inputOf(1));
const before = process.memoryUsage().rss;
await pdfText(inputOf(count));
await pdfToMarkdown(inputOf(count));
console.log((process.resourceUsage().maxRSS * 1024 - before) / (1024 * 1024));
process.exit();
