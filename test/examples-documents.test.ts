import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { convertFolder } from "../examples/documents/app.js";
import { pathFromRoot } from "./support/render-indexes.js";

/** An empty folder that goes with its test. */
function folderOfTest(): string {
  const folder = mkdtempSync(join(tmpdir(), "coinslot-documents-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const sample = pathFromRoot("examples/documents/sample");

it("documents/app.js makes Markdown of a folder, and says what it cannot read", async () => {
  const to = folderOfTest();
  expect(await convertFolder(sample, to)).toEqual([
    { name: "degrees.csv", title: null, engine: "built-in", notes: [] },
    { name: "notes.txt", refused: expect.stringContaining("is of no kind that is read") },
    { name: "order.eml", title: "Tea for May", engine: "built-in", notes: [] },
    { name: "tea.pdf", title: null, engine: "pdfjs-dist", notes: [] },
  ]);
  expect(readdirSync(to).sort()).toEqual(["degrees.csv.md", "order.eml.md", "tea.pdf.md"]);
  expect(readFileSync(join(to, "degrees.csv.md"), "utf8")).toContain("| Green | 80 | 2 |");
  expect(readFileSync(join(to, "order.eml.md"), "utf8")).toContain("**two boxes**");
  expect(readFileSync(join(to, "tea.pdf.md"), "utf8")).toBe("Tea: boil fresh water\n");
});

it("documents/app.js prints a line for each document", async () => {
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [pathFromRoot("examples/documents/app.js"), sample, folderOfTest()]);
  expect(stdout).toContain("order.eml: Tea for May");
  expect(stdout).toContain("notes.txt: refused, it is of no kind that is read");
});
