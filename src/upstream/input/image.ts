/** Type, size and frame count of an image, read from its headers and block structure; pixels are never decoded. */
import { invalid } from "../../errors.js";

export interface ImageInfo {
  type: "png" | "jpeg" | "gif" | "webp";
  mimeType: string;
  /** In pixels. If parts of a file disagree, the largest, because a decoder might allocate that. */
  width: number;
  height: number;
  /** 1 for a still image. */
  frames: number;
}

type Measured = Pick<ImageInfo, "width" | "height" | "frames">;

const MAX_PIXELS = 25_000_000;
const MAX_FRAMES = 100;

/** An image that is safe to decode. Throws INVALID_INPUT naming `field` otherwise, and for every SVG. */
export function assertSafeImage(bytes: Uint8Array, field: string): ImageInfo {
  const image = inspectImage(bytes);
  if (!image) throw invalid(field, "must be a PNG, JPEG, GIF or WebP image (SVG is not accepted)");
  if (image.width * image.height > MAX_PIXELS)
    throw invalid(field, `is ${image.width} x ${image.height} pixels; at most 25 megapixels are accepted`);
  if (image.frames > MAX_FRAMES) throw invalid(field, `has more than ${MAX_FRAMES} frames`);
  return image;
}

/**
 * Declared type and size of an image; undefined if it is none of the four types or its header is truncated or empty. A
 * truncated body is allowed: the frames up to its end are counted.
 */
export function inspectImage(bytes: Uint8Array): ImageInfo | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const { type, signature, measure } of FORMATS) {
    if (!signature(view)) continue;
    const measured = measure(view);
    if (!measured || measured.width === 0 || measured.height === 0) return undefined;
    return { type, mimeType: `image/${type}`, ...measured };
  }
  return undefined;
}

interface Format {
  type: ImageInfo["type"];
  signature(view: DataView): boolean;
  measure(view: DataView): Measured | undefined;
}

const FORMATS: readonly Format[] = [
  { type: "png", signature: (view) => hasBytes(view, 0, "\x89PNG\r\n\x1a\n"), measure: measurePng },
  { type: "jpeg", signature: (view) => hasBytes(view, 0, "\xff\xd8\xff"), measure: measureJpeg },
  { type: "gif", signature: (view) => hasBytes(view, 0, "GIF87a") || hasBytes(view, 0, "GIF89a"), measure: measureGif },
  { type: "webp", signature: (view) => hasBytes(view, 0, "RIFF") && hasBytes(view, 8, "WEBP"), measure: measureWebp },
];

/** PNG, third edition, 5.3: chunks of length, name, data and checksum; IHDR comes first. */
function measurePng(view: DataView): Measured | undefined {
  if (view.byteLength < 33 || !hasBytes(view, 12, "IHDR")) return undefined;
  let announced = 1;
  let frames = 0;
  for (let at = 8; at + 8 <= view.byteLength; at += 12 + view.getUint32(at)) {
    if (hasBytes(view, at + 4, "acTL") && at + 12 <= view.byteLength) announced = view.getUint32(at + 8);
    if (hasBytes(view, at + 4, "fcTL")) frames++;
  }
  return { width: view.getUint32(16), height: view.getUint32(20), frames: Math.max(1, announced, frames) };
}

/** ITU T.81 B.1.1: markers with a length each; the frame header (SOFn) contains the size. */
function measureJpeg(view: DataView): Measured | undefined {
  let at = 2;
  while (at + 9 <= view.byteLength) {
    const marker = view.getUint8(at + 1);
    if (view.getUint8(at) !== 0xff || marker === 0xff || marker === 0x00) {
      at++; // Fill bytes and stray ones before a marker are skipped, as decoders do.
      continue;
    }
    if (isFrameHeader(marker)) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5), frames: 1 };
    if (marker === START_OF_SCAN || marker === END_OF_IMAGE) return undefined;
    at += isStandalone(marker) ? 2 : 2 + Math.max(2, view.getUint16(at + 2));
  }
  return undefined;
}

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;

