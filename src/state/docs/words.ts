/**
 * Splits text into words, in the same way for documents and queries. Its cost is linear in the text's length for any
 * content, which parsers and Unicode normalization alone do not guarantee.
 */

/** A word of a script with blanks, or an emoji. */
export interface Word {
  /** In lower case, with compatibility forms unified. */
  exact: string;
  /** Without accents, if that differs. */
  folded?: string;
}

/** Or a run of characters of a script without blanks, whose word boundaries are unknown. */
export type Piece = Word | { run: string[] };

/** Maximum length of a word; a longer one is found by its beginning. */
const MAX_WORD = 64;

const SCRIPTS = ["Han", "Bopo", "Hang", "Thai", "Laoo", "Khmr", "Mymr", "Tibt", "Yiii"];
const LETTER = "[\\p{L}\\p{M}\\p{N}]";
/** Kana by script extensions, which include the sound mark that lengthens vowels. */
const UNSPACED = `(?=${LETTER})[\\p{scx=Hira}\\p{scx=Kana}${SCRIPTS.map((script) => `\\p{sc=${script}}`).join("")}]`;
const TONE = "[\\u{1F3FB}-\\u{1F3FF}]";
const PICTURE = `\\p{Extended_Pictographic}${TONE}?[\\u{E0020}-\\u{E007F}]{0,8}`;

const PIECES = new RegExp(
  [
    `((?:${UNSPACED})+)`,
    `((?!${UNSPACED})[\\p{L}\\p{N}](?:(?!${UNSPACED})${LETTER})*)`,
    `(${PICTURE}(?:\\u200D${PICTURE}){0,8}|[\\u{1F1E6}-\\u{1F1FF}]{1,2})`,
  ].join("|"),
  "gu",
);

/** Normalization sorts the marks of a letter in quadratic time, so their number is limited. */
const MARKS = /([\p{M}\uFF9E\uFF9F]{8})[\p{M}\uFF9E\uFF9F]+/gu;
/** Soft hyphens, word joiners and variation selectors. */
const UNSEEN = /\u00AD|\u2060|\uFEFF|[\uFE00-\uFE0F]/g;

/** Marks that people may omit: accents, Hebrew and Arabic points, skin tones of emoji. */
const ACCENTS = new RegExp(
  `[\\u0300-\\u036F\\u0591-\\u05C7\\u0610-\\u061A\\u0640\\u064B-\\u065F\\u0670\\u20D0-\\u20FF]|${TONE}`,
  "gu",
);
const LETTERS: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  ħ: "h",
  ŧ: "t",
  þ: "th",
  ı: "i",
  ς: "σ",
};
const OTHER_LETTERS = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "g");

/** In the order of the text. */
export function* piecesOf(text: string): Generator<Piece> {
  // guard: wallets: a normalization meets few marks at once | - .replace(MARKS, "$1") | state/search
  const plain = text.replace(MARKS, "$1").normalize("NFKC").replace(UNSEEN, "").toLowerCase();
  for (const [, run, word, emoji] of plain.matchAll(PIECES))
    yield run ? { run: [...run] } : wordOf(word ?? emoji ?? "");
}

function wordOf(written: string): Word {
  const exact = written.length > MAX_WORD ? [...written.slice(0, 2 * MAX_WORD)].slice(0, MAX_WORD).join("") : written;
  const folded = fold(exact);
  return folded === exact || folded === "" ? { exact } : { exact, folded };
}

/** Only for letters that take accents: in scripts whose marks are vowels nothing is removed. */
function fold(word: string): string {
  if (/^[\0-\x7F]*$/.test(word)) return word;
  return word
    .normalize("NFD")
    .replace(ACCENTS, "")
    .normalize("NFC")
    .replace(OTHER_LETTERS, (letter) => LETTERS[letter] ?? letter);
}
