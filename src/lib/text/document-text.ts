/** Text of a document whose characters it says itself, or does not say. */

export interface DocumentText {
  text: string;
  /** Label of the characters, in small letters. */
  charset: string;
}

const BOMS: readonly [readonly number[], string][] = [
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xfe, 0xff], "utf-16be"],
  [[0xff, 0xfe], "utf-16le"],
];
const HEAD = 400;

/**
 * By byte order mark, by the declaration of XML, or by what `declared` finds in the beginning; else UTF-8 if it is some,
 * else Windows-1252, in which any bytes are text.
 */
export function documentText(bytes: Uint8Array, declared?: (head: string) => string | undefined): DocumentText {
  const mark = BOMS.find(([start]) => start.every((byte, place) => bytes[place] === byte))?.[1];
  const head = Buffer.from(bytes.subarray(0, HEAD)).toString("latin1");
  const xml = /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w:.-]{1,40})["']/.exec(head)?.[1];
  for (const charset of [mark, xml ?? declared?.(head), "utf-8"]) {
    const text = charset === undefined ? undefined : decoded(bytes, charset);
    if (text !== undefined) return { text, charset: charset?.toLowerCase() ?? "" };
  }
  return { text: new TextDecoder("windows-1252").decode(bytes), charset: "windows-1252" };
}

/** Undefined for an unknown label, and for bytes that are no text of it. */
function decoded(bytes: Uint8Array, label: string): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
