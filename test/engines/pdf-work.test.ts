/** Small PDFs that ask for hours of work (ATK-7, ATK-15). */
import { deflateSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readInvoice } from "../../src/engines/invoices/read.js";
import { joinHyphens, linesOf } from "../../src/engines/pdf/page/lines.js";
import { counted, PdfWork, spend, startPage } from "../../src/engines/pdf/page/work.js";
import { columnsOf } from "../../src/engines/pdf/tables/gutters.js";
import { type BuiltEngines, buildEngines } from "../support/built-engines.js";
import { pdfOf, textAt } from "../support/pdf.js";

let engines: BuiltEngines;
beforeAll(async () => {
  engines = await buildEngines();
});
afterAll(() => engines.close());

/** Packed text of a stream of the page, and of an object. */
const packed = (content: string) => `${deflateSync(Buffer.from(content), { level: 9 }).toString("hex")}>`;
const PACKED = "/ASCIIHexDecode /FlateDecode";
const streamOf = (entries: string, content: string): string => {
  const data = packed(content);
  return `<< ${entries} /Filter [${PACKED}] /Length ${data.length} >>\nstream\n${data}\nendstream`;
};

const page = (content: string, resources: string, objects: string[] = []) =>
  pdfOf({ pages: [{ content: packed(content), filter: PACKED, fonts: `>> ${resources} /Ignored <<` }], objects });

/** Each form draws the next one several times. */
function formsInForms(depth: number, times: number): Buffer {
  const objects = Array.from({ length: depth }, (_, i) => {
    const next = i + 1 < depth ? `/XObject << /X ${11 + i} 0 R >>` : "";
    const entries = `/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /Font << /F1 4 0 R >> ${next} >>`;
    return streamOf(entries, next ? "/X Do ".repeat(times) : textAt(9, 9, "x"));
  });
  return page("/X Do ".repeat(times), "/XObject << /X 10 0 R >>", objects);
}

const tiled = (content: string, step: number, side: number, tile = "0 0 1 1 re f") =>
  page(content, "/Pattern << /P 10 0 R >>", [
    streamOf(
      `/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 ${side} ${side}] /XStep ${step} /YStep ${step} /Resources << >>`,
      tile,
    ),
  ]);

const scattered = (count: number) =>
  page(
    `BT /F1 9 Tf ${Array.from({ length: count }, (_, i) => `1 0 0 1 ${(i * 7919) % 595} ${(i * 104_729) % 842} Tm (x) Tj`).join("\n")} ET`,
    "",
  );

const image = { page: 1, dpi: 96, format: "png" } as const;
const refusal = (message: string) => ({
  refused: { code: "RESULT_TOO_LARGE", message: expect.stringContaining(message) },
});

describe("ATK-15 a PDF of some kilobytes does not hold a thread", () => {
  test("forms that draw forms count as often as they are drawn, in texts, tables and pictures", async () => {
    const bytes = formsInForms(12, 4);
    expect(bytes.length).toBeLessThan(8_000);
    for (const run of [
      engines.run("pdf.text", { bytes }),
      engines.run("pdf.to-markdown", { bytes, tables: true }),
      engines.run("pdf.layers", { bytes }),
      engines.run("pdf.to-image", { bytes, ...image }),
    ]) {
      const { outcome, cpuMs } = await run;
      expect(outcome).toMatchObject(refusal("drawings within drawings on page 1"));
      expect(cpuMs).toBeLessThan(15_000);
    }
  });

  test("few forms within forms are read as before", async () => {
    const { outcome } = await engines.run("pdf.text", { bytes: formsInForms(3, 3) });
    expect(outcome).toMatchObject({ result: { pages: [{ text: expect.stringContaining("x") }] } });
  });

  test.each([
    ["steps of a thousandth", tiled("/Pattern cs /P scn 0 0 595 842 re f", 0.001, 1), "tiles of patterns"],
    [
      "a pattern of many strokes that many fills repeat",
      tiled(
        Array.from({ length: 200 }, (_, i) => `/Pattern cs /P scn ${i} 0 595 842 re f`).join("\n"),
        1000,
        1000,
        "0 0 1 1 re f ".repeat(10_000),
      ),
      "strokes, fills and letters",
    ],
    ["a page that is painted over and over", page("0 0 595 842 re f ".repeat(100_000), ""), "pixels to paint"],
    ["strokes wider than the page", page("9000 w 9 9 m 20 20 l S ".repeat(100_000), ""), "pixels to paint"],
    ["a line of a million dashes", page(`[0.0001] 0 d ${"0 9 m 500 9 l S ".repeat(9)}`, ""), "strokes, fills"],
    ["letters larger than the page", page(`BT /F1 5000 Tf ${`(${"O".repeat(900)}) Tj `.repeat(90)} ET`, ""), "pixels"],
  ])("%s", async (_, bytes, message) => {
    expect((await engines.run("pdf.to-image", { bytes, ...image })).outcome).toMatchObject(refusal(message));
  });

  test("texts that lie scattered are counted, and so are operators, letters and blanks", async () => {
    const cases: [Buffer, string][] = [
      [scattered(70_000), "pieces of text on page 1"],
      [page("0 g ".repeat(1_000_001), ""), "operators on page 1"],
      [page(`BT /F1 1 Tf ${`(${"a".repeat(10_000)}) Tj `.repeat(101)} ET`, ""), "letters on page 1"],
      [page(" ".repeat(65e6), ""), "characters of instructions on page 1"],
    ];
    for (const [bytes, message] of cases)
      expect((await engines.run("pdf.text", { bytes })).outcome).toMatchObject(refusal(message));
  });
});

