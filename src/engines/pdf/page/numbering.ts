/** Which numbers in parentheses are marks of a list: (415) before a telephone number and (12) before a word are none. */
import { lineText, type PdfLine } from "./lines.js";

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

interface Reading extends Mark {
  style: string;
}

interface Chain {
  last: number;
  /** Waits for a second one. */
  first?: readonly [PdfLine, Mark];
  isList: boolean;
}

/** The lines of lists: runs of two at least, each number one more than the last, from 1, a or i on, or from where a page broke off. */
export function marksOf(lines: readonly PdfLine[], before: Numbering): ReadonlyMap<PdfLine, Mark> {
  const marks = new Map<PdfLine, Mark>();
  const chains = new Map<string, Chain>();
  for (const line of lines)
    for (const reading of readingsOf(lineText(line))) addTo(chains, { line, reading, before, marks });
  for (const [style, { last, isList }] of chains) if (isList) before.set(style, last);
  return marks;
}

interface Read {
  line: PdfLine;
  reading: Reading;
  before: Numbering;
  marks: Map<PdfLine, Mark>;
}

function addTo(chains: Map<string, Chain>, { line, reading, before, marks }: Read): void {
  const chain = chainOf(reading, chains, before);
  if (!chain) return;
  chain.last = reading.number;
  chain.isList ||= chain.first !== undefined;
  chains.set(reading.style, chain);
  if (!chain.isList) chain.first = [line, reading];
  else
    for (const [one, mark] of chain.first ? [chain.first, [line, reading] as const] : [[line, reading] as const])
      marks.set(one, mark);
}

/** The list that a number goes on with, or begins. */
function chainOf({ style, number }: Reading, chains: ReadonlyMap<string, Chain>, before: Numbering): Chain | undefined {
  const open = chains.get(style);
  if (open?.last === number - 1) return open;
  const isResumed = number > 1 && before.get(style) === number - 1;
  return number === 1 || isResumed ? { last: number, isList: isResumed } : undefined;
}

/** (i) is the ninth letter, or the first Roman number. */
function readingsOf(text: string): Reading[] {
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
