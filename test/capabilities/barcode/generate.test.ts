import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { barcodeGenerate } from "../../../src/capabilities/barcode/index.js";
import { HELLO, onPaper, pixelsOf, refusal, scan, svgOf } from "./_readers.js";

const FORMATS = ["qr", "aztec", "datamatrix", "pdf417"] as const;

describe("output", () => {
  it("is an SVG by default, 512 px wide, black on white, with a quiet zone of four modules", async () => {
    const { contentType, body } = await barcodeGenerate({ data: HELLO });
    expect(contentType).toBe("image/svg+xml");
    expect(body).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="512" height="512" viewBox="0 0 29 29">/);
    expect(body).toContain('<path fill="#ffffff" d="M0 0h29v29H0z"/>');
    expect(body).toContain('d="M4 4.5h7');
  });

  it("is a PNG of the size asked for", async () => {
    const { contentType, body } = await barcodeGenerate({ data: HELLO, output: "png", size: 300 });
    expect(contentType).toBe("image/png");
    expect(Buffer.from(body).subarray(0, 8)).toEqual(Buffer.from("89504e470d0a1a0a", "hex"));
    expect(await onPaper(Buffer.from(body))).toMatchObject({ width: 300, height: 300 });
  });

  it("is JSON with a data URL of the PNG", async () => {
    const png = await barcodeGenerate({ data: HELLO, output: "png", size: 128 });
    const { contentType, body } = await barcodeGenerate({ data: HELLO, output: "dataurl", size: 128 });
    expect(contentType).toBe("application/json");
    expect(JSON.parse(String(body))).toEqual({
      dataUrl: `data:image/png;base64,${Buffer.from(png.body).toString("base64")}`,
      mimeType: "image/png",
      format: "qr",
      size: 128,
    });
  });

  it("is the same for the same input", async () => {
    for (const format of FORMATS)
      expect(await svgOf({ data: HELLO, format })).toBe(await svgOf({ data: HELLO, format }));
  });

  it("reaches the bounds of size and margin", async () => {
    expect(await scan({ data: HELLO, size: 64, margin: 0 })).toBe("hello");
    expect(await pixelsOf({ data: HELLO, size: 4096, margin: 16 })).toMatchObject({ width: 4096, height: 4096 });
  });

  it("draws rows of PDF417 three modules high and measures its width", async () => {
    const svg = await svgOf({ data: HELLO, format: "pdf417", size: 1000, margin: 2 });
    const [, height, across, down] =
      /width="1000" height="(\d+)" viewBox="0 0 (\d+) (\d+)"/.exec(svg)?.map(Number) ?? [];
    expect((Number(down) - 4) % 3).toBe(0);
    expect(height).toBe(Math.round((1000 * Number(down)) / Number(across)));
    expect(svg).toContain('stroke-width="3"');
    const { width, height: pixels } = await pixelsOf({ data: HELLO, format: "pdf417", size: 1000, margin: 2 });
    expect([width, pixels]).toEqual([1000, height]);
  });
});

/** Widths at which readers find the modules of a code of some hundred bytes. */
const READABLE = { qr: 400, aztec: 500, datamatrix: 500, pdf417: 800 };

describe.each(FORMATS)("IN-14 %s", (format) => {
  const size = READABLE[format];

  it.each(["hello", "Grüße, 你好 😀", "a\r\nb\tc", "^FNC1 ^065 \\000 <&>\"'", "0123456789".repeat(9), "\0\u0001"])(
    "carries %j",
    async (text) => {
      expect(await scan({ data: { type: "text", text }, format, size })).toBe(text);
    },
  );

  it("carries any text", async () => {
    const anyText = fc.string({ minLength: 1, maxLength: 60, unit: "binary" }).filter((text) => !/\p{Cs}/u.test(text));
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        expect(await scan({ data: { type: "text", text }, format, size })).toBe(text);
      }),
      { numRuns: 15 },
    );
  });
});

