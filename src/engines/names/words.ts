/** Names as comparable words: what spelling, script, order, titles and legal form add to a name is taken off. */
import { lazy } from "../../lib/lazy.js";
import { readHan } from "./han.js";
import { ANY_FORM, nativeFormsToLatin, withoutLegalForms } from "./legal-forms.js";
import { readNumerals } from "./numerals.js";
import { canonicalWord, foldSpelling, skeletonOf } from "./spellings.js";

const transliterator = lazy(async () => (await import("any-ascii")).default);

/** A longer name says nothing more, and costs time. */
const MAX_CHARACTERS = 300;
const MAX_WORDS = 24;

const FILLERS = new Set("and the of for und et y e og och i de des du del della di do da dos das".split(" "));
/** They say how somebody is addressed, not who it is; in a company's name they are its name ("General Electric"). */
const TITLES = new Set(
  (
    "mr mrs ms miss mister dr doctor prof professor sir madam dame lord lady hon honorable honourable rev reverend father " +
    "sheikh sheik shaykh shaikh sheikha hajj haj haji hajji hadji al-hajj mullah mulla mawlawi maulvi maulavi molvi ayatollah " +
    "hojjatoleslam hojatoleslam hujjat imam sayyid ustad ustaz qari hafiz jr sr general gen lieutenant lt colonel col major maj captain capt brigadier brig " +
    "admiral adm marshal commander cmdr sergeant sgt minister president ambassador governor senator judge engineer eng ing " +
    "herr frau senor senora don dona monsieur madame mme mlle phd md esq esquire mba cpa princess"
  ).split(" "),
);

/** A word of a name, as it is compared. */
export interface Token {
  /** Lower-case Latin, as it was written. */
  text: string;
  /** In one spelling for what is heard the same. */
  folded: string;
  /** An abbreviation or another language's word of companies in full. */
  canonical: string;
  isNumber: boolean;
  hasDigits: boolean;
  /** What is left without digits. */
  letters: string;
}

/** A name taken apart. */
export interface Name {
  /** In Latin letters, lower case, one blank between words, legal forms at the end: for "the very same". */
  written: string;
  /**
   * The distinct words that tell, each in one spelling. Legal forms, fillers and initials are left out unless there is
   * nothing else: "Aircraft, Avionics & Parts Ltd." gives words for aircraft, avionics and parts.
   */
  words: string[];
  /** The words that are compared, each once; no legal forms and no fillers. Neighbouring letters are one word: "C & F". */
  tokens: Token[];
  /** Of "SURNAME, Given Names" the first given name. */
  given: string | undefined;
  /** The names of fathers after "bin", which are left out as often as they are written. */
  fathers: string[];
  /** The same as a person's name: without titles, and each letter is an initial. */
  personTokens: Token[];
  /** First letters of what tells, in order: "International Business Machines" has "ibm". */
  initials: string;
  /** Numbers of its own, from digits and Roman numerals: of "Fund III" 3, of "Petro-1" 1. */
  numbers: string[];
  /** Its words as they were written, without legal forms: what to search for in a register. */
  core: string;
  /** The legal forms as written, and the kinds of company that they mean. */
  forms: string[];
  kinds: number;
  /** Whether it was written in another script: then its words are spelt by ear. */
  isTransliterated: boolean;
  /** Whether it was written without its vowels, as Arabic and Hebrew are. */
  consonantsOnly: boolean;
}

const HAN = /\p{Script=Han}/u;
const HAS_CONSONANT_SCRIPT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/** Any script in Latin letters without accents: "Łódź", "Путин" and "محمد" become "Lodz", "Putin" and "mhmd". */
export async function toLatin(name: string): Promise<string> {
  const clipped = name.slice(0, MAX_CHARACTERS);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant.
  if (/^[\x00-\x7f]*$/.test(clipped)) return clipped;
  const anyAscii = await transliterator();
  // One sign may be a sentence: U+FDFA is eighteen letters.
  const composed = nativeFormsToLatin(clipped.normalize("NFKC").slice(0, MAX_CHARACTERS));
  const text = (HAN.test(composed) ? await readHan(composed) : composed)
    .replace(/(?<=\p{L}) (?=الله(?!\p{L}))/gu, "")
    // The article is a word of its own in Latin letters.
    .replace(/(?<!\p{L})ال(?=\p{L}{2})/gu, "al ")
    // Romanised as z, as in Zawahiri, where the transliterator writes dh.
    .replace(/ظ/gu, "ز")
    .replace(/ου/gu, "ou")
    // Every Korean syllable is one, and romanised as one.
    .replace(/\p{Script=Hangul}/gu, (syllable) => ` ${anyAscii(syllable)} `);
  return anyAscii(text);
}

/** Takes a name of any script apart. */
export async function readName(name: string): Promise<Name> {
  const clipped = name.slice(0, MAX_CHARACTERS);
  const isTransliterated = /[^\P{L}\p{Script=Latin}]/u.test(clipped);
  const consonantsOnly = HAS_CONSONANT_SCRIPT.test(clipped);
  return { ...takeApart(await toLatin(clipped)), isTransliterated, consonantsOnly };
}

