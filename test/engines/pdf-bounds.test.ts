/** The code of PDF.js as it is built in, in a process of its own. */
import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { changed } from "../../scripts/bundled-pdf-patches.mjs";
import { runBuiltPdfjs } from "../support/built-pdfjs.js";
import { type PdfPage, pdfOf, textAt } from "../support/pdf.js";

/** Counts the bytes of the largest piece of memory. */
const COUNT_BYTES = `
let largest = 0;
globalThis.Uint8Array = class extends Uint8Array {
  constructor(...given) {
    if (typeof given[0] === "number") largest = Math.max(largest, given[0]);
    super(...given);
  }
};`;

/** Reads a page, and counts the states that are made. */
const READ = `
const { create } = Object;
let states = 0;
Object.create = (of, ...more) => {
  if (of?.ctm) states++;
  return create(of, ...more);
};
const { items } = await page.getTextContent().catch(() => ({ items: [] }));
await page.getOperatorList().catch(() => undefined);
answer({ states, largest, text: items.map(({ str }) => str).join("") });`;

const read = (page: PdfPage) =>
  runBuiltPdfjs(pdfOf({ pages: [page] }), READ, COUNT_BYTES) as Promise<{
    states: number;
    largest: number;
    text: string;
  }>;

test("graphics states within states are kept to a depth, beyond which text is still read", async () => {
  const depth = 5_000;
  const { states, text } = await read({
    content: `${"q ".repeat(depth)}${textAt(50, 700, "deep")}${"Q ".repeat(depth)}${textAt(50, 600, "shallow")}`,
  });
  expect(text).toBe("deepshallow");
  expect(states).toBeGreaterThan(1_000);
  expect(states).toBeLessThan(2_100);
});

test("a stream unpacks to 128 MB, and no further", async () => {
  const packed = (megabytes: number): PdfPage => {
    const unpacked = Buffer.alloc(megabytes * 2 ** 20, " ");
    unpacked.write(textAt(50, 700, "tea"));
    return { content: `${deflateSync(unpacked).toString("hex")}>`, filter: "/ASCIIHexDecode /FlateDecode" };
  };
  expect(await read(packed(20))).toMatchObject({ text: "tea", largest: 20 * 2 ** 20 });
  expect((await read(packed(300))).largest).toBeLessThanOrEqual(128 * 2 ** 20);
});

test("a page that was fetched ahead and never asked for ends no process", async () => {
  const text = `%PDF-1.7
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[obj 3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Resources<</Font<<( 0 R>>>>>>endobj
trailer<</Size 4/Root 1 0 R>>
%%EOF`;
  const listen = `
const left = [];
process.on("unhandledRejection", ({ message }) => void left.push(message));
process.on("uncaughtException", ({ message }) => void left.push(message));
setTimeout(() => answer(left), 1_000);`;
  // The page itself cannot be read.
  expect(await runBuiltPdfjs(Buffer.from(text), "", listen)).toEqual([expect.stringContaining("wrong type")]);
});

test("a PDF.js whose code is another is not built in without its bounds", () => {
  expect(() => changed("pdf.worker.mjs", "class StateManager {}")).toThrow("PDF.js has changed");
});
