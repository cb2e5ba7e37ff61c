/** Upper bounds of a text's tokens, by kinds of characters, tested against the tokenizers of each family. */
import { COMMON_HAN, COMMON_PAIRS } from "./common-letters.js";

/** Tokens of each kind of character, never below the family's tokenizers for a text of that kind. */
interface Weights {
  /** For a run of letters: at its start, for each letter beyond 4 and beyond 12, and for a rare pair. */
  word: number;
  long: number;
  veryLong: number;
  rarePair: number;
  /** Added for each letter of a run of capitals. */
  capital: number;
  /** For each digit, and for each three in a run. */
  digit: number;
  threeDigits: number;
  /** For an ASCII punctuation mark, for one that follows another, and for a repeated one. */
  mark: number;
  nextMark: number;
  sameMark: number;
  /** For each blank in a run after the first. */
  blank: number;
  hangul: number;
  kana: number;
  commonHan: number;
  han: number;
}

/** For o200k, cl100k, Llama 3 and DeepSeek V3, which combine up to three digits. */
const THREE_DIGITS: Weights = {
  ...{ word: 1.2, long: 0.32, veryLong: 0.4, rarePair: 0.75, capital: 0.3, digit: 0, threeDigits: 1.1 },
  ...{ mark: 1, nextMark: 0.75, sameMark: 0.4, blank: 0.05, hangul: 2.8, kana: 1.6, commonHan: 1.3, han: 2.4 },
};
/** For Qwen 3 and Gemma 3, which split digits. */
const ONE_DIGIT: Weights = {
  ...{ word: 1.27, long: 0.33, veryLong: 0.4, rarePair: 0.65, capital: 0.32, digit: 1, threeDigits: 0 },
  ...{ mark: 1, nextMark: 0.75, sameMark: 0.4, blank: 0.1, hangul: 2.9, kana: 1.3, commonHan: 1.3, han: 2.1 },
};
/** For Llama 2 and Mistral, whose vocabularies are small. */
const SMALL: Weights = {
  ...{ word: 1.43, long: 0.38, veryLong: 0.4, rarePair: 0.75, capital: 0.4, digit: 1, threeDigits: 0 },
  ...{ mark: 1, nextMark: 0.9, sameMark: 0.4, blank: 0.3, hangul: 3, kana: 2, commonHan: 2, han: 3 },
};

/** By the model's id; a model of two families counts as the dearer of them. */
const FAMILIES: readonly (readonly [RegExp, Weights])[] = [
  [/(?:^|\/)(?:gpt-(?:3\.5|4|5|oss)|chatgpt-4|o[1-9](?:$|-))/, THREE_DIGITS],
  [/llama-?[34](?!\d)/, THREE_DIGITS],
  [/deepseek/, THREE_DIGITS],
  [/qwen-?[23]|qwq|qwen-(?:max|plus|turbo)/, ONE_DIGIT],
  [/gemma-?[23]/, ONE_DIGIT],
  [/llama-?2(?!\d)|mi[sx]tral|codestral|ministral|magistral|devstral|pixtral/, SMALL],
];

/**
 * An upper bound of a text's tokens for a model. For an unknown family it is the number of bytes, which no tokenizer
 * exceeds.
 */
export function tokensIn(text: string, model: string): number {
  const bytes = Buffer.byteLength(text);
  const families = FAMILIES.filter(([named]) => named.test(model.toLowerCase()));
  // guard: a text of a model that nobody knows is quoted by its bytes | returns Math.ceil(bytes / 3) | models/tokens
  if (families.length === 0) return bytes;
  const tally = tallyOf(text);
  return Math.min(bytes, Math.max(...families.map(([, weights]) => Math.ceil(weighed(tally, weights)))));
}

/** Characters of a text that are counted again with what follows them. */
const OPEN_CHARACTERS = 256;

/** The same bound for a text that comes in pieces. */
export interface TokenCount {
  add(piece: string): void;
  total(): number;
}

/** Counts a text of any length by work in proportion to it, in parts that are long enough to be counted as words. */
export function createTokenCount(model: string): TokenCount {
  let [closed, open, ofOpen] = [0, "", 0];
  return {
    add(piece) {
      open += piece;
      ofOpen = tokensIn(open, model);
      if (open.length < OPEN_CHARACTERS) return;
      closed += ofOpen;
      [open, ofOpen] = ["", 0];
    },
    total: () => closed + ofOpen,
  };
}

type Tally = Record<keyof Weights | "other", number>;

