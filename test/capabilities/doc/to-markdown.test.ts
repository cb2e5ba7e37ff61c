import { readdirSync, readFileSync } from "node:fs";
import { HtmlRenderer, Parser } from "commonmark";
import { describe, expect, test } from "vitest";
import { docToMarkdown } from "../../../src/capabilities/doc/to-markdown.js";
import { zipOf as zip } from "../../support/zip.js";

type Input = Parameters<typeof docToMarkdown>[0];
const suites = new URL("../../suites/documents/", import.meta.url);
const convert = async (input: Input) => (await docToMarkdown(input)).items[0];
const ofFile = (name: string) => convert({ file: readFileSync(new URL(name, suites)).toString("base64") });
const ofArchive = (parts: Record<string, string>) => convert({ file: Buffer.from(zip(parts)).toString("base64") });
const render = (markdown = "") => new HtmlRenderer().render(new Parser().parse(markdown)).trim();

/** By mammoth's own tests; notes are footnotes here, and comments are left out. */
describe("Word documents of mammoth's tests", () => {
  test.each([
    ["single-paragraph", "<p>Walking on imported air</p>"],
    ["utf8-bom", "<p>This XML has a byte order mark.</p>"],
    ["strict-format", "<p>Test</p>"],
    ["simple-list", "<ul>\n<li>Apple</li>\n<li>Banana</li>\n</ul>"],
    ["underline", "<p><strong>The Sunset Tree</strong></p>"],
    ["text-box", "<p>Datum plane</p>"],
    ["tiny-picture", '<p><img src="image1.png" alt="" /></p>'],
    ["tiny-picture-target-base-relative", '<p><img src="image1.png" alt="" /></p>'],
    ["empty", ""],
    ["comments", "<p>Ouch.</p>"],
  ])("%s", async (name, html) => {
    expect(render((await ofFile(`mammoth/${name}.docx`))?.markdown)).toBe(html);
  });

  test("tables, struck text, notes with links, pictures outside", async () => {
    expect((await ofFile("mammoth/tables.docx"))?.markdown).toBe(
      "Above\n\n| Top left | Top right |\n| --- | --- |\n| Bottom left | Bottom right |\n\nBelow\n",
    );
    expect((await ofFile("mammoth/strikethrough.docx"))?.markdown).toBe("~~Today's Special: Salmon~~ Sold out\n");
    const notes = "Ouch[^1].[^2]\n\n[^1]: A tachyon walks into a bar.\n\n[^2]: Fin.\n";
    expect((await ofFile("mammoth/footnotes.docx"))?.markdown).toBe(notes);
    expect((await ofFile("mammoth/endnotes.docx"))?.markdown).toBe(notes);
    expect((await ofFile("mammoth/footnote-hyperlink.docx"))?.markdown).toBe(
      "[^1]\n\n[^1]: [Example](http://www.example.com)\n",
    );
    expect((await ofFile("mammoth/external-picture.docx"))?.images).toEqual([
      { name: "tiny-picture.png", alt: "", bytes: 0 },
    ]);
  });

  test("all of them can be read", async () => {
    const names = readdirSync(new URL("mammoth", suites));
    expect(await Promise.all(names.map(async (name) => (await ofFile(`mammoth/${name}`))?.kind))).toEqual(
      names.map(() => "docx"),
    );
  });
});

