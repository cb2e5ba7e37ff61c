import { createCanvas } from "@napi-rs/canvas";
import { describe, expect, it } from "vitest";
import { barcodeGenerate, barcodeRead } from "../../../src/capabilities/barcode/index.js";
import { HELLO, type Input, type Pixels, picture, pixelsOf, refusal, scan, zxingResult } from "./_readers.js";

type Style = NonNullable<Input["style"]>;

/** Numbers that look random and are the same in each run (Park and Miller). */
function seeded(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

const TEXTS = [
  "https://example.com/orders/4711?from=newsletter&utm_source=qr",
  "hello",
  "0123456789".repeat(6),
  "HTTPS://EXAMPLE.COM/A1-B2",
  "Grüße aus Köln, ça va, señor?",
  "你好，世界。重慶銀行",
  "Привет, мир! Γειά σου κόσμε",
  "مرحبا بالعالم — नमस्ते — สวัสดี",
  "😀 done ✅",
  "The quick brown fox jumps over the lazy dog. ".repeat(4),
  "価格は¥1,200です。^065 \\000 ~1",
];
const INKS: Style[] = [
  {},
  { foreground: "#0a3d62" },
  { foreground: "#7b1fa2", background: "#fff8e1" },
  { foreground: "#767676" },
  { foreground: "rgba(0, 0, 0, 0.7)", background: "transparent" },
  {
    foreground: {
      type: "linear",
      rotation: 45,
      stops: [
        { offset: 0, color: "#c2185b" },
        { offset: 1, color: "#1a237e" },
      ],
    },
  },
  {
    foreground: {
      type: "radial",
      stops: [
        { offset: 0, color: "#d84315" },
        { offset: 1, color: "#004d40" },
      ],
    },
    background: "#f1f8e9",
  },
];
const LIGHT_ON_DARK: Style[] = [
  { foreground: "#ffffff", background: "#000000" },
  { foreground: "#39ff14", background: "#0b0221" },
];
const LOGO = picture(80, 60).toDataURL("image/png");

/** The `index`th code: all formats, looks, levels, margins and sizes from the least that is accepted, in turn. */
function codeAt(index: number): Input & { data: { type: "text"; text: string } } {
  const pick = seeded(index * 7919 + 17);
  const of = <T>(list: readonly T[]): T => list[pick(list.length)] as T;
  const format = of(["qr", "qr", "qr", "aztec", "datamatrix", "pdf417"] as const);
  const looks = of(format === "pdf417" ? INKS : [...INKS, ...LIGHT_ON_DARK]);
  const logo = {
    source: LOGO,
    sizePct: 0.1 + pick(26) / 100,
    padding: pick(9),
    cornerRadius: pick(20),
    ...(pick(2) ? { background: "#ffffff" } : {}),
  };
  return {
    format,
    data: { type: "text", text: of(TEXTS) },
    size: of([64, 100, 150, 237, 300, 420, 512, 640]),
    margin: of([0, 1, 2, 4, 4, 8]),
    ...(format === "qr" && pick(2) ? { errorCorrection: of(["L", "M", "Q", "H"] as const) } : {}),
    style: {
      ...looks,
      modules: of(["square", "rounded", "dots"] as const),
      ...(format === "qr" && pick(3) === 0 ? { logo } : {}),
    },
  };
}

/** As it is shown: on a page of its background, so that the quiet zone goes on. Its first pixel is background. */
function onPage({ data, width, height }: Pixels): Pixels {
  const free = 40;
  const page = createCanvas(width + 2 * free, height + 2 * free).getContext("2d");
  const [r, g, b] = data;
  page.fillStyle = `rgb(${r}, ${g}, ${b})`;
  page.fillRect(0, 0, width + 2 * free, height + 2 * free);
  const image = page.createImageData(width, height);
  image.data.set(data);
  page.putImageData(image, free, free);
  const { data: pixels } = page.getImageData(0, 0, width + 2 * free, height + 2 * free);
  return { data: pixels, width: width + 2 * free, height: height + 2 * free };
}

/** What barcode.read finds in the PNG as it is sold. */
async function textsOf(input: Input): Promise<string[]> {
  const { body } = await barcodeGenerate({ ...input, output: "png" });
  const { items } = await barcodeRead({ image: Buffer.from(body).toString("base64") });
  return items.map(({ text }) => text);
}

describe("what is sold can be read", () => {
  it("120 codes of all kinds and looks are read back by ZXing and by barcode.read, and what is refused says what would work", async () => {
    const failed: unknown[] = [];
    const refused: string[] = [];
    let read = 0;
    for (let index = 1; read + failed.length < 120; index++) {
      const input = codeAt(index);
      const pixels = await pixelsOf(input).catch((error: Error) => {
        refused.push(error.message);
        return undefined;
      });
      if (!pixels) continue;
      const result = await zxingResult(input.margin === 0 ? pixels : onPage(pixels));
      const ours = await textsOf(input);
      if (result?.text === input.data.text && ours.join("\n") === input.data.text) read++;
      else
        failed.push({
          index,
          got: [result?.text, ...ours],
          ...input,
          style: { ...input.style, logo: !!input.style?.logo },
        });
    }
    expect(failed).toEqual([]);
    expect(refused.filter((message) => !/: (use|shorten) /.test(message))).toEqual([]);
    expect(refused.length).toBeLessThan(200);
  }, 240_000);
});

describe("what cannot be read is refused, and told what would work", () => {
  it.each<[string, Partial<Input>, string, RegExp]>([
    ["grey on white", { style: { foreground: "#999999" } }, "style.foreground", /2\.8:1 .*3:1.*darker/],
    ["yellow on white", { style: { foreground: "yellow" } }, "style.foreground", /1\.1:1/],
    ["navy on black", { style: { foreground: "navy", background: "black" } }, "style.foreground", /lighter/],
    [
      "the background's own colour",
      { style: { foreground: "#123456", background: "#123456" } },
      "style.foreground",
      /1\.0:1/,
    ],
    [
      "white on nothing",
      { style: { foreground: "white", background: "transparent" } },
      "style.foreground",
      /taken as white/,
    ],
    ["faint black", { style: { foreground: "rgba(0,0,0,0.3)" } }, "style.foreground", /3:1/],
    [
      "a gradient with one light end",
      {
        style: {
          foreground: {
            type: "linear",
            stops: [
              { offset: 0, color: "black" },
              { offset: 1, color: "lightblue" },
            ],
          },
        },
      },
      "style.foreground.stops.1.color",
      /darker/,
    ],
    [
      "a gradient across the background",
      {
        style: {
          background: "#777777",
          foreground: {
            type: "linear",
            stops: [
              { offset: 0, color: "black" },
              { offset: 1, color: "white" },
            ],
          },
        },
      },
      "style.foreground",
      /darker than the background in all/,
    ],
    [
      "light PDF417 on dark",
      { format: "pdf417", style: { foreground: "white", background: "black" } },
      "style.foreground",
      /swap/,
    ],
    ["modules of a pixel", { data: { type: "text", text: "a".repeat(500) }, size: 100 }, "size", /at least 186/],
    ["dots of two pixels", { size: 64, style: { modules: "dots" } }, "size", /3 are needed/],
    [
      "modules of a pixel in Data Matrix",
      { format: "datamatrix", data: { type: "text", text: "a".repeat(500) }, size: 64 },
      "size",
      /at least/,
    ],
    [
      "modules of a pixel in Aztec",
      { format: "aztec", data: { type: "text", text: "a".repeat(500) }, size: 64 },
      "size",
      /at least/,
    ],
    [
      "modules of a pixel in PDF417",
      { format: "pdf417", data: { type: "text", text: "a".repeat(500) }, size: 64 },
      "size",
      /at least/,
    ],
    [
      "a logo that level L does not restore",
      { errorCorrection: "L", style: { logo: { source: LOGO, sizePct: 0.4 } } },
      "style.logo.sizePct",
      /error correction L restores: use errorCorrection H or a sizePct of/,
    ],
    [
      "a logo that level M does not restore, in SVG",
      { errorCorrection: "M", output: "svg", style: { logo: { source: LOGO, sizePct: 0.4 } } },
      "style.logo.sizePct",
      /use errorCorrection H/,
    ],
  ])("%s", async (_, input, path, message) => {
    const error = await refusal({ data: HELLO, ...input });
    expect(error).toMatchObject({ status: 400, code: "INVALID_INPUT", issues: [{ path }] });
    expect(error.message).toMatch(message);
  });

  it("what the refusal of a logo proposes is accepted and read", async () => {
    const input = { data: HELLO, errorCorrection: "L", style: { logo: { source: LOGO, sizePct: 0.4 } } } as const;
    const { message } = await refusal(input);
    const sizePct = Number(/a sizePct of ([\d.]+)/.exec(message)?.[1]);
    expect(await scan({ ...input, style: { logo: { source: LOGO, sizePct } } })).toBe("hello");
    expect(await scan({ ...input, errorCorrection: "H" })).toBe("hello");
  });

  it("colours, logos and sizes of QR codes before a price is quoted", async () => {
    const ctx = { outbound: {} } as never;
    const wrong = { data: { type: "text", text: "a".repeat(900) }, size: 100 };
    await expect(barcodeGenerate.parse(wrong, ctx)).rejects.toThrow("px for each");
  });
});

describe("ECI", () => {
  it.each(["qr", "aztec", "datamatrix", "pdf417"] as const)(
    "26 marks UTF-8 in %s, and plain ASCII is not marked",
    async (format) => {
      const read = async (text: string) =>
        zxingResult(await pixelsOf({ data: { type: "text", text }, format, size: 600 }));
      expect(await read("Zürich 東京 ^")).toMatchObject({ text: "Zürich 東京 ^", hasECI: true });
      expect(await read("Zurich ^ Tokyo")).toMatchObject({ text: "Zurich ^ Tokyo", hasECI: false });
    },
  );
});
