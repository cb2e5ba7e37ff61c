/** Feeds as they are found, made into XML that a strict reader takes. */
import { invalid } from "../../errors.js";
import { expandHtmlNames } from "./entities.js";

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 forbids these characters.
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

/**
 * Without a document type that declares nothing, without characters that XML forbids, with HTML's names and lone `&` written
 * out. Throws INVALID_INPUT for a document type with declarations.
 */
export function preparedXml(text: string): string {
  const plain = withoutDocumentType(text.replace(/^[\uFEFF\s]+/, "").replace(FORBIDDEN, ""));
  let prepared = "";
  let from = 0;
  // Sections of plain text and comments stay as they are.
  for (let start = nextSection(plain, 0); start >= 0; start = nextSection(plain, from)) {
    const isComment = plain.startsWith("<!--", start);
    const mark = isComment ? "-->" : "]]>";
    const end = plain.indexOf(mark, start + 4);
    if (end < 0) break;
    prepared += mended(plain.slice(from, start)) + (isComment ? "" : plain.slice(start, end + 3));
    from = end + 3;
  }
  return prepared + mended(plain.slice(from));
}

function nextSection(text: string, from: number): number {
  for (let at = text.indexOf("<!", from); at >= 0; at = text.indexOf("<!", at + 2))
    if (text.startsWith("<!--", at) || text.startsWith("<![CDATA[", at)) return at;
  return -1;
}

const mended = (text: string): string =>
  text.includes("&")
    ? expandHtmlNames(text).replace(/&(?!#\d{1,7};|#x[0-9a-f]{1,6};|(?:amp|lt|gt|quot|apos);)/gi, "&amp;")
    : text;

/** Parts that may precede the root: declarations, comments, and the beginning of a document type. */
const PROLOG = /\s*(?:<\?[^>]*>|<!--[\s\S]*?-->|(<!DOCTYPE))/iy;

/** The name and address of a document type are not read, so they may stand there. */
function withoutDocumentType(text: string): string {
  PROLOG.lastIndex = 0;
  for (let found = PROLOG.exec(text); found; found = PROLOG.exec(text)) {
    const [, type] = found;
    if (type === undefined) continue;
    const at = PROLOG.lastIndex - type.length;
    const end = text.indexOf(">", at);
    // guard: a feed declares no entities | never | feed
    if (end < 0 || text.slice(at, end).includes("["))
      throw invalid("", "has a document type with declarations, which is not read: leave out <!DOCTYPE … ]>");
    return text.slice(0, at) + text.slice(end + 1);
  }
  return text;
}