/** By markitdown's test vectors. */
describe("documents of markitdown's tests", () => {
  test.each([
    [
      "test.docx",
      "docx",
      [
        "314b0a30-5b04-470b-b9f7-eed2c2bec74a",
        "49e168b7-d2ae-407f-a055-2167576f39a1",
        "## d666f1f7-46cb-42bd-9a39-9a39cf2a509f",
        "# Abstract",
        "# Introduction",
      ],
    ],
    [
      "test.xlsx",
      "xlsx",
      [
        "## 09060124-b5e7-4717-9d07-3c046eb",
        "6ff4173b-42a5-4784-9b19-f49caff4d93d",
        "affc7dad-52dc-4b98-9b5d-51e65d8a8ad0",
      ],
    ],
    [
      "test.pptx",
      "pptx",
      [
        "2cdda5c8-e50e-4db4-b5f0-9722a649f455",
        "04191ea8-5c73-4215-a1d3-1cfb43aaaf12",
        "44bf7d06-5e7a-4a40-a2e1-a2e42ef28c8a",
        "1b92870d-e3b5-4e65-8153-919f4ff45592",
        "a3f6004b-6f4f-4ea8-bee3-3741f4dc385f",
        "2003",
        "![This phrase of the caption is Human-written.](Picture4.jpg)",
      ],
    ],
    [
      "test_mskanji.csv",
      "csv",
      ["| 名前 | 年齢 | 住所 |\n| --- | --- | --- |\n| 佐藤太郎 | 30 | 東京 |", "| 髙橋淳 | 35 | 名古屋 |"],
    ],
    ["test_notebook.ipynb", "ipynb", ["# Test Notebook", '```python\nprint("markitdown")\n```', "## Code Cell Below"]],
    [
      "test.epub",
      "epub",
      [
        "**Authors:** Test Author",
        "A test EPUB document for MarkItDown testing",
        "# Chapter 1: Test Content",
        "This is a **test** paragraph with some formatting",
        "* A bullet point",
        "*different* style",
        "> This is a blockquote for testing",
      ],
    ],
  ])("%s", async (name, kind, words) => {
    const document = await ofFile(`markitdown/${name}`);
    expect(document?.kind).toBe(kind);
    for (const word of words) expect(document?.markdown).toContain(word);
    expect(document?.markdown).not.toMatch(/base64,|nbformat/);
  });

  test("pictures are named with their sizes", async () => {
    expect((await ofFile("markitdown/test.pptx"))?.images).toMatchObject([
      { name: "Picture4.jpeg", bytes: 73_700 },
      { name: "Picture4.jpg", alt: "This phrase of the caption is Human-written.", bytes: 148_594 },
    ]);
  });
});

const ODT = `<o:document-content xmlns:o="urn:o" xmlns:text="urn:t" xmlns:fo="urn:fo" xmlns:style="urn:s" xmlns:table="urn:ta" xmlns:xlink="urn:x" xmlns:draw="urn:d">
<o:automatic-styles><style:style style:name="B"><style:text-properties fo:font-weight="bold"/></style:style>
<text:list-style style:name="N"><text:list-level-style-number text:level="1"/></text:list-style></o:automatic-styles>
<o:body><o:text><text:h text:outline-level="2">Tea</text:h>
<text:p>Boil <text:span text:style-name="B">fresh </text:span>water<text:s text:c="2"/>now<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Not twice.</text:p></text:note-body></text:note>. <text:a xlink:href="https://tea.example/">More</text:a></text:p>
<text:list text:style-name="N"><text:list-item><text:p>one</text:p><text:list><text:list-item><text:p>deep</text:p></text:list-item></text:list></text:list-item><text:list-item><text:p>two</text:p></text:list-item></text:list>
<table:table><table:table-row><table:table-cell><text:p>A</text:p></table:table-cell><table:table-cell table:number-columns-repeated="2"><text:p>B</text:p></table:table-cell></table:table-row></table:table>
<text:p><draw:frame><draw:image xlink:href="Pictures/cup.png"/></draw:frame></text:p></o:text></o:body></o:document-content>`;

test("OpenDocument: headings, formats, notes, lists in lists, repeated cells, pictures", async () => {
  const document = await ofArchive({
    mimetype: "application/vnd.oasis.opendocument.text",
    "content.xml": ODT,
    "meta.xml":
      '<o:document-meta xmlns:o="urn:o" xmlns:dc="urn:dc"><o:meta><dc:title>On tea</dc:title><dc:creator>A. Baker</dc:creator></o:meta></o:document-meta>',
    "Pictures/cup.png": "12345",
  });
  expect(document).toMatchObject({ kind: "odt", title: "On tea", author: "A. Baker", charset: null });
  expect(document?.images).toEqual([{ name: "cup.png", alt: "", bytes: 5 }]);
  expect(document?.markdown).toBe(
    "## Tea\n\nBoil **fresh** water  now[^1]. [More](https://tea.example/)\n\n1. one\n   * deep\n2. two\n\n| A | B | B |\n| --- | --- | --- |\n\n![](cup.png)\n\n[^1]: Not twice.\n",
  );
});

test("a mail: who wrote to whom, its text, and the names of its attachments", async () => {
  const text = [
    "From: =?utf-8?Q?J=C3=B6rg?= <joerg@example.com>",
    "To: Anna <anna@example.com>",
    "Subject: Tea",
    "Date: Mon, 02 Mar 2026 10:00:00 +0000",
    "MIME-Version: 1.0",
    'Content-Type: multipart/mixed; boundary="b"',
    "",
    "--b",
    "Content-Type: text/html; charset=utf-8",
    "",
    "<p>Boil <b>fresh</b> water.</p><img src='cid:1'>",
    "--b",
    'Content-Type: application/pdf; name="bill.pdf"',
    "Content-Disposition: attachment; filename=bill.pdf",
    "Content-Transfer-Encoding: base64",
    "",
    "QUJD",
    "--b--",
    "",
  ].join("\r\n");
  const mail = await convert({ text });
  expect(mail).toMatchObject({ kind: "eml", title: "Tea", author: "Jörg <joerg@example.com>", charset: "utf-8" });
  expect(mail?.markdown).toContain("**From:** Jörg \\<joerg@example.com>");
  expect(mail?.markdown).toContain("Boil **fresh** water.");
  expect(mail?.notes).toEqual(["attachment bill.pdf (application/pdf, 3 bytes) was not read"]);
});

