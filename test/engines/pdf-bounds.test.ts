/** The code of PDF.js as it is built in, in a process of its own. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { withBounds } from "../../scripts/bundled-pdf-bounds.mjs";
import { pdfOf, textAt } from "../support/pdf.js";

const legacy = (name: string) => createRequire(import.meta.url).resolve(`pdfjs-dist/legacy/build/${name}`);

/** Counts the states that are made while a page is read. */
const SCRIPT = `
import { readFileSync } from "node:fs";
const [, , worker, library, file] = process.argv;
Object.assign(globalThis, { DOMMatrix: class {}, ImageData: class {}, Path2D: class {}, pdfjsWorker: await import(worker) });
const { getDocument } = await import(library);
const page = await (await getDocument({ data: new Uint8Array(readFileSync(file)), verbosity: 0 }).promise).getPage(1);
const { create } = Object;
let states = 0;
Object.create = (of, ...more) => {
  if (of?.ctm) states++;
  return create(of, ...more);
};
const { items } = await page.getTextContent();
await page.getOperatorList();
console.log(JSON.stringify({ states, text: items.map(({ str }) => str).join("") }));
process.exit();
`;

test("graphics states within states are kept to a depth, beyond which text is still read", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pdf-bounds-"));
  try {
    const write = (name: string, content: string | Uint8Array) => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    };
    const depth = 5_000;
    const content = `${"q ".repeat(depth)}${textAt(50, 700, "deep")}${"Q ".repeat(depth)}${textAt(50, 600, "shallow")}`;
    const worker = write("worker.mjs", withBounds(readFileSync(legacy("pdf.worker.mjs"), "utf8")));
    const { stdout } = await promisify(execFile)(process.execPath, [
      write("count.mjs", SCRIPT),
      ...[worker, legacy("pdf.mjs")].map((file) => pathToFileURL(file).href),
      write("deep.pdf", pdfOf({ pages: [{ content }] })),
    ]);
    const { states, text } = JSON.parse(stdout) as { states: number; text: string };
    expect(text).toBe("deepshallow");
    expect(states).toBeGreaterThan(1_000);
    expect(states).toBeLessThan(2_100);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a PDF.js whose code is another is not built in without its bounds", () => {
  expect(() => withBounds("class StateManager {}")).toThrow("PDF.js has changed");
});