/** SOF0 to SOF15, without the three of that range with another meaning: DHT, JPG, DAC. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** TEM, RSTn and SOI have no length. */
function isStandalone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}

/** GIF89a 17 to 27: a logical screen, then extensions and images, whose data are chains of sub-blocks. */
function measureGif(view: DataView): Measured | undefined {
  if (view.byteLength < 13) return undefined;
  let width = view.getUint16(6, true);
  let height = view.getUint16(8, true);
  let frames = 0;
  let at = 13 + colorTableBytes(view.getUint8(10));
  while (at + 10 <= view.byteLength) {
    const introducer = view.getUint8(at);
    if (introducer === 0x21) {
      at = skipSubBlocks(view, at + 2);
    } else if (introducer === 0x2c) {
      frames++;
      // An image may exceed the logical screen; decoders enlarge the canvas for it.
      width = Math.max(width, view.getUint16(at + 1, true) + view.getUint16(at + 5, true));
      height = Math.max(height, view.getUint16(at + 3, true) + view.getUint16(at + 7, true));
      at = skipSubBlocks(view, at + 11 + colorTableBytes(view.getUint8(at + 9)));
    } else break;
  }
  return { width, height, frames: Math.max(1, frames) };
}

function colorTableBytes(packed: number): number {
  return packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0;
}

function skipSubBlocks(view: DataView, start: number): number {
  let at = start;
  while (at < view.byteLength) {
    const size = view.getUint8(at);
    at += 1 + size;
    if (size === 0) break;
  }
  return at;
}

/** RFC 9649 section 2: RIFF chunks, padded to even length; the first tells which of three kinds the file is. */
function measureWebp(view: DataView): Measured | undefined {
  let largest: Measured | undefined;
  let frames = 0;
  for (let at = 12; at + 8 <= view.byteLength; ) {
    if (hasBytes(view, at, "ANMF")) frames++;
    const size = webpChunkSize(view, at);
    if (!size && !largest) return undefined;
    if (size)
      largest = {
        width: Math.max(size.width, largest?.width ?? 0),
        height: Math.max(size.height, largest?.height ?? 0),
        frames: 1,
      };
    const length = view.getUint32(at + 4, true);
    at += 8 + length + (length % 2);
  }
  return largest && { ...largest, frames: Math.max(1, frames) };
}

/** The size declared by a WebP chunk at `at`: the canvas (VP8X), a frame's far corner (ANMF), or a bitstream. */
function webpChunkSize(view: DataView, at: number): { width: number; height: number } | undefined {
  const data = at + 8;
  if (hasBytes(view, at, "VP8X") && data + 10 <= view.byteLength)
    return { width: uint24(view, data + 4) + 1, height: uint24(view, data + 7) + 1 };
  if (hasBytes(view, at, "ANMF") && data + 12 <= view.byteLength) {
    const left = 2 * uint24(view, data);
    const top = 2 * uint24(view, data + 3);
    return { width: left + uint24(view, data + 6) + 1, height: top + uint24(view, data + 9) + 1 };
  }
  if (hasBytes(view, at, "VP8 ") && hasBytes(view, data + 3, "\x9d\x01\x2a") && data + 10 <= view.byteLength)
    return { width: view.getUint16(data + 6, true) & 0x3fff, height: view.getUint16(data + 8, true) & 0x3fff };
  if (hasBytes(view, at, "VP8L") && hasBytes(view, data, "\x2f") && data + 5 <= view.byteLength) {
    const bits = view.getUint32(data + 1, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  return undefined;
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000;
}

/** Whether the bytes at `at` are these characters, each code one byte. False if they would exceed the end. */
function hasBytes(view: DataView, at: number, characters: string): boolean {
  if (at + characters.length > view.byteLength) return false;
  for (let i = 0; i < characters.length; i++) {
    if (view.getUint8(at + i) !== characters.charCodeAt(i)) return false;
  }
  return true;
}