describe("IN-14 capacity", () => {
  const json = (length: number, unit: string) => ({
    type: "json" as const,
    value: unit.repeat((length - 2) / unit.length),
  });

  it.each([
    { format: "qr", errorCorrection: "L", fits: 2953 },
    { format: "qr", errorCorrection: "M", fits: 2331 },
    { format: "qr", errorCorrection: "Q", fits: 1663 },
    { format: "qr", errorCorrection: "H", fits: 1273 },
    { format: "aztec", fits: 1914 },
    { format: "datamatrix", fits: 1554 },
    { format: "pdf417", fits: 1108 },
  ] as const)("$format $errorCorrection holds $fits bytes of anything", async ({ fits: most, ...input }) => {
    // Pairs of bytes that no compaction shortens: é is two bytes beyond ASCII. That it is UTF-8 takes up to five more.
    const fits = most - 5;
    const padding = fits % 2 === 0 ? "" : "~";
    const data = { type: "json" as const, value: `${padding}${"é".repeat((fits - 2 - padding.length) / 2)}` };
    expect(Buffer.byteLength(JSON.stringify(data.value))).toBe(fits);
    await expect(svgOf({ data, size: 1200, ...input })).resolves.toContain("<svg");
    const tooLong = { type: "json" as const, value: `${data.value}${"é".repeat(9)}` };
    const error = await refusal({ data: tooLong, ...input });
    expect(error).toMatchObject({ status: 400, code: "INVALID_INPUT" });
    expect(error.message).toContain(`${fits + 18} bytes`);
    expect(error.message).toContain("errorCorrection" in input ? input.errorCorrection : input.format);
  });

  it.each(FORMATS)("%s refuses what no packing can make fit, without trying", async (format) => {
    const error = await refusal({ data: json(900_000, "1"), format });
    expect(error).toMatchObject({ status: 400, code: "INVALID_INPUT", issues: [{ path: "data" }] });
  });

  it("lets digits and capitals use their better packing", async () => {
    const data = { type: "text", text: "A1".repeat(1000) } as const;
    await expect(svgOf({ data, errorCorrection: "Q" })).resolves.toContain("<svg");
    expect(await refusal({ data: { ...data, text: "a1".repeat(1000) }, errorCorrection: "Q" })).toHaveProperty(
      "status",
      400,
    );
  });

  it("accepts 2000 letters and refuses 2000 emoji", async () => {
    await expect(svgOf({ data: { type: "text", text: "a".repeat(2000) } })).resolves.toContain("<svg");
    const error = await refusal({ data: { type: "text", text: "😀".repeat(2000) } });
    expect(error).toMatchObject({ status: 400, code: "INVALID_INPUT" });
    expect(error.message).toContain("8000 bytes");
  });
});

describe("error correction", () => {
  it("makes a code larger", async () => {
    const data = { type: "text", text: "a".repeat(200) } as const;
    const sides = [];
    for (const errorCorrection of ["L", "M", "Q", "H"] as const) {
      const svg = await svgOf({ data, errorCorrection, margin: 0 });
      sides.push(Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]));
    }
    expect(sides).toEqual([53, 57, 65, 77]);
    expect(await svgOf({ data })).toBe(await svgOf({ data, errorCorrection: "M" }));
  });
});

describe("refusals", () => {
  it.each<[string, Record<string, unknown>, string]>([
    ["another format", { format: "code128" }, "format"],
    ["another output", { output: "pdf" }, "output"],
    ["a size below 64", { size: 63 }, "size"],
    ["a size above 4096", { size: 100_000 }, "size"],
    ["a size in words", { size: "big" }, "size"],
    ["a negative margin", { margin: -1 }, "margin"],
    ["half a module of margin", { margin: 1.5 }, "margin"],
    ["another level", { errorCorrection: "Z" }, "errorCorrection"],
    ["an unknown field", { colour: "red" }, "colour"],
  ])("%s", async (_, fields, path) => {
    const error = await refusal({ data: HELLO, ...fields });
    expect(error).toMatchObject({ status: 400, code: "INVALID_INPUT" });
    expect(error.issues?.[0]?.path).toBe(path);
  });

  it("come before a price is quoted", async () => {
    const ctx = { outbound: {} } as never;
    await expect(barcodeGenerate.parse({ data: { type: "text", text: "😀".repeat(2000) } }, ctx)).rejects.toThrow(
      "8000",
    );
  });
});
