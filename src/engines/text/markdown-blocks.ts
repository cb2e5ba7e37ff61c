/** Blocks of Markdown with the headings that they stand under. */
import type { Unit } from "./chunk-unit.js";

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/;
const MAX_HEADING = 200;

/** Each heading begins a block of its own; code between fences is one, with the blank lines that follow. */
export function markdownBlocks(text: string): Unit[] {
  const blocks: Unit[] = [];
  const path: string[] = [];
  let fence: string | undefined;
  let at = 0;
  let isGap = false;
  let begins = false;
  let headings: string[] = [];
  const close = (end: number) => {
    if (end > (blocks.at(-1)?.end ?? 0)) blocks.push({ end, headings, ownChunk: begins });
    begins = false;
  };
  for (const line of text.split(/(?<=\n)/)) {
    const content = line.replace(/\r?\n$/, "");
    const heading = fence === undefined ? HEADING.exec(content) : null;
    const isBlank = content.trim() === "";
    if (heading || (isGap && !isBlank && fence === undefined)) close(at);
    if (heading) {
      const level = heading[1]?.length ?? 1;
      path.length = Math.min(path.length, level - 1);
      path[level - 1] = (heading[2] ?? "")
        .trim()
        .replace(/[ \t]+#+$/, "")
        .slice(0, MAX_HEADING);
      headings = path.filter(Boolean);
      begins = true;
    }
    fence = fenceAfter(fence, content);
    isGap = isBlank && fence === undefined;
    at += line.length;
  }
  close(at);
  return blocks;
}

/** The mark that ends the code that is open after a line. */
function fenceAfter(fence: string | undefined, line: string): string | undefined {
  const mark = FENCE.exec(line)?.[1];
  if (!mark) return fence;
  if (fence === undefined) return mark;
  const ends = mark.startsWith(fence) && line.trim() === mark;
  return ends ? undefined : fence;
}
