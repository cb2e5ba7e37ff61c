import { readFileSync } from "node:fs";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import { describe, expect, it } from "vitest";
import { imageCompare } from "../../../src/capabilities/image/index.js";
import type { CapabilityError } from "../../../src/errors.js";

type Input = Parameters<typeof imageCompare>[0];

async function compare(input: Input) {
  const { items } = await imageCompare(input);
  const [item] = items;
  if (!item) throw new Error("no item");
  return item;
}

/** pixelmatch's own pictures. */
const fixture = (name: string): string =>
  readFileSync(new URL(`../../suites/trade/pixelmatch/${name}.png`, import.meta.url)).toString("base64");

function square(size: number, colour: string): string {
  const canvas = createCanvas(size, size);
  const context = canvas.getContext("2d");
  context.fillStyle = "white";
  context.fillRect(0, 0, size, size);
  context.fillStyle = colour;
  context.fillRect(size / 4, size / 4, size / 2, size / 2);
  return canvas.toBuffer("image/png").toString("base64");
}

describe("image.compare", () => {
  it("tells that a picture is itself", async () => {
    const { items, meta } = await imageCompare({ a: square(40, "teal"), b: square(40, "teal"), threshold: 0 });
    expect(items).toEqual([
      {
        ...{ sameSize: true, width: 40, height: 40, other: { width: 40, height: 40 }, differentPixels: 0 },
        ...{ differentShare: 0, ssim: 1, perceptualDistance: 0, diffImage: null },
      },
    ]);
    expect(meta).toMatchObject({ method: { engine: "pixelmatch", version: "7.2.0" } });
  });

  it.each([
    ["1a", "1b", 0.05, 143],
    ["1a", "1b", 0.1, 106],
    ["1a", "1a", 0, 0],
    ["3a", "3b", 0.05, 212],
    ["7a", "7b", 0.1, 2448],
    ["8a", "5b", 0.05, 32896],
  ])("counts %s and %s at %d as pixelmatch's tests do", async (a, b, threshold, count) => {
    expect((await compare({ a: fixture(a), b: fixture(b), threshold })).differentPixels).toBe(count);
  });

  it("refuses a picture of which a part is missing, and does not call it alike", async () => {
    const bytes = Buffer.from(fixture("1a"), "base64");
    const canvas = createCanvas(64, 64);
    const jpeg = canvas.toBuffer("image/jpeg");
    const changed = Buffer.from(bytes);
    changed[bytes.length >> 1] = (changed[bytes.length >> 1] ?? 0) ^ 1;
    // A thumbnail in front of it is whole.
    const thumbnail = Buffer.concat([Buffer.from([0xff, 0xe1, (jpeg.length + 2) >> 8, (jpeg.length + 2) & 255]), jpeg]);
    const withThumbnail = Buffer.concat([jpeg.subarray(0, 2), thumbnail, jpeg.subarray(2)]);
    const damaged = [
      ...[bytes.subarray(0, -1), bytes.subarray(0, bytes.length >> 1), changed],
      ...[jpeg.subarray(0, -2), withThumbnail.subarray(0, -2)],
    ];
    for (const part of damaged)
      await expect(compare({ a: fixture("1a"), b: part.toString("base64") })).rejects.toMatchObject({
        issues: [{ path: "b", message: expect.stringContaining("damaged or incomplete") }],
      });
    // Telephones write a film behind a photo, with any bytes in it.
    for (const whole of [Buffer.concat([jpeg, Buffer.from([0xff, 0xd9, 0xff, 0xda, 0])]), withThumbnail])
      expect(await compare({ a: whole.toString("base64"), b: jpeg.toString("base64") })).toMatchObject({
        differentPixels: 0,
      });
  });

  it("draws the differences in red", async () => {
    const a = square(40, "white");
    const item = await compare({ a, b: square(40, "black"), diff: true });
    expect(item).toMatchObject({ differentPixels: 400, differentShare: 0.25 });
    const image = await loadImage(Buffer.from(item.diffImage ?? "", "base64"));
    const context = createCanvas(40, 40).getContext("2d");
    context.drawImage(image, 0, 0);
    expect([...context.getImageData(20, 20, 1, 1).data]).toEqual([255, 0, 0, 255]);
    expect([...context.getImageData(2, 2, 1, 1).data]).toEqual([255, 255, 255, 255]);
  });

  it("counts smoothed edges only when it is asked to", async () => {
    const [a, b] = [fixture("1a"), fixture("1b")];
    const plain = await compare({ a, b });
    const all = await compare({ a, b, includeAntialiasing: true });
    expect(all.differentPixels).toBeGreaterThan(plain.differentPixels ?? 0);
  });

  it("compares pictures of two sizes by what they show", async () => {
    const item = await compare({ a: square(40, "navy"), b: square(160, "navy"), diff: true });
    expect(item).toMatchObject({
      ...{ sameSize: false, width: 40, height: 40, other: { width: 160, height: 160 }, differentPixels: null },
      ...{ differentShare: null, ssim: null, diffImage: null },
    });
    expect(item.perceptualDistance).toBeLessThan(8);
    expect((await compare({ a: fixture("1a"), b: fixture("7a") })).perceptualDistance).toBeGreaterThan(16);
  });

  it("measures likeness: more change is less like", async () => {
    const a = square(64, "black");
    const slight = await compare({ a, b: square(64, "#222") });
    const strong = await compare({ a, b: square(64, "#ccc") });
    expect(slight.ssim).toBeLessThan(1);
    expect(strong.ssim ?? 1).toBeLessThan(slight.ssim ?? 0);
  });

  const small = square(8, "red");
  const huge = Buffer.from(`89504e470d0a1a0a0000000d49484452${"0000ea60".repeat(2)}080200000000000000`, "hex").toString(
    "base64",
  );
  const webp = Buffer.from(
    "RIFF\x24\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00\x07\x00\x00\x07\x00\x00",
    "latin1",
  );
  it.each([
    [{ b: small }, "a"],
    [{ a: small }, "b"],
    [{ a: "", b: small }, "a"],
    [{ a: small, b: "%%%" }, "b"],
    [{ a: small, b: huge }, "b"],
    [{ a: Buffer.from("<svg/>").toString("base64"), b: small }, "a"],
    [{ a: webp.toString("base64"), b: small }, "a"],
    [{ a: small, b: Buffer.from(small, "base64").subarray(0, 50).toString("base64") }, "b"],
    [{ a: small, b: small, threshold: 2 }, "threshold"],
    [{ a: small, b: small, threshold: -0.1 }, "threshold"],
    [{ a: "A".repeat(4_000_200), b: small }, "a"],
  ])("refuses %# at %s", async (input, path) => {
    await expect(imageCompare(input as Input)).rejects.toSatisfy(
      (error: CapabilityError) => error.status === 400 && error.issues?.[0]?.path === path,
    );
  });
});
