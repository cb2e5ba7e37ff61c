/** Runs a script over a PDF with the code of PDF.js as it is built in, in a process of its own. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { changed } from "../../scripts/bundled-pdf-patches.mjs";

const sourceOf = (file: "pdf.mjs" | "pdf.worker.mjs") =>
  readFileSync(createRequire(import.meta.url).resolve(`pdfjs-dist/legacy/build/${file}`), "utf8");

/** The script finds `page`, the first one, and `OPS`, and calls `answer` with what JSON can say; `before` runs before all. */
const FRAME = (before: string, script: string) => `
import { readFileSync } from "node:fs";
const answer = (value) => {
  console.log(JSON.stringify(value));
  process.exit();
};
${before}
Object.assign(globalThis, { DOMMatrix: class {}, ImageData: class {}, Path2D: class {}, pdfjsWorker: await import("./pdf.worker.mjs") });
const { getDocument, OPS } = await import("./pdf.mjs");
const page = await (await getDocument({ data: new Uint8Array(readFileSync(process.argv[2])), verbosity: 0 }).promise).getPage(1);
${script}
`;

export async function runBuiltPdfjs(pdf: Uint8Array, script: string, before = ""): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), "built-pdfjs-"));
  try {
    const write = (name: string, content: string | Uint8Array) => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    };
    for (const file of ["pdf.mjs", "pdf.worker.mjs"] as const) write(file, changed(file, sourceOf(file)));
    const files = [write("run.mjs", FRAME(before, script)), write("page.pdf", pdf)];
    const { stdout } = await promisify(execFile)(process.execPath, files);
    return JSON.parse(stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
