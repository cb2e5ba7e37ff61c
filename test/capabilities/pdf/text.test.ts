import { describe, expect, test } from "vitest";
import { pdfText } from "../../../src/capabilities/pdf/text.js";
import { pdfToImage } from "../../../src/capabilities/pdf/to-image.js";
import { pdfToMarkdown } from "../../../src/capabilities/pdf/to-markdown.js";
import { pdfOf, textAt } from "../../support/pdf.js";

type Input = Parameters<typeof pdfText>[0];
const read = async (pdf: Uint8Array, more: Partial<Input> = {}) =>
  (await pdfText({ file: Buffer.from(pdf).toString("base64"), ...more })).items[0];

const LEFT = [
  "Tea comes from the leaves of a plant",
  "that grows on warm and misty hills,",
  "and is picked by hand twice a year,",
  "by people who walk along the rows.",
  "They carry baskets on their backs.",
];
const RIGHT = [
  "Coffee grows as a cherry on a bush,",
  "with two beans in each of its fruits,",
  "which are dried, sold and roasted,",
  "and ground shortly before brewing,",
  "so that their taste is not lost.",
];
const twoColumns = LEFT.map(
  (line, i) => textAt(50, 700 - 14 * i, line, 10) + textAt(310, 700 - 14 * i, RIGHT[i] ?? "", 10),
).join("");

test("text in reading order, with what the document says of itself", async () => {
  const pdf = pdfOf({
    pages: [
      { content: textAt(50, 760, "Hot drinks of the world", 20) + twoColumns },
      { content: textAt(50, 700, "The end") },
    ],
    info: "/Title (Hot drinks) /Author (A. Baker) /Producer (Hand) /CreationDate (D:20260301120000+01'00')",
    catalog: "/Outlines 10 0 R /Names << /EmbeddedFiles << /Names [(data.csv) 12 0 R] >> >>",
    objects: [
      "<< /First 11 0 R /Last 11 0 R /Count 1 >>",
      "<< /Title (Start) /Parent 10 0 R /Dest [14 0 R /Fit] >>",
      "<< /Type /Filespec /F (data.csv) /EF << /F 13 0 R >> >>",
      "<< /Type /EmbeddedFile /Length 3 >>\nstream\na,b\nendstream",
    ],
  });
  expect(await read(pdf)).toEqual({
    pageCount: 2,
    encrypted: false,
    hasTextLayer: true,
    metadata: { title: "Hot drinks", author: "A. Baker", producer: "Hand", created: "2026-03-01T11:00:00Z" },
    outline: [{ title: "Start", level: 1, page: 1 }],
    text: ["Hot drinks of the world", ...LEFT, ...RIGHT, "", "The end"].join("\n"),
    pages: [
      {
        page: 1,
        text: ["Hot drinks of the world", ...LEFT, ...RIGHT].join("\n"),
        width: 595,
        height: 842,
        rotation: 0,
      },
      { page: 2, text: "The end", width: 595, height: 842, rotation: 0 },
    ],
    attachments: ["data.csv"],
    notes: [],
  });
});

test("Hebrew is read from the right, whatever the order in which its words were drawn", async () => {
  // The letters of a word stand in the file as they stand on the page, from the left.
  const letters = { a: "ש", b: "ל", c: "ו", d: "ם", e: "ע" };
  const rows = Object.entries(letters).map(([code, letter]) => `<${hexOf(code, 2)}> <${hexOf(letter, 4)}>`);
  const unicode = `begincmap 1 begincodespacerange <00> <ff> endcodespacerange ${rows.length} beginbfchar\n${rows.join("\n")}\nendbfchar endcmap`;
  const objects = [
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode 11 0 R >>",
    `<< /Length ${unicode.length} >>\nstream\n${unicode}\nendstream`,
  ];
  const word = (x: number, y: number, text: string) => textAt(x, y, text, 12, "F3");
  const content = word(330, 700, "dbce") + word(380, 700, "dcba") + word(360, 680, "dcbac");
  const pdf = pdfOf({ pages: [{ content, fonts: "/F3 10 0 R" }], objects });
  expect((await read(pdf))?.text).toBe("שלום עולם\nושלום");
  const { items } = await pdfToMarkdown({ file: Buffer.from(pdf).toString("base64") });
  expect(items[0]?.markdown).toBe("שלום עולם ושלום\n");
});

const hexOf = (letter: string, digits: number) => letter.charCodeAt(0).toString(16).padStart(digits, "0");

test("words have places from the upper left corner, also on a turned page", async () => {
  const content = textAt(100, 700, "Green tea");
  const page = (await read(pdfOf({ pages: [{ content }] }), { boxes: true }))?.pages[0];
  expect(page?.words?.map(({ text }) => text)).toEqual(["Green", "tea"]);
  expect(page?.words?.[0]).toMatchObject({ x: 100, y: expect.closeTo(131.5, -1), h: 12 });
  const turned = (await read(pdfOf({ pages: [{ content, rotate: 90 }] }), { boxes: true }))?.pages[0];
  expect(turned).toMatchObject({ width: 842, height: 595, rotation: 90, text: "Green tea" });
});

