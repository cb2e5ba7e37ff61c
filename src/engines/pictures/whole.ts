/** Whether all of a picture is there: decoders fill what is missing with blanks, which would count as alike. */
import { crc32 } from "node:zlib";

const PNG_START = "89504e470d0a1a0a";
const END_OF_JPEG = Buffer.from([0xff, 0xd9]);
const SCAN_OF_JPEG = 0xda;

/** False for a PNG or JPEG that breaks off, and for a PNG whose check sums are wrong. */
export function isWholePicture(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (buffer.toString("hex", 0, 8) === PNG_START) return isWholePng(buffer);
  const scan = firstScan(buffer);
  return scan !== undefined && buffer.includes(END_OF_JPEG, scan);
}

/**
 * Where a JPEG's first scan begins. Segments before it are skipped, because thumbnails in them have scans and ends of their own;
 * from there on the first end is the picture's, whatever a camera has written behind it.
 */
function firstScan(jpeg: Buffer): number | undefined {
  for (let at = 2; at + 4 <= jpeg.length && jpeg[at] === 0xff; ) {
    const marker = jpeg[at + 1];
    if (marker === SCAN_OF_JPEG) return at;
    // Any number of these may stand before a marker.
    at += marker === 0xff ? 1 : 2 + jpeg.readUInt16BE(at + 2);
  }
  return undefined;
}

/** Each chunk has its length, its name, its data and their sum; the last one is IEND. */
function isWholePng(buffer: Buffer): boolean {
  for (let at = 8; at + 12 <= buffer.length; ) {
    const end = at + 8 + buffer.readUInt32BE(at);
    if (end + 4 > buffer.length || crc32(buffer.subarray(at + 4, end)) !== buffer.readUInt32BE(end)) return false;
    if (buffer.toString("latin1", at + 4, at + 8) === "IEND") return true;
    at = end + 4;
  }
  return false;
}
