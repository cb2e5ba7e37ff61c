/** Second opinions on our codes: decoders that share no code with the encoders. */
import "../../support/typescript-workers.js";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import jsqr from "jsqr";
import { expect } from "vitest";
import { prepareZXingModule, type ReadResult, readBarcodes } from "zxing-wasm/reader";
import { barcodeGenerate } from "../../../src/capabilities/barcode/index.js";
import type { CallOptions } from "../../../src/capability/types.js";
import { CapabilityError } from "../../../src/errors.js";

export type Input = Parameters<typeof barcodeGenerate>[0];

export const HELLO: Input["data"] = { type: "text", text: "hello" };

export async function svgOf(input: Input, options?: CallOptions): Promise<string> {
  const { contentType, body } = await barcodeGenerate({ ...input, output: "svg" }, options);
  if (contentType !== "image/svg+xml" || typeof body !== "string") throw new Error(`not an SVG: ${contentType}`);
  return body;
}

export interface Pixels {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

/** The input as PNG, its pixels on white paper. */
export async function pixelsOf(input: Input, options?: CallOptions): Promise<Pixels> {
  const { body } = await barcodeGenerate({ ...input, output: "png" }, options);
  return onPaper(Buffer.from(body));
}

export async function onPaper(file: Buffer): Promise<Pixels> {
  const image = await loadImage(file);
  const paper = createCanvas(image.width, image.height).getContext("2d");
  paper.fillStyle = "white";
  paper.fillRect(0, 0, image.width, image.height);
  paper.drawImage(image, 0, 0);
  const { data } = paper.getImageData(0, 0, image.width, image.height);
  return { data, width: image.width, height: image.height };
}

/** What a phone would read from the PNG. */
export async function scan(input: Input, options?: CallOptions): Promise<string | undefined> {
  const pixels = await pixelsOf(input, options);
  return input.format && input.format !== "qr" ? zxing(pixels) : qr(pixels);
}

export function qr({ data, width, height }: Pixels): string | undefined {
  const bytes = jsqr.default(data, width, height)?.binaryData;
  return bytes && new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
}

prepareZXingModule({
  overrides: {
    wasmBinary: new Uint8Array(
      readFileSync(createRequire(import.meta.url).resolve("zxing-wasm/reader/zxing_reader.wasm")),
    ).buffer,
  },
});

/** The text of the only code in a picture, as ZXing reads it: as Latin-1 where the code does not say otherwise. */
async function zxing(pixels: Pixels): Promise<string | undefined> {
  return (await zxingResult(pixels))?.text;
}

export async function zxingResult({ data, width, height }: Pixels): Promise<ReadResult | undefined> {
  const image = { data, width, height, colorSpace: "srgb" as const };
  const results = await readBarcodes(image as Parameters<typeof readBarcodes>[0], {
    formats: ["QRCode", "Aztec", "DataMatrix", "PDF417"],
    characterSet: "ISO8859_1",
    textMode: "Plain",
  });
  return results.find(({ isValid }) => isValid);
}

/** The refusal of an input; fails when it is accepted or when something else is thrown. */
export async function refusal(input: unknown, options?: CallOptions): Promise<CapabilityError> {
  const error: unknown = await barcodeGenerate(input as Input, options).then(
    () => new Error("was accepted"),
    (thrown: unknown) => thrown,
  );
  if (CapabilityError.is(error)) return error;
  throw error;
}

/** A picture to put into codes: a white disc on orange. */
export function picture(width = 60, height = 60) {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext("2d");
  context.fillStyle = "#e17055";
  context.fillRect(0, 0, width, height);
  context.fillStyle = "white";
  context.arc(width / 2, height / 2, width / 4, 0, 2 * Math.PI);
  context.fill();
  return canvas;
}

/** Every element and attribute of an SVG. */
function partsOf(svg: string): { names: string[]; attributes: [string, string][] } {
  expect(XMLValidator.validate(svg)).toBe(true);
  const names: string[] = [];
  const attributes: [string, string][] = [];
  const walk = (nodes: Record<string, unknown>[]) => {
    for (const node of nodes)
      for (const [name, value] of Object.entries(node))
        if (name === ":@") attributes.push(...(Object.entries(value as object) as [string, string][]));
        else {
          names.push(name);
          if (Array.isArray(value)) walk(value);
        }
  };
  walk(new XMLParser({ preserveOrder: true, ignoreAttributes: false, attributeNamePrefix: "" }).parse(svg));
  return { names, attributes };
}

const ELEMENTS = ["svg", "path", "linearGradient", "radialGradient", "stop", "clipPath", "rect", "image"];

/** IN-12: parses as XML and holds nothing that runs or loads. */
export function expectSafeSvg(svg: string): void {
  const { names, attributes } = partsOf(svg);
  expect(ELEMENTS).toEqual(expect.arrayContaining([...new Set(names)]));
  for (const [name, value] of attributes) {
    expect(name).not.toMatch(/^on|^style$/i);
    if (name === "href") expect(value).toMatch(/^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/);
    else if (name !== "xmlns") expect(value).not.toMatch(/url\((?!#)|:|<|&/);
  }
}
