/** Small files that would become large, deep or endless: each is refused, or read to an end. */
import { describe, expect, test } from "vitest";
import { docToMarkdown } from "../../../src/capabilities/doc/to-markdown.js";
import { pdfText } from "../../../src/capabilities/pdf/text.js";
import { pdfToImage } from "../../../src/capabilities/pdf/to-image.js";
import { pdfOf, textAt } from "../../support/pdf.js";
import { zipOf } from "../../support/zip.js";

const LEVELS = 50_000;
const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString("base64");
const BOMB = `<!DOCTYPE a [<!ENTITY a "ha">${Array.from({ length: 9 }, (_, i) => `<!ENTITY a${i} "${`&a${i || ""};`.repeat(10)}">`).join("")}]><a>&a8;</a>`;

/** The part of each kind that holds its text, beside what says which kind it is. */
const KINDS: [kind: string, parts: (text: string) => Record<string, string>][] = [
  ["DOCX", (text) => ({ "word/document.xml": text })],
  [
    "PPTX",
    (text) => ({
      "[Content_Types].xml": "<Types>presentationml.presentation</Types>",
      "ppt/presentation.xml": "<p:presentation/>",
      "ppt/slides/slide1.xml": text,
      "ppt/_rels/presentation.xml.rels": text,
    }),
  ],
  ["XLSX", (text) => ({ "xl/workbook.xml": text, "[Content_Types].xml": text, "xl/_rels/workbook.xml.rels": text })],
  ["ODT", (text) => ({ mimetype: "application/vnd.oasis.opendocument.text", "content.xml": text })],
  ["EPUB", (text) => ({ mimetype: "application/epub+zip", "META-INF/container.xml": text })],
];

describe.each(KINDS)("%s", (_, parts) => {
  test.each<[string, string]>([
    ["entities within entities", BOMB],
    ["an entity of a file", '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
    [`${LEVELS} levels`, `${"<w:body>".repeat(LEVELS)}x${"</w:body>".repeat(LEVELS)}`],
  ])("%s are refused", async (_, text) => {
    await expect(docToMarkdown({ file: base64(zipOf(parts(text))) })).rejects.toMatchObject({
      status: expect.toSatisfy((status) => status === 400 || status === 422),
      issues: [{ path: "file" }],
    });
  });
});

test.each<[string, string]>([
  ["a mail of 2,000 parts in each other", `From: a@b.example\nTo: c@d.example\n${mails(2_000)}`],
  [`a notebook of ${LEVELS} levels`, `{"nbformat":4,"cells":${"[".repeat(LEVELS)}${"]".repeat(LEVELS)}}`],
  [`a page of ${LEVELS} levels`, "<html>".padEnd(LEVELS * 4, "<p><b>")],
  ["a table of 100,000 columns", `${"a,".repeat(100_000)}b\n${"1,".repeat(100_000)}2\n`],
])("%s ends", async (_, text) => {
  const outcome = await docToMarkdown({ text }).catch((error: { status: number }) => error.status);
  expect(typeof outcome === "number" ? outcome : typeof outcome.items[0]?.markdown).toBeOneOf(["string", 400, 422]);
});

function mails(levels: number): string {
  const open = Array.from({ length: levels }, (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\n\n--b${i}\n`);
  return `${open.join("")}Content-Type: text/plain\n\nx\n`;
}

describe("a PDF", () => {
  const page = (content: string) => ({
    file: base64(pdfOf({ pages: [{ content: content + textAt(50, 700, "Tea") }] })),
  });
  const HUGE = "q 9 0 0 9 0 0 cm\nBI /W 60000 /H 60000 /CS /RGB /BPC 8 ID x EI Q\n";

  test("with a picture of gigapixels is drawn without it", async () => {
    const { body } = await pdfToImage({ ...page(HUGE), dpi: 36 });
    expect(Buffer.from(body).length).toBeLessThan(10_000);
  });

  test.each<[string, string]>([
    ["a picture of gigapixels", HUGE],
    ["20,000 brackets", `${"[".repeat(20_000)}\n`],
    ["20,000 dictionaries", `${"/A << ".repeat(20_000)}\n`],
    [
      "an outline of 200,000 points",
      `0 0 m ${Array.from({ length: 200_000 }, (_, i) => `${i % 500} ${i % 700} l`).join(" ")} S\n`,
    ],
  ])("with %s ends", async (_, content) => {
    const outcome = await pdfText(page(content)).catch((error: { status: number }) => error.status);
    expect(typeof outcome === "number" ? outcome : typeof outcome.items[0]?.text).toBeOneOf(["string", 400, 422]);
  });
});

describe("a workbook that contradicts itself", () => {
  const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const workbook = (sheet: string) => ({
    "[Content_Types].xml": "<Types>spreadsheetml.sheet</Types>",
    "xl/workbook.xml": `<workbook ${MAIN}><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels":
      '<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
    "xl/worksheets/sheet1.xml": `<worksheet ${MAIN}>${sheet}</worksheet>`,
  });
  test.each<[string, string]>([
    ["without rows", ""],
    [
      "with a cell far outside",
      '<dimension ref="A1:B1"/><sheetData><row r="1"><c r="C9"><v>1</v></c></row></sheetData>',
    ],
    [
      "with a cell of no place",
      '<dimension ref="B2:A1"/><sheetData><row r="3"><c r="A0"><v>1</v></c></row></sheetData>',
    ],
    ["with a cell of another row", '<sheetData><row r="1"><c r="A5"><v>1</v></c></row><row r="9"/></sheetData>'],
    [
      "with cells that go backwards",
      '<sheetData><row r="4"><c r="D4"><v>1</v></c><c r="A1"><v>2</v></c></row></sheetData>',
    ],
    ["with a dimension of no place", '<dimension ref="A:B"/><sheetData><row><c r="B2"><v>1</v></c></row></sheetData>'],
  ])("%s is read, or refused with its field", async (_, sheet) => {
    const call = docToMarkdown({ file: base64(zipOf(workbook(sheet))) });
    const outcome = await call.catch((error: { status: number; issues: { path: string }[] }) => error);
    if ("status" in outcome) expect(outcome).toMatchObject({ status: 400, issues: [{ path: "file" }] });
    else expect(outcome.items[0]?.kind).toBe("xlsx");
  });

  test.each([
    ["a row", "A9999999"],
    ["a row of too many digits", "A999999999"],
    ["a row that a program reads as a number", "A1e9"],
    ["a column", "ZZZZZZ1"],
    ["small letters", "aaaa1"],
    ["both", "XFD1048576"],
  ])("a cell far away, by %s, is refused before room is made for it", async (_, place) => {
    const sheet = `<sheetData><row r="1"><c r='${place}'><v>1</v></c></row></sheetData>`;
    await expect(docToMarkdown({ file: base64(zipOf(workbook(sheet))) })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      issues: [{ path: "file", message: expect.stringMatching(/rows and|no place/) }],
    });
  });

  test("names a sheet that is not there: it is read without rows", async () => {
    const parts = workbook('<dimension ref="A1"/><sheetData><row r="1"><c r="A1"><v>7</v></c></row></sheetData>');
    const missing = parts["xl/workbook.xml"].replace("</sheets>", '<sheet name="B" sheetId="2" r:id="rId9"/></sheets>');
    const { items } = await docToMarkdown({ file: base64(zipOf({ ...parts, "xl/workbook.xml": missing })) });
    expect(items[0]?.markdown).toBe("## A\n\n| 7 |\n| --- |\n\n## B\n");
  });
});
