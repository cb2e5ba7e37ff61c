/** Bounds of callers' selectors, which cost more with each combinator. */

export const MAX_SELECTOR_LENGTH = 500;
export const MAX_COMBINATORS = 8;

/** Functions whose arguments are no selectors. */
const OF_TEXT = /:(?:nth-[a-z-]+|lang|dir|contains|icontains)$/i;

/** An error of a selector, by its text alone; undefined if nothing is. */
export function selectorObjection(selector: string): string | undefined {
  if (selector.trim() === "") return "must not be blank";
  if (selector.length > MAX_SELECTOR_LENGTH) return `must be at most ${MAX_SELECTOR_LENGTH} characters long`;
  // guard: a selector has a largest number of combinators | gone | extract
  if (countCombinators(selector) > MAX_COMBINATORS) return `must have at most ${MAX_COMBINATORS} combinators`;
  return undefined;
}

/** Blanks, `>`, `+`, `~` and `||` between parts, those inside `:is()`, `:not()` and `:has()` among them. */
export function countCombinators(selector: string): number {
  const bare = withoutTexts(selector)
    .replace(/\s*([>+~,|])\s*/g, "$1")
    .replace(/\(\s+/g, "(")
    .replace(/\s+\)/g, ")")
    .trim();
  return bare.match(/\|\||[>+~]|\s+/g)?.length ?? 0;
}

/** Without what stands in quotation marks, brackets, and functions that take no selectors. */
function withoutTexts(selector: string): string {
  let bare = "";
  for (let at = 0; at < selector.length; at++) {
    const char = selector[at] ?? "";
    if (char === "\\") at++;
    else if (char === '"' || char === "'") at = endOf(selector, at + 1, char);
    else if (char === "[") at = endOf(selector, at + 1, "]");
    else if (char === "(" && OF_TEXT.test(bare.slice(-30))) at = endOf(selector, at + 1, ")");
    else bare += char;
  }
  return bare;
}

/** Place of the mark that closes. */
function endOf(text: string, from: number, close: string): number {
  let quote = "";
  for (let at = from; at < text.length; at++) {
    const char = text[at] ?? "";
    if (char === "\\") at++;
    else if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === close) return at;
    else if (close !== '"' && close !== "'" && (char === '"' || char === "'")) quote = char;
  }
  return text.length;
}