test("encodings are found by what a text would say", async () => {
  const decoded = async (bytes: number[]) => (await convert({ file: Buffer.from(bytes).toString("base64") })) ?? {};
  const latin = [...Buffer.from("name;stadt\nJürgen;Köln\nRené;Zürich\n", "latin1")];
  expect(await decoded(latin)).toMatchObject({
    charset: "windows-1252",
    markdown: expect.stringContaining("| Jürgen | Köln |"),
  });
  // "имя,город" and "Анна,Минск" in windows-1251.
  const cyrillic = [
    0xe8, 0xec, 0xff, 0x2c, 0xe3, 0xee, 0xf0, 0xee, 0xe4, 0x0a, 0xc0, 0xed, 0xed, 0xe0, 0x2c, 0xcc, 0xe8, 0xed, 0xf1,
    0xea, 0x0a,
  ];
  expect(await decoded(cyrillic)).toMatchObject({
    charset: "windows-1251",
    markdown: expect.stringContaining("| Анна | Минск |"),
  });
  const marked = [0xff, 0xfe, ...Buffer.from("a,b\nü,c\n", "utf16le")];
  expect(await decoded(marked)).toMatchObject({ charset: "utf-16le", markdown: expect.stringContaining("| ü | c |") });
});

describe("refused, with the field", () => {
  const bomb = () => zip({ "word/document.xml": "a".repeat(40_000_000) });
  const docx = (body: string) => zip({ "word/document.xml": `<w:document xmlns:w="w">${body}</w:document>` });
  test.each<[string, () => Input, string]>([
    ["nothing", () => ({}), "text"],
    ["a PDF", () => ({ file: Buffer.from("%PDF-1.7\n").toString("base64") }), "file"],
    ["an Office of 1997", () => ({ file: Buffer.from("d0cf11e0a1b11ae1", "hex").toString("base64") }), "file"],
    ["prose", () => ({ text: "Once upon a time." }), "text"],
    ["JSON", () => ({ text: '{"a": 1}' }), "text"],
    ["bytes", () => ({ file: Buffer.alloc(500, 1).fill(0, 10, 20).toString("base64") }), "file"],
    ["an archive of something else", () => ({ file: Buffer.from(zip({ a: "b" })).toString("base64") }), "file"],
    ["an archive that grows 40 MB", () => ({ file: Buffer.from(bomb()).toString("base64") }), "file"],
    [
      "entities",
      () => ({
        file: Buffer.from(zip({ "word/document.xml": '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>' })).toString("base64"),
      }),
      "file",
    ],
    ["50,000 levels", () => ({ file: Buffer.from(docx("<w:body>".repeat(50_000))).toString("base64") }), "file"],
    ["no body", () => ({ file: Buffer.from(docx("")).toString("base64") }), "file"],
    ["an inner address", () => ({ url: "http://169.254.169.254/" }), "url"],
  ])("%s", async (_, input, path) => {
    await expect(docToMarkdown(input())).rejects.toMatchObject({
      status: expect.toSatisfy((status) => status >= 400 && status < 500),
      issues: expect.arrayContaining([expect.objectContaining({ path })]),
    });
  });
});

test("styles that are based on each other, and links that are scripts, do no harm", async () => {
  const document = await ofArchive({
    "word/document.xml": `<w:document xmlns:w="w" xmlns:r="r"><w:body><w:p><w:pPr><w:pStyle w:val="A"/></w:pPr><w:hyperlink r:id="1"><w:r><w:t>click</w:t></w:r></w:hyperlink></w:p></w:body></w:document>`,
    "word/styles.xml": `<w:styles xmlns:w="w"><w:style w:styleId="A"><w:basedOn w:val="B"/></w:style><w:style w:styleId="B"><w:basedOn w:val="A"/></w:style></w:styles>`,
    "word/_rels/document.xml.rels": `<Relationships><Relationship Id="1" TargetMode="External" Target="javascript:alert(1)"/></Relationships>`,
    "word/vbaProject.bin": "macro",
  });
  expect(document).toMatchObject({ markdown: "click\n", notes: ["macros were not read"] });
});
