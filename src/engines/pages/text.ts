/** The text of an element as readers see it: blocks are apart, blanks are one. */
import type { PageNode } from "./parse.js";

const APART = new Set(
  "address article aside blockquote br caption dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol option p pre section summary table tbody td tfoot th thead tr ul".split(
    " ",
  ),
);
const UNSEEN = new Set(["script", "style", "noscript", "template"]);
const TEXT_NODE = 3;

/** Scripts and styles are told where they are what was asked for. */
export function visibleTextOf(element: PageNode): string {
  const parts: string[] = [];
  // A stack in place of recursion, since elements are nested as deeply as a caller likes.
  const open: (PageNode | string)[] = [element];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === "string") parts.push(next);
    else if (next.nodeType === TEXT_NODE) parts.push(next.textContent ?? "");
    else if (next === element || !UNSEEN.has(next.localName)) {
      const space = APART.has(next.localName) ? " " : "";
      open.push(space);
      // One by one: as arguments of one call they would be more than a stack holds.
      for (const child of [...next.childNodes].reverse()) open.push(child);
      parts.push(space);
    }
  }
  return collapsed(parts.join(""));
}

const collapsed = (text: string): string => text.replace(/\s+/g, " ").trim();