describe("ATK-7 what reads a page takes work in proportion to it", () => {
  test("columns of texts that reach a billion points far are found by their edges", () => {
    const piece = (x: number, right: number) => ({ x, right, spans: [] });
    const rows = Array.from({ length: 8 }, () => [piece(50, 80), piece(300, 1e12)]);
    expect(columnsOf(rows, [], 10)).toEqual([
      { x: 50, right: 80 },
      { x: 300, right: 1e12 },
    ]);
  });

  test("a paragraph of many lines is joined in one pass", () => {
    const line = "letters and more letters";
    const startedAt = performance.now();
    expect(joinHyphens(Array<string>(40_000).fill(line))).toHaveLength(40_000 * (line.length + 1) - 1);
    expect(joinHyphens(["", "tea-", "pot", "tea\u00ad", "time", "Tea-", "Pot"])).toBe("teapot teatime Tea- Pot");
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  test("a document that is refused once stays refused, and the next one is counted anew", async () => {
    const work = async () => {
      startPage(7);
      spend("texts", 60_000);
      expect(() => spend("texts")).toThrow("more than 60000 pieces of text on page 7");
      // PDF.js takes it for a damaged part, and goes on.
      expect(() => spend("steps")).toThrow("pieces of text");
      return "read";
    };
    await expect(counted(work)).rejects.toMatchObject({ code: "RESULT_TOO_LARGE" });
    await expect(counted(async () => spend("texts", 60_000))).resolves.toBeUndefined();
    expect(spend("texts", 60_001)).toBeUndefined();
  });

  test("what the clip leaves out is not painted", () => {
    const work = new PdfWork();
    work.paint([-1e9, -1e9, 1e9, 1e9], [0, 0, 100, 100]);
    work.paint([-1e9, -1e9, 0, 0], [0, 0, 100, 100]);
    expect(() => work.paint([0, 0, 1e9, 1e9], [0, 0, 1e9, 1e9])).toThrow("pixels to paint");
  });

  test("many lines of text under each other are found", () => {
    const span = { w: 5, h: 10, size: 10, font: "f", isRtl: false, angle: 0, x: 0 };
    const spans = Array.from({ length: 5_000 }, (_, i) => ({ ...span, text: `${i}`, y: 20 * (4_999 - i) }));
    expect(linesOf(spans).map(({ segments }) => segments[0]?.text)).toEqual(spans.map(({ text }) => text).reverse());
  });

  test("objects of one stream that overlap are not read again and again", () => {
    const count = 20_000;
    const head = Array.from({ length: count }, (_, i) => `${100 + i} 0`).join(" ");
    const body = `[${"1 ".repeat(100_000)}]`;
    const content = `${head} ${body}`;
    const data = deflateSync(Buffer.from(content)).toString("latin1");
    const pdf = `%PDF-1.7\n1 0 obj << /Type /ObjStm /N ${count} /First ${head.length + 1} /Filter /FlateDecode /Length ${data.length} >>\nstream\n${data}\nendstream endobj\n`;
    expect(() => readInvoice({ bytes: Buffer.from(pdf, "latin1") } as never)).toThrow("more than a call may unpack");
  });
});
