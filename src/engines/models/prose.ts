/**
 * Cleans free text of a model that read third parties' pages: removes everything that a reader's software could act on.
 */

/** Zero-width, directional and tag characters, which carry invisible text. */
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;
const MARKDOWN_IMAGE = /!\[([^\]\n]{0,500})\]\([^)\n]{0,2000}\)/g;
const MARKDOWN_LINK = /\[([^\]\n]{0,500})\]\((?:[^()\n]|\([^)\n]{0,200}\)){0,2000}\)/g;
const REFERENCE = /^[ \t]*\[[^\]\n]{1,100}\]:[ \t]*\S+.*$/gm;
const TAG = /<\/?[a-z][^<>]{0,2000}>/gi;

/**
 * Plain words: no pictures, whose address could send the read content to a third party, no links, no markup, no
 * invisible characters. Links are in separate fields, restricted to fetched addresses.
 */
export function plainProse(text: string): string {
  return text
    .replace(INVISIBLE, "")
    .replace(MARKDOWN_IMAGE, "$1")
    .replace(MARKDOWN_LINK, "$1")
    .replace(REFERENCE, "")
    .replace(TAG, "")
    .trim();
}

/** Keeps markup of the given text, but only pictures whose address occurs in that text. */
export function withGivenPictures(text: string, given: string): string {
  return text
    .replace(INVISIBLE, (character) => (given.includes(character) ? character : ""))
    .replace(MARKDOWN_IMAGE, (whole, words: string) => (given.includes(addressOf(whole)) ? whole : words));
}

const addressOf = (image: string): string => /\]\(\s*<?([^)\s>]*)/.exec(image)?.[1] ?? image;

/** Applies `plainProse` to every text inside a value. */
export function plainProseWithin(value: unknown): unknown {
  if (typeof value === "string") return plainProse(value);
  if (Array.isArray(value)) return value.map(plainProseWithin);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plainProseWithin(inner)]));
}
