import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assertSafeImage, inspectImage } from "../../../src/upstream/input/image.js";

const ascii = (text: string) => Buffer.from(text, "latin1");
const u16le = (value: number) => Buffer.from([value & 0xff, value >> 8]);
const u24le = (value: number) => Buffer.from([value & 0xff, (value >> 8) & 0xff, value >> 16]);
const u16be = (value: number) => Buffer.from([value >> 8, value & 0xff]);
function u32be(value: number) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
function u32le(value: number) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

const pngChunk = (name: string, data: Buffer) =>
  Buffer.concat([u32be(data.length), ascii(name), data, Buffer.alloc(4)]);
const png = (width: number, height: number, ...chunks: Buffer[]) =>
  Buffer.concat([
    ascii("\x89PNG\r\n\x1a\n"),
    pngChunk("IHDR", Buffer.concat([u32be(width), u32be(height), Buffer.from([8, 6, 0, 0, 0])])),
    ...chunks,
    pngChunk("IEND", Buffer.alloc(0)),
  ]);

const jpegSegment = (marker: number, data: Buffer) =>
  Buffer.concat([Buffer.from([0xff, marker]), u16be(data.length + 2), data]);
const jpeg = (width: number, height: number, options: { sof?: number; before?: Buffer } = {}) =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xe0, ascii("JFIF\0\x01\x01\0\0\x01\0\x01\0\0")),
    options.before ?? Buffer.alloc(0),
    jpegSegment(options.sof ?? 0xc0, Buffer.concat([Buffer.from([8]), u16be(height), u16be(width), Buffer.alloc(10)])),
    jpegSegment(0xda, Buffer.alloc(10)),
    Buffer.from([0xff, 0xd9]),
  ]);

const gifFrame = (at: { left: number; top: number; width: number; height: number }) =>
  Buffer.concat([
    Buffer.from([0x21, 0xf9, 4, 0, 0, 0, 0, 0]),
    Buffer.from([0x2c]),
    u16le(at.left),
    u16le(at.top),
    u16le(at.width),
    u16le(at.height),
    Buffer.from([0x80]), // a local color table of two entries
    Buffer.alloc(6),
    Buffer.from([2, 2, 0x4c, 0x01, 0]),
  ]);
const gif = (width: number, height: number, frames: Buffer[]) =>
  Buffer.concat([
    ascii("GIF89a"),
    u16le(width),
    u16le(height),
    Buffer.from([0x81, 0, 0]), // a global color table of four entries
    Buffer.alloc(12),
    ...frames,
    Buffer.from([0x3b]),
  ]);
const smallFrame = gifFrame({ left: 0, top: 0, width: 2, height: 2 });

const riffChunk = (name: string, data: Buffer) =>
  Buffer.concat([ascii(name), u32le(data.length), data, Buffer.alloc(data.length % 2)]);
function webp(...chunks: Buffer[]) {
  const body = Buffer.concat([ascii("WEBP"), ...chunks]);
  return Buffer.concat([ascii("RIFF"), u32le(body.length), body]);
}
const vp8 = (width: number, height: number) =>
  riffChunk("VP8 ", Buffer.concat([Buffer.from([0x30, 1, 0, 0x9d, 1, 0x2a]), u16le(width), u16le(height)]));
const vp8l = (width: number, height: number) =>
  riffChunk("VP8L", Buffer.concat([Buffer.from([0x2f]), u32le(((width - 1) | ((height - 1) << 14)) >>> 0)]));
const vp8x = (width: number, height: number) =>
  riffChunk("VP8X", Buffer.concat([Buffer.from([2, 0, 0, 0]), u24le(width - 1), u24le(height - 1)]));
const anmf = (width: number, height: number) =>
  riffChunk(
    "ANMF",
    Buffer.concat([Buffer.alloc(6), u24le(width - 1), u24le(height - 1), Buffer.alloc(4), vp8(width, height)]),
  );

const samples = {
  png: png(640, 480),
  jpeg: jpeg(640, 480),
  gif: gif(640, 480, [smallFrame, smallFrame, smallFrame]),
  webp: webp(vp8x(640, 480), anmf(640, 480), anmf(10, 10)),
};

