import { crc32, deflateRawSync } from "node:zlib";

/** A ZIP archive of texts by name, deflated; sizes stand behind each member, as archivers that stream write them. */
export function zipOf(files: Record<string, string>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const content = Buffer.from(text);
    const packed = deflateRawSync(content);
    const label = Buffer.from(name);
    const sizes = numbers32(crc32(content), packed.length, content.length);
    const start = Buffer.concat([numbers16(20, 8, 8, 0, 0), numbers32(0, 0, 0), numbers16(label.length, 0)]);
    const member = Buffer.concat([Buffer.from("PK\x03\x04"), start, label, packed, Buffer.from("PK\x07\x08"), sizes]);
    parts.push(member);
    directory.push(
      Buffer.from("PK\x01\x02"),
      numbers16(20, 20, 8, 8, 0, 0),
      sizes,
      numbers16(label.length, 0, 0, 0, 0),
      numbers32(0, offset),
      label,
    );
    offset += member.length;
  }
  const count = Object.keys(files).length;
  const index = Buffer.concat(directory);
  const end = [numbers16(0, 0, count, count), numbers32(index.length, offset), numbers16(0)];
  return Buffer.concat([...parts, index, Buffer.from("PK\x05\x06"), ...end]);
}

const numbers16 = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer);
const numbers32 = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer);
