import { crc32 } from "node:zlib";

/** A ZIP archive of texts by file name, stored without compression (APPNOTE.TXT, sections 4.3.7, 4.3.12 and 4.3.16). */
export function storedZip(texts: Record<string, string>): Uint8Array<ArrayBuffer> {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(texts)) {
    const [label, data] = [Buffer.from(name), Buffer.from(text)];
    // What the local header and the directory have in common: version 2.0, no flags, stored, no date.
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt32LE(crc32(data), 10);
    facts.writeUInt32LE(data.length, 14);
    facts.writeUInt32LE(data.length, 18);
    facts.writeUInt16LE(label.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    files.push(Buffer.from("PK\x03\x04"), facts, label, data);
    directory.push(Buffer.from("PK\x01\x02"), Buffer.from([20, 0]), facts, place, label);
    offset += 30 + label.length + data.length;
  }
  const count = Object.keys(texts).length;
  const end = Buffer.alloc(18);
  end.writeUInt16LE(count, 4);
  end.writeUInt16LE(count, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(offset, 12);
  return Uint8Array.from(Buffer.concat([...files, ...directory, Buffer.from("PK\x05\x06"), end]));
}