/** Takes apart a name that is in Latin letters already. */
export function takeApart(latin: string): Name {
  const written = splitWords(latin);
  const { words: core, forms, kinds } = withoutLegalForms(written);
  const whole = core.length > 0 ? core : written;
  const { words: named, numbers } = readNumerals(whole, kinds !== ANY_FORM);
  const kept = withoutFillers(named.length > 0 ? named : written);
  const long = kept.filter((word) => word.length > 1);
  const untitled = kept.filter((word) => !TITLES.has(word));
  const given = givenOf(latin);
  const tokenOf = memoized(toToken);
  return {
    written: [...core, ...forms.map((form) => form.replaceAll(" ", ""))].join(" "),
    words: [...new Set((long.length > 0 ? long : kept).map((word) => tokenOf(word).folded))].slice(0, MAX_WORDS),
    tokens: distinct(joinLetters(kept)).map(tokenOf),
    personTokens: distinct(givenFirst(untitled.length > 0 ? untitled : kept, given)).map(tokenOf),
    given,
    fathers: fathersOf(named),
    initials: named.map((word) => word[0] ?? "").join(""),
    numbers,
    core: whole.join(" "),
    forms,
    kinds,
    isTransliterated: false,
    consonantsOnly: false,
  };
}

/** The distinct words of a Latin name: what `takeApart` calls `words`. */
export const wordsOf = (latin: string): string[] => takeApart(latin).words;

const ARTICLES = new Set(["al", "il", "ul"]);

/** The words by their consonants, without the article: how a name that is written without vowels is compared. */
export const skeletonsOf = ({ personTokens }: Name): Token[] =>
  distinct(
    personTokens
      .map(({ folded }) => folded)
      .filter((word) => word.length > 1 && !ARTICLES.has(word))
      .map((word) => skeletonOf(word) || word),
  ).map(toSkeleton);

function withoutFillers(words: readonly string[]): readonly string[] {
  const telling = words.filter((word) => !FILLERS.has(word));
  return telling.length > 0 ? telling : words;
}

const SONS = new Set(["bin", "ibn", "ben", "bint"]);

const fathersOf = (words: readonly string[]): string[] => words.filter((_, i) => SONS.has(words[i - 1] ?? ""));

/** Neighbouring letters are one abbreviation: "C & F" and "J.P." */
function joinLetters(words: readonly string[]): string[] {
  const joined: string[] = [];
  let isRun = false;
  for (const word of words) {
    const isLetter = /^[a-z]$/.test(word);
    if (isLetter && isRun) joined.push((joined.pop() ?? "") + word);
    else joined.push(word);
    isRun = isLetter;
  }
  return joined;
}

function givenOf(latin: string): string | undefined {
  const [, names, more] = latin.split(",", 3);
  if (names === undefined || more !== undefined) return undefined;
  return splitWords(names).find((word) => word.length > 1 && !TITLES.has(word) && !FILLERS.has(word));
}

/** In the order in which people write it, also without blanks: "SergeiLavrov". */
function givenFirst(words: readonly string[], given: string | undefined): readonly string[] {
  const first = given === undefined ? 0 : words.indexOf(given);
  return first > 0 ? [...words.slice(first), ...words.slice(0, first)] : words;
}

const distinct = (words: readonly string[]): string[] => [...new Set(words)].slice(0, MAX_WORDS);

function memoized<T>(make: (text: string) => T): (text: string) => T {
  const made = new Map<string, T>();
  return (text) => {
    const known = made.get(text) ?? make(text);
    made.set(text, known);
    return known;
  };
}

function toToken(text: string): Token {
  const letters = text.replace(/\d+/g, "");
  return {
    ...{ text, folded: foldSpelling(text), canonical: canonicalWord(text), letters },
    ...{ isNumber: letters === "", hasDigits: letters !== text },
  };
}

/** The consonants of a word as a word of its own. */
const toSkeleton = (text: string): Token => ({ ...toToken(text), folded: text, canonical: text });

function splitWords(latin: string): string[] {
  return latin
    .slice(0, MAX_CHARACTERS * 4)
    .toLowerCase()
    .replace(/['`]/g, "")
    .replace(/\bu\.\s?([skn])\.?(?![a-z])/g, "u$1 ")
    .replace(/\b(?:[a-z]\.){3,}|\b(?:[a-z]\.){2,}[a-z]\b/g, joinAbbreviation)
    .replace(/\babd[ -](?:[aeu]l)\b/g, "abdul")
    .replace(/(\d)[.,](?=\d{3}\b)/g, "$1")
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
}

/** "H.E.S.A." is one word and the initials "R.A." are two. */
const joinAbbreviation = (dotted: string) => `${dotted.replaceAll(".", "")} `;
