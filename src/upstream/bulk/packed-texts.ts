/** Many short texts in one block of memory, which takes a fraction of the memory of strings or objects. */

const FIRST_BYTES = 64 * 1024;

export interface PackedTexts {
  /** The text of a row by its number; "" if there is none. */
  at(row: number): string;
}

export interface TextPacker {
  /** Returns the number of the row. */
  add(text: string): number;
  finish(): PackedTexts;
}

export function packTexts(): TextPacker {
  let bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  let used = 0;
  const ends: number[] = [];
  return {
    add(text) {
      const end = used + Buffer.byteLength(text);
      if (end > bytes.length) bytes = copyOf(bytes, Math.max(end, bytes.length * 2));
      bytes.write(text, used);
      used = end;
      return ends.push(end) - 1;
    },
    finish: () => unpack(copyOf(bytes, used), Uint32Array.from(ends)),
  };
}

/** The first `size` bytes. */
function copyOf(bytes: Buffer, size: number) {
  const copy = Buffer.allocUnsafeSlow(size);
  bytes.copy(copy);
  return copy;
}

function unpack(bytes: Buffer, ends: Uint32Array): PackedTexts {
  return {
    at: (row) => bytes.toString("utf8", ends[row - 1] ?? 0, ends[row] ?? 0),
  };
}
