/** Decodes a page: by its byte order mark, its header, its own declaration, or as UTF-8. */

const BOMS: readonly [readonly number[], string][] = [
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xfe, 0xff], "utf-16be"],
  [[0xff, 0xfe], "utf-16le"],
];
/** Browsers look for a declaration in this part of a page. */
const DECLARED_WITHIN = 1024;

export function decodePage(bytes: Uint8Array, contentType: string): string {
  return decode(bytes, contentType, /<meta[^>]{0,500}?charset\s*=\s*["']?([\w:.-]{1,40})/i);
}

/** The same for XML, which declares its encoding in its first line. */
export const decodeXml = (bytes: Uint8Array, contentType: string): string =>
  decode(bytes, contentType, /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w:.-]{1,40})/i);

function decode(bytes: Uint8Array, contentType: string, declaration: RegExp): string {
  const mark = BOMS.find(([start]) => start.every((byte, place) => bytes[place] === byte))?.[1];
  const header = /charset\s*=\s*["']?([\w:.-]{1,40})/i.exec(contentType)?.[1];
  const head = Buffer.from(bytes.subarray(0, DECLARED_WITHIN)).toString("latin1");
  const declared = declaration.exec(head)?.[1];
  for (const label of [mark, header, declared]) {
    if (!label) continue;
    try {
      return new TextDecoder(label).decode(bytes);
    } catch {
      // An unknown name: tries the next declaration.
    }
  }
  return new TextDecoder("utf-8").decode(bytes);
}
