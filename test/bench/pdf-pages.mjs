import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { pdfText, pdfToMarkdown } from "coinslot/capabilities/pdf";
import { printBar, printRates, race, ratio, say } from "./measure.mjs";
import { pagesOfProse } from "./pdf-prose.mjs";

export const title = "A PDF of 200 pages, beside the text extraction of PDF.js alone";

const PAGES = 200;
const PLAIN = "PDF.js";
/** Memory above that of a process that has read one page. */
const ALLOWED_MB = 256;

export async function run() {
  const bytes = pagesOfProse(PAGES);
  const file = bytes.toString("base64");
  const input = { file, pages: `1-${PAGES}` };
  const contenders = [
    { name: "pdf.text", run: () => pdfText(input), units: PAGES },
    { name: "pdf.to-markdown", run: () => pdfToMarkdown(input), units: PAGES },
    { name: PLAIN, run: await plainReader(bytes), units: PAGES },
  ];
  const rates = await race(contenders, { rounds: 3, count: 1 });
  printRates(rates, PLAIN, "pages per second");
  const growth = await growthMb();
  say(`  memory grows by ${Math.round(growth)} MB while pdf.text and then pdf.to-markdown read all pages`);
  return [
    printBar("pages of pdf.text", ratio(rates, "pdf.text", PLAIN), { atLeast: 0.5 }),
    printBar("pages of pdf.to-markdown", ratio(rates, "pdf.to-markdown", PLAIN), { atLeast: 0.5 }),
    printBar(`memory, beside ${ALLOWED_MB} MB,`, growth / ALLOWED_MB, { atMost: 1 }),
  ];
}

/** Texts with their places, without an order, lines or columns. */
async function plainReader(bytes) {
  globalThis.pdfjsWorker = await import("pdfjs-dist/legacy/build/pdf.worker.mjs");
  const { getDocument } = await import("pdfjs-dist/legacy/build/pdf.mjs");
  return async () => {
    const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0, useSystemFonts: false });
    const document = await task.promise;
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      items.map(({ str }) => str).join(" ");
      page.cleanup();
    }
    await task.destroy();
  };
}

async function growthMb() {
  const script = fileURLToPath(new URL("pdf-memory.mjs", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, String(PAGES)]);
  return Number(stdout);
}
