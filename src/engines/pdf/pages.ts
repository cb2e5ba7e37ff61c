/** Which pages of a document a caller asks for. */
import { invalid } from "../../errors.js";

/** Most pages of a call. */
export const MAX_PAGES = 200;
/** Pages that are read where none are named. */
export const DEFAULT_PAGES = 100;

export interface Selection {
  numbers: number[];
  /** Pages that were left out, as a sentence. */
  note: string | undefined;
}

/** The pages that a caller names, or the first ones. Throws INVALID_INPUT for pages that are not there. */
export function selectPages(asked: string | undefined, count: number): Selection {
  if (asked === undefined) {
    const numbers = Array.from({ length: Math.min(count, DEFAULT_PAGES) }, (_, i) => i + 1);
    const note =
      count > DEFAULT_PAGES ? `pages ${DEFAULT_PAGES + 1} to ${count} were not read: name them in pages` : undefined;
    return { numbers, note };
  }
  const numbers = pageNumbers(asked);
  const beyond = numbers.find((number) => number > count);
  if (beyond !== undefined) throw invalid("pages", `names page ${beyond}, and the document has ${count}`);
  return { numbers, note: undefined };
}

/** Throws INVALID_INPUT for what is not a list of pages, and for more than 200. */
export function pageNumbers(asked: string): number[] {
  const numbers = new Set<number>();
  for (const part of asked.split(",")) {
    const [, first = "", last = first] = /^\s*(\d{1,6})(?:\s*-\s*(\d{1,6}))?\s*$/.exec(part) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (first === "" || from < 1 || to < from) throw invalid("pages", "must be page numbers and ranges, such as 1-3,7");
    if (to - from >= MAX_PAGES) throw invalid("pages", `must be at most ${MAX_PAGES} pages a call`);
    for (let page = from; page <= to; page++) numbers.add(page);
    if (numbers.size > MAX_PAGES) throw invalid("pages", `must be at most ${MAX_PAGES} pages a call`);
  }
  return [...numbers].sort((a, b) => a - b);
}
