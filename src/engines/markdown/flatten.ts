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
  const kept = new Kept(html);
  let [depth, elements] = [0, 0];
  for (const { 0: tag, 1: slash, 2: name = "", index } of html.matchAll(TAG)) {
    if (!slash && ++elements > MAX_ELEMENTS) throw tooLarge();
    if (VOID.has(name.toLowerCase()) || tag.endsWith("/>")) continue;
    if (!slash) depth++;
    if (depth > MAX_DEPTH) kept.leaveOut(tag, index, { depth, isEnd: Boolean(slash), mayHide });
    if (slash && depth > 0) depth--;
  }
  return kept.text();
}

/** The page less the tags that are left out, and less what one that may hide it holds. */
class Kept {
  readonly #parts: string[] = [];
  #from = 0;
  /** Depth of a tag that may hide what follows. */
  #hiddenAt = 0;

  constructor(readonly html: string) {}

  leaveOut(
    tag: string,
    index: number,
    { depth, isEnd, mayHide }: { depth: number; isEnd: boolean; mayHide: RegExp },
  ): void {
    if (this.#hiddenAt === 0) this.#parts.push(this.html.slice(this.#from, index));
    if (this.#hiddenAt === 0 && !isEnd && mayHide.test(tag)) this.#hiddenAt = depth;
    else if (isEnd && depth === this.#hiddenAt) this.#hiddenAt = 0;
    this.#from = index + tag.length;
  }

  text(): string {
    if (this.#hiddenAt > 0) return this.#parts.join("");
    return this.#from === 0 ? this.html : this.#parts.join("") + this.html.slice(this.#from);
  }
}

function tooLarge(): CapabilityError {
  const message = `has more than ${MAX_ELEMENTS} elements: send a part of the page`;
  return new CapabilityError("RESULT_TOO_LARGE", `The page ${message}.`, { issues: [{ path: "", message }] });
}
