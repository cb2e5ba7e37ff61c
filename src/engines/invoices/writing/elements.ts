/** XML of known elements, as text. Members that say nothing are left out, and so are elements of nothing but such. */

export type Content = string | null | undefined | Content[];

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
/** Characters that no XML document may have, not even escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for.
const ILLEGAL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

// guard: invoices: names are never markup |
//   - .replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? "") | invoices/writing
const escaped = (text: string): string => text.replace(ILLEGAL, "").replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? "");

const joined = (content: Content): string => (Array.isArray(content) ? content.map(joined).join("") : (content ?? ""));

/** Text between tags; of an absent one nothing is written. */
export function leaf(name: string, text: string | null | undefined, attributes: Record<string, string | null> = {}) {
  if (text === null || text === undefined || text === "") return null;
  const told = Object.entries(attributes).flatMap(([key, value]) => (value ? [` ${key}="${escaped(value)}"`] : []));
  return `<${name}${told.join("")}>${escaped(text)}</${name}>`;
}

/** Elements between tags; of none that is there nothing is written. */
export function parent(name: string, ...content: Content[]): string | null {
  const inner = joined(content);
  return inner === "" ? null : `<${name}>${inner}</${name}>`;
}

export function root(name: string, namespaces: Record<string, string>, ...content: Content[]): string {
  const declared = Object.entries(namespaces).map(
    ([prefix, uri]) => ` ${prefix ? `xmlns:${prefix}` : "xmlns"}="${uri}"`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${name}${declared.join("")}>${joined(content)}</${name}>\n`;
}

/** Identifier of the specification where an invoice names none. */
export const EN_16931 = "urn:cen.eu:en16931:2017";
/** The code of a corrected or credited invoice, which UBL has a document of its own for. */
export const CREDIT_NOTE = "381";
