/** JSON for readers: its names, texts and numbers in different colours. */
import { type Child, h } from "../shared/dom.js";

const MAX_COLOURED = 60_000;
const MAX_SHOWN = 200_000;
const TOKENS = /("(?:\\.|[^"\\])*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/g;

export function jsonView(value: unknown): HTMLElement {
  const text = JSON.stringify(value, null, 2);
  if (text.length <= MAX_COLOURED) return h("pre", { tabindex: 0, class: "json" }, coloured(text));
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}\n…` : text;
  return h("pre", { tabindex: 0, class: "json" }, shown);
}

function coloured(text: string): Child[] {
  const parts: Child[] = [];
  let from = 0;
  for (const token of text.matchAll(TOKENS)) {
    const [whole, quoted = "", colon] = token;
    const shown = quoted || whole;
    const kind = colon ? "n" : quoted ? "s" : "v";
    parts.push(text.slice(from, token.index), h("span", { class: kind }, shown));
    from = token.index + shown.length;
  }
  return [...parts, text.slice(from)];
}
