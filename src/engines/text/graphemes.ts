/** Characters as readers see them: an emoji of several code points is one, and so is a letter with its accents. */
import { once } from "../../lib/lazy.js";

const segmenter = once(() => new Intl.Segmenter("en", { granularity: "grapheme" }));

/** Node 20 copies the whole text for each segment of it, so it gets windows. */
const WINDOW = 512;
const ASCII = /^[\x20-\x7e\n\t]*$/;

/** Positions at which a character begins, in UTF-16 units, as ones; the end of the text is one, too. */
export function graphemeStarts(text: string): Uint8Array {
  const starts = new Uint8Array(text.length + 1);
  starts[text.length] = 1;
  let size = WINDOW;
  for (let at = 0; at < text.length; ) {
    const window = text.slice(at, at + size);
    const isLast = at + window.length === text.length;
    const found = ASCII.test(window) ? allOf(window) : startsIn(window);
    // The last one may go on in the text that follows.
    const end = isLast ? window.length : (found.at(-1) ?? 0);
    for (const start of found) if (start < end) starts[at + start] = 1;
    size = end === 0 ? size * 2 : WINDOW;
    at += end;
  }
  return starts;
}

const allOf = (text: string): number[] => Array.from({ length: text.length }, (_, at) => at);
const startsIn = (text: string): number[] => Array.from(segmenter().segment(text), ({ index }) => index);

export function graphemesOf(text: string): string[] {
  const starts = graphemeStarts(text);
  const graphemes: string[] = [];
  let from = 0;
  for (let at = 1; at <= text.length; at++)
    if (starts[at]) {
      graphemes.push(text.slice(from, at));
      from = at;
    }
  return graphemes;
}