test("pages are chosen; without a choice the first hundred are read, and the rest is told", async () => {
  const pdf = pdfOf({ pages: Array.from({ length: 103 }, (_, i) => ({ content: textAt(50, 700, `Page ${i + 1}`) })) });
  expect((await read(pdf, { pages: "2-3, 103" }))?.pages.map(({ text }) => text)).toEqual([
    "Page 2",
    "Page 3",
    "Page 103",
  ]);
  const first = await read(pdf);
  expect(first?.pages).toHaveLength(100);
  expect(first?.notes).toEqual(["pages 101 to 103 were not read: name them in pages"]);
});

test("a page without text is a scan", async () => {
  expect(await read(pdfOf({ pages: [{ content: "0 0 100 100 re f" }] }))).toMatchObject({
    hasTextLayer: false,
    notes: ["the pages have no text layer, as in a scan: ai.ocr reads pictures of pages"],
  });
});

describe("refused with the field", () => {
  const one = () => pdfOf({ pages: [{ content: "" }] });
  const file = (pdf: Uint8Array) => Buffer.from(pdf).toString("base64");
  test.each<[string, () => Input, string]>([
    ["nothing", () => ({}), "file"],
    ["no PDF", () => ({ file: file(Buffer.from("hello")) }), "file"],
    ["a PDF of its head alone", () => ({ file: file(Buffer.from("%PDF-1.7\n%%EOF")) }), "file"],
    ["a page that is not there", () => ({ file: file(one()), pages: "2" }), "pages"],
    ["pages backwards", () => ({ file: file(one()), pages: "3-1" }), "pages"],
    ["more than 200 pages", () => ({ file: file(one()), pages: "1-201" }), "pages"],
    ["a page of a kilometre", () => ({ file: file(pdfOf({ pages: [{ content: "", width: 20_000 }] })) }), "file"],
    ["an inner address", () => ({ url: "http://10.0.0.1/a.pdf" }), "url"],
  ])("%s", async (_, input, path) => {
    await expect(pdfText(input())).rejects.toMatchObject({
      status: 400,
      issues: [expect.objectContaining({ path }), ...(path === "file" && !input().file ? [{ path: "url" }] : [])],
    });
  });
});

describe("a page as a picture", () => {
  const pdf = () =>
    pdfOf({ pages: [{ content: textAt(50, 700, "Tea", 40), width: 200, height: 800 }] }).toString("base64");
  const sizeOf = (png: Uint8Array | string) => [
    Buffer.from(png as Uint8Array).readUInt32BE(16),
    Buffer.from(png as Uint8Array).readUInt32BE(20),
  ];

  test("is as large as its resolution says, and no wider than asked", async () => {
    const drawn = await pdfToImage({ file: pdf(), dpi: 144 });
    expect(drawn).toMatchObject({ contentType: "image/png" });
    expect(sizeOf(drawn.body)).toEqual([400, 1600]);
    expect(sizeOf((await pdfToImage({ file: pdf(), dpi: 144, maxWidth: 100 })).body)).toEqual([100, 400]);
  });

  test("may be WebP, and shows what is on the page", async () => {
    const { body, contentType } = await pdfToImage({ file: pdf(), format: "webp" });
    expect([contentType, Buffer.from(body).toString("latin1", 8, 12)]).toEqual(["image/webp", "WEBP"]);
    const { createCanvas, loadImage } = await import("@napi-rs/canvas");
    const image = await loadImage((await pdfToImage({ file: pdf() })).body);
    const context = createCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    const pixels = context.getImageData(0, 0, image.width, image.height).data;
    expect(pixels.filter((value, i) => i % 4 === 0 && value < 128).length).toBeGreaterThan(100);
  });

  test("shows the pictures that are on the page, which another canvas than ours would end the process for", async () => {
    const grey = "q 200 0 0 800 0 0 cm\nBI /W 1 /H 1 /CS /G /BPC 8 ID \x40 EI Q\n";
    const { body } = await pdfToImage({
      file: pdfOf({ pages: [{ content: grey, width: 200, height: 800 }] }).toString("base64"),
    });
    const { createCanvas, loadImage } = await import("@napi-rs/canvas");
    const image = await loadImage(body);
    const context = createCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    expect(context.getImageData(image.width / 2, image.height / 2, 1, 1).data[0]).toBe(0x40);
  });

  test("is refused where operators of inline pictures stand alone", async () => {
    const file = pdfOf({ pages: [{ content: "/W 1 ID x EI" }] }).toString("base64");
    await expect(pdfToImage({ file })).rejects.toMatchObject({ code: "INVALID_INPUT", status: 400 });
  });

  test("must be there", async () => {
    await expect(pdfToImage({ file: pdf(), page: 2 })).rejects.toMatchObject({
      status: 400,
      issues: [{ path: "page" }],
    });
  });
});
