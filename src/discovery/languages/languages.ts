/** The languages of a question, and the subjects that it names in them. */
import { lazy } from "../../lib/lazy.js";
import { type Recognized, recognize } from "./recognize.js";
import { fold, type Language, readWords, type Script } from "./words.js";

type Load = () => Promise<{ words: string }>;

const LATIN: [name: string, script: Script, load: Load][] = [
  ["de", "compound", () => import("./de.js")],
  ["es", "start", () => import("./es.js")],
  ["fr", "start", () => import("./fr.js")],
  ["id", "start", () => import("./id.js")],
  ["it", "start", () => import("./it.js")],
  ["nl", "compound", () => import("./nl.js")],
  ["pl", "start", () => import("./pl.js")],
  ["pt", "start", () => import("./pt.js")],
  ["tr", "start", () => import("./tr.js")],
  ["vi", "whole", () => import("./vi.js")],
];
const latin = LATIN.map(read);
const OTHERS: [script: RegExp, language: () => Promise<Language>][] = [
  [/\p{Script=Cyrillic}/u, read(["ru", "start", () => import("./ru.js")])],
  [/\p{Script=Arabic}/u, read(["ar", "start", () => import("./ar.js")])],
  [/\p{Script=Devanagari}/u, read(["hi", "start", () => import("./hi.js")])],
  [/\p{Script=Hangul}/u, read(["ko", "inside", () => import("./ko.js")])],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, read(["ja", "inside", () => import("./ja.js")])],
];
const chinese = read(["zh", "inside", () => import("./zh.js")]);
const japanese = OTHERS.at(-1)?.[1];

function read([name, script, load]: (typeof LATIN)[number]): () => Promise<Language> {
  return lazy(async () => readWords(name, script, (await load()).words));
}

/** Function words that are also English words, or their letters. */
const ENGLISH_TOO = new Set(
  "a an and are as at be by can d do die has had i if in is it l la me mi mm my no nu of on or per s so sind son t to us was we y".split(
    " ",
  ),
);

export interface RecognizedQuery extends Recognized {
  /** Whether it may not be English: it has letters or function words that English does not have. */
  sure: boolean;
}

/**
 * The subjects of a question that is not in English, and its words that are of no subject; undefined for an English one.
 * Files of words are loaded for the scripts in it, or for a word that English does not have.
 */
export async function subjectsOf(
  question: string,
  isEnglish: (word: string) => boolean,
): Promise<RecognizedQuery | undefined> {
  const loads = OTHERS.flatMap(([script, load]) => (script.test(question) ? [load] : []));
  if (/\p{Script=Han}/u.test(question) && !(japanese && loads.includes(japanese))) {
    loads.push(chinese);
    if (japanese) loads.push(japanese);
  }
  if (loads.length > 0) {
    const found = await Promise.all(loads.map(async (load) => recognize(question, await load())));
    const foreign = best(found);
    return foreign && { ...foreign, sure: true };
  }
  const words = fold(question).trim().split(" ");
  const english = words.filter((word) => isEnglish(word));
  if (english.length === words.length || words.every((word) => !/\p{L}/u.test(word))) return undefined;
  const found = await Promise.all(latin.map(async (load) => recognize(question, await load())));
  const coveredByEnglish = english.reduce((sum, word) => sum + word.length, 0);
  const foreign = best(found);
  if (!foreign || foreign.covered <= coveredByEnglish) return undefined;
  const isForeign = /[^\p{ASCII}]/u.test(question) || foreign.small.some((word) => !ENGLISH_TOO.has(word));
  // "Harga bitcoin" has a word of the catalogue, and another language around it.
  return { ...foreign, sure: isForeign || words.length - english.length > 1 || coveredByEnglish === 0 };
}

/** Languages that cover most of the question; related languages that cover as much count together. */
function best(found: Recognized[]): Recognized | undefined {
  const named = found.filter(({ subjects }) => subjects.size > 0);
  const covered = Math.max(0, ...named.map((one) => one.covered));
  const equal = named.filter((one) => one.covered === covered);
  const [first] = equal;
  if (!first) return undefined;
  return { ...first, subjects: new Set(equal.flatMap(({ subjects }) => [...subjects])) };
}
