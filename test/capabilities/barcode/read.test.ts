import { createCanvas, loadImage } from "@napi-rs/canvas";
import { describe, expect, it } from "vitest";
import { barcodeRead } from "../../../src/capabilities/barcode/index.js";
import type { CapabilityError } from "../../../src/errors.js";
import { type Input, picture, pixelsOf } from "./_readers.js";

type Question = Parameters<typeof barcodeRead>[0];

async function pngOf(input: Input): Promise<string> {
  const { barcodeGenerate } = await import("../../../src/capabilities/barcode/index.js");
  const { body } = await barcodeGenerate({ ...input, output: "png" });
  return Buffer.from(body).toString("base64");
}

async function read(input: Input, question: Partial<Question> = {}) {
  const { items } = await barcodeRead({ image: await pngOf(input), ...question });
  return items;
}

const text = (words: string): Input["data"] => ({ type: "text", text: words });

describe("barcode.read", () => {
  it("reads what barcode.generate draws, and says where it is", async () => {
    const [item, ...more] = await read({ data: text("hello"), size: 290, margin: 4, errorCorrection: "Q" });
    expect(more).toEqual([]);
    expect(item).toMatchObject({
      text: "hello",
      format: "QRCode",
      bytes: Buffer.from("hello").toString("base64"),
      errorCorrection: "Q",
      isInverted: false,
      payload: null,
    });
    for (const [at, [x, y]] of [
      [40, 40],
      [250, 40],
      [250, 250],
      [40, 250],
    ].entries()) {
      expect(Math.abs((item?.corners[at]?.x ?? 0) - (x ?? 0))).toBeLessThan(8);
      expect(Math.abs((item?.corners[at]?.y ?? 0) - (y ?? 0))).toBeLessThan(8);
    }
  });

  it("understands the codes of payments and of products", async () => {
    const { paymentQr } = await import("../../../src/capabilities/payment/index.js");
    const { items } = await paymentQr({
      scheme: "epc",
      iban: "DE89370400440532013000",
      creditor: { name: "A" },
      amount: "1.5",
    });
    const [payment] = await read({ data: text(items[0]?.text ?? "") });
    expect(payment?.payload).toMatchObject({ type: "payment", scheme: "epc", valid: true, amount: "1.50" });
    const [link] = await read({ data: { type: "url", url: "https://id.gs1.org/01/09521234543213/10/ABC" } });
    expect(link?.payload).toMatchObject({ type: "gs1", valid: true, bracketed: "(01)09521234543213(10)ABC" });
  });

  it("reads several codes of one picture, up to the limit", async () => {
    const sheet = createCanvas(600, 320);
    const context = sheet.getContext("2d");
    context.fillStyle = "white";
    context.fillRect(0, 0, 600, 320);
    for (const [at, format] of (["qr", "datamatrix"] as const).entries()) {
      const code = await loadImage(Buffer.from(await pngOf({ format, data: text(`code ${at}`), size: 250 }), "base64"));
      context.drawImage(code, 20 + at * 300, 20);
    }
    const image = sheet.toBuffer("image/png").toString("base64");
    const { items } = await barcodeRead({ image });
    expect(items.map((item) => item.text).sort()).toEqual(["code 0", "code 1"]);
    expect(await barcodeRead({ image, limit: 1 })).toMatchObject({ total: 1, items: [{}] });
    expect((await barcodeRead({ image, formats: ["Data Matrix"] })).items.map((item) => item.text)).toEqual(["code 1"]);
  });

  it.each([
    ["image/jpeg", "jpeg"],
    ["image/webp", "webp"],
  ] as const)("reads %s", async (_type, kind) => {
    const { data, width, height } = await pixelsOf({ data: text("hello"), size: 200 });
    const canvas = createCanvas(width, height);
    const context = canvas.getContext("2d");
    const image = context.createImageData(width, height);
    image.data.set(data);
    context.putImageData(image, 0, 0);
    const bytes = await canvas.encode(kind);
    expect((await barcodeRead({ image: bytes.toString("base64") })).items[0]?.text).toBe("hello");
    expect((await barcodeRead({ image: `data:${_type};base64,${bytes.toString("base64")}` })).items).toHaveLength(1);
  });

  it("answers of a picture without codes that there are none", async () => {
    const blank = picture(200, 200).toBuffer("image/png").toString("base64");
    expect((await barcodeRead({ image: blank })).items).toEqual([]);
  });

  const wide = Buffer.from(
    "89504e470d0a1a0a0000000d49484452" + "0000ea60" + "0000ea60" + "0802000000" + "00000000",
    "hex",
  ).toString("base64");
  const broken = Buffer.from(picture(60, 60).toBuffer("image/png").subarray(0, 60)).toString("base64");
  it.each([
    [{}, "image"],
    [{ image: "" }, "image"],
    [{ image: "!!!" }, "image"],
    [{ image: Buffer.from("<svg/>").toString("base64") }, "image"],
    [{ image: Buffer.from("%PDF-1.7").toString("base64") }, "image"],
    [{ image: wide }, "image"],
    [{ image: broken }, "image"],
    [{ image: "A".repeat(4_000_200) }, "image"],
    [{ image: wide, url: "https://example.com/a.png" }, "url"],
    [{ url: "http://127.0.0.1/a.png" }, "url"],
    [{ url: "file:///etc/passwd" }, "url"],
    [{ image: wide, formats: ["klingon"] }, "formats.0"],
    [{ image: wide, limit: 0 }, "limit"],
    [{ image: wide, limit: 21 }, "limit"],
  ])("refuses %# at %s", async (input, path) => {
    await expect(barcodeRead(input as Question)).rejects.toSatisfy(
      (error: CapabilityError) => error.status === 400 && error.issues?.[0]?.path === path,
    );
  });
});