/** Tokens that a model's template adds before the messages: date, name, channels. Most add none. */
const TEMPLATE_TOKENS = 80;
const WITH_TEMPLATE = /llama-?[34](?!\d)|qwen|qwq|gpt-oss/;
/** Tokens for roles, separators and names of one message. */
const TOKENS_PER_MESSAGE = 8;
const TOKENS_PER_PROMPT = 16;
/** For a picture of at most a megabyte, at the vendors that count highest. */
export const TOKENS_PER_IMAGE = 1600;

/** An upper bound of the tokens of a prompt for a model. */
export function promptTokens(contents: readonly string[], model: string, images = 0): number {
  const said = WITH_TEMPLATE.test(model.toLowerCase()) ? TEMPLATE_TOKENS : 0;
  const texts = contents.reduce((sum, content) => sum + tokensIn(content, model) + TOKENS_PER_MESSAGE, 0);
  return TOKENS_PER_PROMPT + said + texts + images * TOKENS_PER_IMAGE;
}

/** An estimate of the tokens of texts, for sizing an answer, or refusing an overlong prompt. Not used for prices. */
export const roughTokensIn = (...texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + Math.ceil(Buffer.byteLength(text) / 3), 0);

function weighed({ other, ...tally }: Tally, weights: Weights): number {
  let sum = other;
  for (const kind of Object.keys(tally) as (keyof Weights)[]) sum += tally[kind] * weights[kind];
  return sum;
}

const RUNS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|( +)|([!-/:-@[-`{-~])\2*|[\s\S]/gu;
const MARK = /[!-/:-@[-`{-~]/;

function tallyOf(text: string): Tally {
  const tally: Tally = {
    ...{
      word: 0,
      long: 0,
      veryLong: 0,
      rarePair: 0,
      capital: 0,
      digit: 0,
      threeDigits: 0,
      mark: 0,
      nextMark: 0,
      sameMark: 0,
    },
    ...{ blank: 0, hangul: 0, kana: 0, commonHan: 0, han: 0, other: 0 },
  };
  for (const { 0: run, 1: blanks, 2: mark, index } of text.matchAll(RUNS)) {
    const first = run.codePointAt(0) ?? 0;
    if (mark !== undefined) countMarks(run, text.charAt(index - 1), tally);
    else if (blanks !== undefined) countBlanks(run, text.charAt(index + run.length), tally);
    else if (first >= 0x30 && first <= 0x39) countDigits(run, tally);
    else if (first < 0x80 && first > 0x40) countLetters(run, tally);
    else countOther(first, tally);
  }
  return tally;
}

/** A mark and its repetitions; `before` is the character before it, "" at the text's start. */
function countMarks({ length }: string, before: string, tally: Tally): void {
  tally[MARK.test(before) ? "nextMark" : "mark"] += 1;
  tally.sameMark += length - 1;
}

/** A single blank is part of the word after it. */
function countBlanks({ length }: string, after: string, tally: Tally): void {
  if (length > 1 || !/[A-Za-z]/.test(after)) tally.other += 1;
  tally.blank += length - 1;
}

function countDigits({ length }: string, tally: Tally): void {
  tally.digit += length;
  tally.threeDigits += Math.ceil(length / 3);
}

function countLetters(run: string, tally: Tally): void {
  const { length } = run;
  tally.word += 1;
  tally.long += Math.max(0, length - 4);
  tally.veryLong += Math.max(0, length - 12);
  if (length > 1 && run === run.toUpperCase()) tally.capital += length;
  const letters = run.toLowerCase();
  for (let at = 1; at < length; at++)
    if (!COMMON_PAIRS[letters.charAt(at - 1)]?.includes(letters.charAt(at))) tally.rarePair += 1;
}

function countOther(point: number, tally: Tally): void {
  const script = eastAsianScript(point);
  if (script) tally[script] += 1;
  else tally.other += tokensOfOther(point);
}

function eastAsianScript(point: number): "hangul" | "kana" | "commonHan" | "han" | undefined {
  if (point >= 0xac00 && point < 0xd7a4) return "hangul";
  if ((point >= 0x3000 && point < 0x3100) || (point >= 0xff00 && point < 0xff5f)) return "kana";
  if (point >= 0x4e00 && point < 0xa000) return COMMON_HAN.has(point) ? "commonHan" : "han";
  return undefined;
}

/** A character has at most as many tokens as bytes; Greek and Cyrillic ones have fewer. */
function tokensOfOther(point: number): number {
  if (point < 0x80) return 1;
  if (point >= 0x370 && point < 0x530) return 1.4;
  if (point < 0x800) return 2;
  return point > 0xffff ? 4 : 3;
}
