/** The code of PDF.js as it is built in, in a process of its own. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { withBounds } from "../../scripts/bundled-pdf-bounds.mjs";
import { type PdfPage, pdfOf, textAt } from "../support/pdf.js";

const legacy = (name: string) => createRequire(import.meta.url).resolve(`pdfjs-dist/legacy/build/${name}`);

/** Reads a page, and counts the states that are made and the bytes of the largest piece of memory. */
const SCRIPT = `
import { readFileSync } from "node:fs";
const [, , worker, library, file] = process.argv;
let largest = 0;
globalThis.Uint8Array = class extends Uint8Array {
  constructor(...given) {
    if (typeof given[0] === "number") largest = Math.max(largest, given[0]);
    super(...given);
  }
};
Object.assign(globalThis, { DOMMatrix: class {}, ImageData: class {}, Path2D: class {}, pdfjsWorker: await import(worker) });
const { getDocument } = await import(library);
const page = await (await getDocument({ data: new Uint8Array(readFileSync(file)), verbosity: 0 }).promise).getPage(1);
const { create } = Object;
let states = 0;
Object.create = (of, ...more) => {
  if (of?.ctm) states++;
  return create(of, ...more);
};
const { items } = await page.getTextContent().catch(() => ({ items: [] }));
await page.getOperatorList().catch(() => undefined);
console.log(JSON.stringify({ states, largest, text: items.map(({ str }) => str).join("") }));
process.exit();
`;

async function read(page: PdfPage): Promise<{ states: number; largest: number; text: string }> {
  const folder = mkdtempSync(join(tmpdir(), "pdf-bounds-"));
  try {
    const write = (name: string, content: string | Uint8Array) => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    };
    const worker = write("worker.mjs", withBounds(readFileSync(legacy("pdf.worker.mjs"), "utf8")));
    const { stdout } = await promisify(execFile)(process.execPath, [
      write("count.mjs", SCRIPT),
      ...[worker, legacy("pdf.mjs")].map((file) => pathToFileURL(file).href),
      write("hostile.pdf", pdfOf({ pages: [page] })),
    ]);
    return JSON.parse(stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

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

test("a PDF.js whose code is another is not built in without its bounds", () => {
  expect(() => withBounds("class StateManager {}")).toThrow("PDF.js has changed");
});
