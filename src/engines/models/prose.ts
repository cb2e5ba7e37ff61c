/** Free text from a model that read other people's pages: what a reader's software could act on is taken out. */

/** Zero-width, directional and tag characters: they carry text that no reader sees. */
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;
const MARKDOWN_IMAGE = /!\[([^\]\n]{0,500})\]\([^)\n]{0,2000}\)/g;
const MARKDOWN_LINK = /\[([^\]\n]{0,500})\]\((?:[^()\n]|\([^)\n]{0,200}\)){0,2000}\)/g;
const REFERENCE = /^[ \t]*\[[^\]\n]{1,100}\]:[ \t]*\S+.*$/gm;
const TAG = /<\/?[a-z][^<>]{0,2000}>/gi;

/**
 * The words alone: no pictures, whose address could carry what was read to a stranger, no links, no markup, nothing
 * invisible. Links stand in fields of their own, where they are among those that were fetched.
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

/** A text that may keep the markup of what it was made from, but no picture whose address does not stand there. */
export function withGivenPictures(text: string, given: string): string {
  return text
    .replace(INVISIBLE, (character) => (given.includes(character) ? character : ""))
    .replace(MARKDOWN_IMAGE, (whole, words: string) => (given.includes(addressOf(whole)) ? whole : words));
}

const addressOf = (image: string): string => /\]\(\s*<?([^)\s>]*)/.exec(image)?.[1] ?? image;

/** Every text inside a value, as `plainProse`. */
export function plainProseWithin(value: unknown): unknown {
  if (typeof value === "string") return plainProse(value);
  if (Array.isArray(value)) return value.map(plainProseWithin);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plainProseWithin(inner)]));
}
