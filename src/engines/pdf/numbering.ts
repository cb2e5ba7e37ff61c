/** Which numbers in parentheses are marks of a list: (415) before a telephone number and (12) before a word are none. */
import { type Line, lineText } from "./lines.js";

/** By style: the last number of a list on the pages before, which may go on. */
export type Numbering = Map<string, number>;

export interface Mark {
  /** Characters of the mark with its blank. */
  length: number;
  number: number;
  /** Markdown has no lists of letters: the line is a paragraph of its own. */
  isLetter: boolean;
}

const DIGITS = /^(\(?)(\d{1,3})\)\s+(?=\S)/;
const LETTERS = /^(\(?)([a-z]|[ivx]{1,5}|[A-Z])\)\s+(?=\S)/;

interface Chain {
  last: number;
  lines: [Line, Mark][];
  isList: boolean;
}

/** The lines of lists: runs of two at least, each number one more than the last, from 1, a or i on, or from where a page broke off. */
export function marksOf(lines: readonly Line[], before: Numbering): ReadonlyMap<Line, Mark> {
  const marks = new Map<Line, Mark>();
  const chains = new Map<string, Chain>();
  for (const line of lines)
    for (const { style, number, length, isLetter } of readingsOf(lineText(line))) {
      const open = chains.get(style);
      const goesOn = open?.last === number - 1;
      const isResumed = !goesOn && number > 1 && before.get(style) === number - 1;
      if (!goesOn && number !== 1 && !isResumed) continue;
      const chain = goesOn && open ? open : { last: number, lines: [], isList: isResumed };
      chain.last = number;
      chain.isList ||= chain.lines.length > 0;
      chain.lines.push([line, { number, length, isLetter }]);
      chains.set(style, chain);
      if (chain.isList) for (const [one, mark] of chain.lines) marks.set(one, mark);
    }
  for (const [style, { last, isList }] of chains) if (isList) before.set(style, last);
  return marks;
}

/** (i) is the ninth letter, or the first Roman number. */
function readingsOf(text: string): (Mark & { style: string })[] {
  const [whole = "", open = "", digits = ""] = DIGITS.exec(text) ?? [];
  if (digits) return [{ style: `${open}1)`, number: Number(digits), length: whole.length, isLetter: false }];
  const [mark = "", sign = "", letters = ""] = LETTERS.exec(text) ?? [];
  if (!letters) return [];
  const common = { length: mark.length, isLetter: true };
  const style = letters < "a" ? "A" : "a";
  const letter = { ...common, style: `${sign}${style})`, number: letters.toLowerCase().charCodeAt(0) - 96 };
  const roman = { ...common, style: `${sign}i)`, number: ROMAN.indexOf(letters) + 1 };
  return [...(letters.length === 1 ? [letter] : []), ...(roman.number > 0 ? [roman] : [])];
}

const ROMAN = "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx".split(" ");
