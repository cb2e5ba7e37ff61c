import { CapabilityError } from "../../errors.js";

/** Readers of HTML go down by recursion, and take squares of the depth: deeper nesting than this means nothing. */
const MAX_DEPTH = 150;
/** Twice those of a long article of an encyclopedia. */
const MAX_ELEMENTS = 50_000;
const TAG = /<(\/?)([a-zA-Z][^\s/<>]*)[^<>]*>/g;
/** Attributes that may keep an element from being shown. */
const HIDES = /\s(?:style|hidden|aria-hidden|popover|color|bgcolor)\b|^<(?:template|noscript|dialog)/i;
const OF_SHEETS = /\s(?:style|hidden|aria-hidden|popover|color|bgcolor|class|id)\b|^<(?:template|noscript|dialog)/i;
const VOID = new Set([
  ...["area", "base", "br", "col", "embed", "hr", "img", "input"],
  ...["link", "meta", "param", "source", "track", "wbr", "p", "li", "option", "td", "tr", "th"],
]);

/**
 * The page without the tags that stand deeper than 150 elements; their text stays, unless such a tag may hide it. One linear
 * pass. Throws RESULT_TOO_LARGE for more than 50,000 elements.
 */
export function flattenHtml(html: string): string {
  const mayHide = /<style[\s>]/i.test(html) ? OF_SHEETS : HIDES;
  let [depth, from, elements, hiddenAt] = [0, 0, 0, 0];
  const kept: string[] = [];
  for (const { 0: tag, 1: slash, 2: name = "", index } of html.matchAll(TAG)) {
    if (!slash && ++elements > MAX_ELEMENTS) throw tooLarge();
    if (VOID.has(name.toLowerCase()) || tag.endsWith("/>")) continue;
    if (!slash) depth++;
    const isTooDeep = depth > MAX_DEPTH;
    if (!slash && isTooDeep && hiddenAt === 0 && mayHide.test(tag)) {
      kept.push(html.slice(from, index));
      hiddenAt = depth;
    }
    const isEnd = Boolean(slash) && depth === hiddenAt;
    if (slash && depth > 0) depth--;
    if (!isTooDeep) continue;
    if (hiddenAt === 0) kept.push(html.slice(from, index));
    from = index + tag.length;
    if (isEnd) hiddenAt = 0;
  }
  if (hiddenAt > 0) return kept.join("");
  return from === 0 ? html : kept.join("") + html.slice(from);
}

function tooLarge(): CapabilityError {
  const message = `has more than ${MAX_ELEMENTS} elements: send a part of the page`;
  return new CapabilityError("RESULT_TOO_LARGE", `The page ${message}.`, { issues: [{ path: "", message }] });
}
