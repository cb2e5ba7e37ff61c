/**
 * The form of a language's words: a line for each subject, with beginnings of the words and phrases that mean it. A "_"
 * joins words of a phrase. The line "." has function words, which identify the language and say nothing of a subject; the
 * line "~" has letters, each before the one that stands for it.
 */

/** Where in a question a beginning may stand. */
export type Script = "start" | "compound" | "whole" | "inside";

interface Beginning {
  parts: string[];
  length: number;
  subjects: string[];
}

export interface Language {
  name: string;
  script: Script;
  small: Set<string>;
  /** Text as this language compares it. */
  fold(text: string): string;
  /** By their first character; the longest come first. */
  beginnings: Map<string, Beginning[]>;
}

/** Marks that people leave out: accents, Arabic vowels, the nukta of Devanagari. */
const MARKS = /[\u0300-\u036f\u064b-\u065f\u0670\u0640\u093c]/g;
const LETTERS: Record<string, string> = {
  ß: "ss",
  ł: "l",
  đ: "d",
  ø: "o",
  æ: "ae",
  œ: "oe",
  ı: "i",
  ى: "ي",
  ة: "ه",
  "\u0901": "\u0902",
};
const OTHER_LETTERS = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "g");

/** Words of a text, between spaces, as they are compared: lower case, full width, without accents and punctuation. */
export function fold(text: string): string {
  const plain = text
    .normalize("NFKD")
    .replace(MARKS, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(MARKS, "")
    .replace(OTHER_LETTERS, (letter) => LETTERS[letter] ?? letter);
  return ` ${plain.replace(/[^\p{L}\p{M}\p{N}]+/gu, " ").trim()} `;
}

/** Umlauts as they are typed without such keys. */
const foldGerman = (text: string): string => text.replace(/([aou])e/g, "$1");

export function readWords(name: string, script: Script, words: string): Language {
  const lines = words
    .trim()
    .split("\n")
    .map((line): [string, string[]] => {
      const [subject = "", list = ""] = line.split(": ");
      return [subject, list.split(" ")];
    });
  const listOf = (of: string) => lines.filter(([subject]) => subject === of).flatMap(([, list]) => list);
  const letters = new Map(listOf("~").map(([letter = "", other = ""]) => [letter, other]));
  const toFolded = (text: string) => {
    const plain = name === "de" ? foldGerman(fold(text)) : fold(text);
    return letters.size === 0 ? plain : plain.replace(/\p{Script=Han}/gu, (letter) => letters.get(letter) ?? letter);
  };
  const clean = (item: string) => toFolded(item.replaceAll("_", " ")).trim();
  const found = new Map<string, Set<string>>();
  for (const [subject, list] of lines)
    if (/[a-z]/.test(subject))
      for (const text of list.map(clean)) found.set(text, (found.get(text) ?? new Set()).add(subject));
  const beginnings = new Map<string, Beginning[]>();
  for (const [text, subjects] of [...found].sort(([a], [b]) => b.length - a.length)) {
    const [first = ""] = text;
    const list = beginnings.get(first) ?? [];
    list.push({ parts: text.split(" "), length: text.length, subjects: [...subjects] });
    beginnings.set(first, list);
  }
  const small = new Set(listOf(".").flatMap((item) => clean(item).split(" ")));
  return { name, script, small, beginnings, fold: toFolded };
}
