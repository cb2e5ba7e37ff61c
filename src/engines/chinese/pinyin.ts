/** Readings of Chinese text: pinyin-pro with simplified characters and readings of additional phrases. */
import { lazy } from "../../lib/lazy.js";
import { convertCommon } from "./convert.js";

export const TONES = ["symbol", "num", "none"] as const;
export type Tone = (typeof TONES)[number];

export interface Syllable {
  /** As in the text. */
  char: string;
  pinyin: string;
  /** 1 to 4, 0 for the neutral tone. */
  tone: number;
}

export interface Reading {
  /** The whole text: syllables, or words when segmented, divided by spaces. */
  pinyin: string;
  /** One for each Chinese character that has a reading. */
  syllables: Syllable[];
}

export interface ChineseWord {
  word: string;
  pinyin: string;
}

const pinyinPro = lazy(async () => {
  const [library, table] = await Promise.all([import("pinyin-pro"), import("./phrase-readings.js")]);
  library.addDict(entriesOf(table.CHARACTER_READINGS), { name: "coinslot characters", dict1: "replace" });
  library.addDict(entriesOf(table.PHRASE_READINGS), "coinslot");
  return library;
});

const entriesOf = (table: string): Record<string, string> =>
  Object.fromEntries(
    table.split("\n").map((line): [string, string] => {
      const space = line.indexOf(" ");
      return [line.slice(0, space), line.slice(space + 1)];
    }),
  );

/** Reads a text syllable by syllable, simplified or traditional; other text stays unchanged. */
export async function readSyllables(text: string, tone: Tone): Promise<Reading> {
  const { pinyin } = await pinyinPro();
  const entries = pinyin(await simplified(text), { toneType: tone, type: "all" });
  const characters = [...text];
  const syllables: Syllable[] = [];
  const parts: string[] = [];
  let run = "";
  for (const [index, { isZh, pinyin: reading, num }] of entries.entries()) {
    const char = characters[index] ?? "";
    if (!isZh) {
      run += char;
      continue;
    }
    syllables.push({ char, pinyin: reading, tone: num });
    parts.push(run, reading);
    run = "";
  }
  return { pinyin: joined([...parts, run]), syllables };
}

/** Reads a text word by word. */
export async function readWords(text: string, tone: Tone): Promise<{ pinyin: string; words: ChineseWord[] }> {
  const { segment } = await pinyinPro();
  const characters = [...text];
  let at = 0;
  const parts: string[] = [];
  const words: ChineseWord[] = [];
  for (const { origin, result } of segment(await simplified(text), { toneType: tone, nonZh: "consecutive" })) {
    const end = at + [...origin].length;
    const word = characters.slice(at, end).join("");
    at = end;
    // The library returns characters that it cannot read, such as Latin or rare ones.
    const isRead = origin !== result;
    parts.push(isRead ? result : word);
    if (isRead) words.push({ word, pinyin: result });
  }
  return { pinyin: joined(parts), words };
}

/**
 * Phrases determine a character's reading, and the library's are simplified: 重慶 alone would be zhòng qìng. Converts
 * character by character, so that syllables keep their positions.
 */
async function simplified(text: string): Promise<string> {
  const scripts = await hanScripts();
  // Of a text that is simplified already, the conversion would make another: 显著 is no 显着, and 乾县 no 干县.
  if (scripts.simplified.test(text) && !scripts.traditional.test(text)) return text;
  const characters = [...text];
  const converted = [...(await convertCommon(text, "tw", "cn"))];
  if (converted.length !== characters.length) return text;
  return converted.map((character, at) => (isWriting(characters, at) ? "著" : character)).join("");
}

/** Characters that only one of the scripts has. */
const hanScripts = lazy(async () => {
  const { SIMPLIFIED_ONLY, TRADITIONAL_ONLY } = await import("./han-table.js");
  return { simplified: new RegExp(`[${SIMPLIFIED_ONLY}]`, "u"), traditional: new RegExp(`[${TRADITIONAL_ONLY}]`, "u") };
});

/** After these 著 is zhù. After other characters it is Taiwan's 着, which OpenCC makes of it here too: 原著, but 看著. */
const BEFORE_WRITING = new Set("原土專卓編拙遺論較知譯");

const isWriting = (characters: readonly string[], at: number) =>
  characters[at] === "著" && BEFORE_WRITING.has(characters[at - 1] ?? "");

function joined(parts: string[]): string {
  return parts.join(" ").replace(/ +/g, " ").trim();
}
