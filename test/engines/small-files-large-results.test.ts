/** Few bytes that stand for millions of cells (ATK-7, ATK-15). */
import { describe, expect, test } from "vitest";
import { docToMarkdown } from "../../src/capabilities/doc/to-markdown.js";
import { htmlToMarkdown } from "../../src/capabilities/html/to-markdown.js";
import { imageCompare } from "../../src/capabilities/image/compare.js";
import { documentToMarkdown } from "../../src/engines/office/convert.js";
import { leaving } from "../../src/engines/worker-tasks/results.js";
import { readWritten, writeJson } from "../../src/lib/text/written-json.js";
import { zipOf } from "../support/zip.js";

const word = (body: string) =>
  zipOf({
    "[Content_Types].xml": "<Types/>",
    "word/document.xml": `<w:document xmlns:w="w"><w:body><w:tbl>${body}</w:tbl></w:body></w:document>`,
  });
const open = (body: string) =>
  zipOf({
    mimetype: "application/vnd.oasis.opendocument.text",
    "content.xml": `<o:document-content><o:body><o:text><t:table>${body}</t:table></o:text></o:body></o:document-content>`,
  });
const row = (cells: string) => `<w:tr>${cells}</w:tr>`;
const tooLarge = (message: string) => ({
  code: "RESULT_TOO_LARGE",
  status: 400,
  message: expect.stringContaining(message),
});

describe("ATK-15 results are bounded where they arise", () => {
  test("a Word table of one wide row and many empty ones is no twenty million cells", async () => {
    const bytes = word(row("<w:tc/>".repeat(1_000)) + row("").repeat(20_000));
    expect(bytes.length).toBeLessThan(6_000);
    await expect(docToMarkdown({ file: Buffer.from(bytes).toString("base64") })).rejects.toMatchObject(
      tooLarge("tables of more than 200000 cells"),
    );
  });

  test.each([
    [
      "Word cells over many columns",
      word(row('<w:tc><w:tcPr><w:gridSpan w:val="63"/></w:tcPr></w:tc>'.repeat(1_000)).repeat(9)),
    ],
    [
      "OpenDocument cells that are repeated",
      open(`<t:table-row>${'<t:table-cell t:number-columns-repeated="50"/>'.repeat(1_000)}</t:table-row>`.repeat(9)),
    ],
    [
      "long cells that are repeated",
      open(
        `<t:table-row>${`<t:table-cell t:number-columns-repeated="50"><p>${"a".repeat(50_000)}</p></t:table-cell>`.repeat(9)}</t:table-row>`,
      ),
    ],
  ])("%s", async (_, bytes) => {
    await expect(documentToMarkdown({ bytes, isArchive: true })).rejects.toMatchObject(
      tooLarge("has tables of more than"),
    );
  });

  test("cells of HTML that reach over many rows and columns", async () => {
    const html = `<table><tr>${'<td colspan="50" rowspan="50">a'.repeat(100)}</table>`;
    await expect(htmlToMarkdown({ html })).rejects.toMatchObject(tooLarge("tables of more than 200000 cells"));
    const wide = `<table><tr>${"<td>a".repeat(5_000)}</tr>${"<tr>".repeat(5_000)}</table>`;
    await expect(htmlToMarkdown({ html: wide })).rejects.toMatchObject(tooLarge("cells"));
  });

  test("CSV of one long row and many short ones", async () => {
    const text = `${",".repeat(5_000)}\n${"a,b\n".repeat(5_000)}`;
    await expect(docToMarkdown({ text })).rejects.toMatchObject({ status: 400 });
  });

  test("a result of more characters than an answer has is refused before it is copied", () => {
    expect(() => leaving({ text: "a".repeat(1_001) }, 1_000)).toThrow("more than 1000 characters");
    const repeated = Array<string>(100).fill("a".repeat(11));
    expect(() => leaving({ items: repeated }, 1_000)).toThrow("more than 1000 characters");
    expect(leaving({ items: repeated }, 2_000)).toEqual({ result: { items: repeated } });
  });

  test("many values cross as text, and files and numbers that JSON lacks as they are", async () => {
    const many = {
      rows: Array.from({ length: 9_000 }, (_, i) => ({ [`a${i}`]: i, __proto__: null })),
      none: undefined,
    };
    const left = leaving(many, 1e7) as { json: string };
    expect(left.json).toBe(JSON.stringify(many));
    const read = await readWritten(left.json);
    expect(read).toEqual(JSON.parse(left.json));
    expect(writeJson({ ok: true, items: [read], skipped: undefined, list: [undefined] })).toBe(
      JSON.stringify({ ok: true, items: [read], list: [undefined] }),
    );
    const odd = { rows: Array.from({ length: 9_000 }, () => Number.NaN) };
    expect(leaving(odd, 1e7)).toEqual({ result: odd });
    const file = { bytes: new Uint8Array(9), rows: many.rows };
    expect(leaving(file, 1e7)).toEqual({ result: file });
  });
});

test("ATK-7 two pictures of 25 megapixels are too many together, before anything is decoded", async () => {
  const { createCanvas } = await import("@napi-rs/canvas");
  const blank = createCanvas(5_000, 2_600).toBuffer("image/png").toString("base64");
  await expect(imageCompare({ a: blank, b: blank })).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: expect.stringContaining("25 megapixels together"),
  });
});