describe("inspectImage", () => {
  it("reads type, size and frames of each format", () => {
    expect(inspectImage(samples.png)).toEqual({
      type: "png",
      mimeType: "image/png",
      width: 640,
      height: 480,
      frames: 1,
    });
    expect(inspectImage(samples.jpeg)).toMatchObject({ mimeType: "image/jpeg", width: 640, height: 480, frames: 1 });
    expect(inspectImage(samples.gif)).toMatchObject({ mimeType: "image/gif", width: 640, height: 480, frames: 3 });
    expect(inspectImage(samples.webp)).toMatchObject({ mimeType: "image/webp", width: 640, height: 480, frames: 2 });
  });

  it("reads both kinds of still WebP", () => {
    expect(inspectImage(webp(vp8(1234, 567)))).toMatchObject({ type: "webp", width: 1234, height: 567, frames: 1 });
    expect(inspectImage(webp(vp8l(16384, 3)))).toMatchObject({ type: "webp", width: 16384, height: 3, frames: 1 });
  });

  it("counts the frames of an animated PNG, announced or not", () => {
    const frame = pngChunk("fcTL", Buffer.alloc(26));
    const announced = pngChunk("acTL", Buffer.concat([u32be(7), u32be(0)]));
    expect(inspectImage(png(2, 2, frame, frame, frame))?.frames).toBe(3);
    expect(inspectImage(png(2, 2, announced, frame))?.frames).toBe(7);
  });

  it("finds a JPEG's size behind other segments, fill bytes and in a progressive frame", () => {
    // The thumbnail inside an Exif segment has a frame header of its own, which must not count.
    const exif = jpegSegment(0xe1, jpeg(9999, 9999));
    const huffman = jpegSegment(0xc4, Buffer.alloc(20));
    const before = Buffer.concat([exif, huffman, Buffer.from([0xff, 0xff, 0xff])]);
    expect(inspectImage(jpeg(31, 17, { sof: 0xc2, before }))).toMatchObject({ width: 31, height: 17 });
  });

  it("reports the canvas that a decoder would need, not the smaller one that the header claims", () => {
    const far = gifFrame({ left: 60000, top: 100, width: 5000, height: 7 });
    expect(inspectImage(gif(2, 2, [far]))).toMatchObject({ width: 65000, height: 107 });
    expect(inspectImage(webp(vp8x(2, 2), anmf(9000, 10)))).toMatchObject({ width: 9000, height: 10 });
    expect(inspectImage(webp(vp8x(2, 2), vp8(9000, 10)))).toMatchObject({ width: 9000, height: 10 });
  });

  it("reads a view into a larger buffer", () => {
    const padded = Buffer.concat([Buffer.alloc(5), samples.png, Buffer.alloc(5)]);
    const view = new Uint8Array(padded.buffer, padded.byteOffset + 5, samples.png.length);
    expect(inspectImage(view)).toMatchObject({ type: "png", width: 640 });
  });

  it.each(Object.entries(samples))("takes %s cut off anywhere without a throw", (type, bytes) => {
    for (let length = 0; length < bytes.length; length++) {
      const image = inspectImage(bytes.subarray(0, length));
      if (image) expect(image).toMatchObject({ type, width: 640, height: 480 });
    }
    expect(inspectImage(bytes.subarray(0, 8))).toBeUndefined();
  });

  it("takes any bytes behind a good signature without a throw", () => {
    const heads = Object.values(samples).flatMap((bytes) => [bytes.subarray(0, 12), bytes.subarray(0, 33), bytes]);
    const hostile = fc
      .tuple(fc.constantFrom(...heads), fc.uint8Array({ maxLength: 600 }))
      .map(([head, tail]) => Buffer.concat([head, tail]));
    fc.assert(
      fc.property(hostile, (bytes) => {
        const image = inspectImage(bytes);
        return !image || (image.width > 0 && image.height > 0 && image.frames > 0);
      }),
      { numRuns: 3000 },
    );
  });

  it("takes good files with single bytes changed without a throw", () => {
    const mutated = fc
      .tuple(fc.constantFrom(...Object.values(samples)), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 }))
      .map(([bytes, changes]) => {
        const copy = Uint8Array.from(bytes);
        for (const [at, value] of changes) copy[at % copy.length] = value;
        return copy;
      });
    fc.assert(
      fc.property(mutated, (bytes) => {
        inspectImage(bytes);
      }),
      { numRuns: 3000 },
    );
  });

  it("reads every byte at most a few times, whatever the blocks claim", () => {
    const hostile = [
      Buffer.concat([png(2, 2).subarray(0, 33), Buffer.alloc(100_000)]), // chunks of length 0
      Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(100_000, 0xff)]),
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), ...Array(25_000).fill(Buffer.from([0xe1, 0, 0, 0xff]))]),
      Buffer.concat([gif(2, 2, []).subarray(0, 25), ...Array(30_000).fill(Buffer.from([0x21, 0xf9, 0]))]),
      Buffer.concat([webp(vp8(2, 2)), Buffer.alloc(100_000)]),
    ];
    for (const bytes of hostile) {
      const reads = countReads(() => inspectImage(bytes));
      expect(reads).toBeGreaterThan(0);
      expect(reads).toBeLessThan(20 * bytes.length);
    }
  });
});

