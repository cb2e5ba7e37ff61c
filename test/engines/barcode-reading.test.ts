import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { barcodeGenerate, barcodeRead } from "../../src/capabilities/barcode/index.js";
import { readHarder } from "../../src/engines/barcode-reading/attempts.js";
import { readCodes } from "../../src/engines/barcode-reading/zxing.js";
import { decodePicture } from "../../src/engines/pictures/decode.js";

const blank = (width: number, height: number) => ({
  data: new Uint8ClampedArray(width * height * 4).fill(255),
  width,
  height,
});

async function hello() {
  const { body } = await barcodeGenerate({ data: { type: "text", text: "hello" }, output: "png", size: 200 });
  return decodePicture(Buffer.from(body), "image", "white");
}

it("a picture of a few lines breaks no memory: the next one is read as ever", async () => {
  for (const [width, height] of [
    [2000, 3],
    [2000, 9],
    [455, 1],
    [1, 212],
    [1, 1],
  ] as const)
    expect(await readHarder(blank(width, height), { formats: [] })).toEqual([]);
  expect((await readHarder(await hello(), { formats: [] })).map(({ text }) => text)).toEqual(["hello"]);
});

it("a picture that the library fails over has no codes, and the library is loaded anew", async () => {
  // This option writes beside the library's memory for a picture of three lines.
  expect(await readCodes(blank(2000, 3), { formats: [], tryDenoise: true })).toEqual([]);
  expect((await readCodes(await hello(), { formats: [] })).map(({ text }) => text)).toEqual(["hello"]);
});

it.each([
  ["upce-3-04", "04965802"],
  ["upce-3-08", "04965802"],
])("a pale code on a shining tin is read: %s of ZXing's pictures", async (name, text) => {
  const image = readFileSync(new URL(`../suites/trade/zxing/${name}.png`, import.meta.url)).toString("base64");
  expect((await barcodeRead({ image })).items).toMatchObject([{ format: "UPCE", text }]);
});