/** How often the code under test read from any DataView while `run` ran. */
function countReads(run: () => void): number {
  const original = DataView.prototype.getUint8;
  let reads = 0;
  DataView.prototype.getUint8 = function (this: DataView, at: number) {
    reads++;
    return original.call(this, at);
  };
  try {
    run();
  } finally {
    DataView.prototype.getUint8 = original;
  }
  return reads;
}

describe("SSRF-10 assertSafeImage", () => {
  const refusal = (message: RegExp) =>
    expect.objectContaining({
      code: "INVALID_INPUT",
      issues: [{ path: "style.logo.source", message: expect.stringMatching(message) }],
    });
  const check = (bytes: Uint8Array) => () => assertSafeImage(bytes, "style.logo.source");

  it("lets 25 megapixels pass and no more", () => {
    expect(check(png(5000, 5000))()).toMatchObject({ width: 5000 });
    expect(check(png(5001, 5000))).toThrow(refusal(/5001 x 5000/));
    expect(check(png(60000, 60000))).toThrow(refusal(/25 megapixels/));
    expect(check(png(0xffffffff, 0xffffffff))).toThrow(refusal(/25 megapixels/));
    expect(check(jpeg(65535, 65535))).toThrow(refusal(/25 megapixels/));
    expect(check(webp(vp8x(16777216, 2)))).toThrow(refusal(/25 megapixels/));
  });

  it("lets 100 frames pass and no more", () => {
    expect(check(gif(2, 2, Array(100).fill(smallFrame)))()).toMatchObject({ frames: 100 });
    expect(check(gif(2, 2, Array(101).fill(smallFrame)))).toThrow(refusal(/100 frames/));
    expect(check(gif(2, 2, Array(30_000).fill(smallFrame)))).toThrow(refusal(/100 frames/));
    expect(check(webp(vp8x(2, 2), ...Array(101).fill(anmf(2, 2))))).toThrow(refusal(/100 frames/));
    expect(check(png(2, 2, ...Array(101).fill(pngChunk("fcTL", Buffer.alloc(26)))))).toThrow(refusal(/100 frames/));
  });

  it.each([
    ["SVG", "<svg xmlns='http://www.w3.org/2000/svg'><image href='http://169.254.169.254/'/></svg>"],
    ["SVG behind an XML declaration", "<?xml version='1.0'?><svg/>"],
    ["HTML", "<html>not a png</html>"],
    ["BMP", "BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x02\0\0\0\x02\0\0\0"],
    ["PNG whose first chunk is not IHDR", "\x89PNG\r\n\x1a\n\0\0\0\x0dIDAT\0\0\0\x02\0\0\0\x02\x08\x06\0\0\0\0\0\0\0"],
    ["nothing", ""],
  ])("refuses %s", (_, content) => {
    expect(check(ascii(content))).toThrow(refusal(/PNG, JPEG, GIF or WebP/));
  });

  it("refuses an image without an extent", () => {
    expect(check(png(0, 10))).toThrow(refusal(/PNG, JPEG/));
    expect(check(jpeg(10, 0))).toThrow(refusal(/PNG, JPEG/));
  });
});
