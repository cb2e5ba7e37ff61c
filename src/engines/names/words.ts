/** Converts names to comparable words: removes differences of spelling, script, order, titles and legal form. */
import { lazy } from "../../lib/lazy.js";
import { readHan } from "./han.js";
import { ANY_FORM, nativeFormsToLatin, withoutLegalForms } from "./legal-forms.js";
import { readNumerals } from "./numerals.js";
import { canonicalWord, foldSpelling, skeletonOf } from "./spellings.js";

const transliterator = lazy(async () => (await import("any-ascii")).default);

/** Longer names add no information and cost time. */
const MAX_CHARACTERS = 300;
const MAX_WORDS = 24;

const FILLERS = new Set("and the of for und et y e og och i de des du del della di do da dos das".split(" "));
/** Forms of address do not identify a person; in a company's name they do ("General Electric"). */
const TITLES = new Set(
  (
    "mr mrs ms miss mister dr doctor prof professor sir madam dame lord lady hon honorable honourable rev reverend father " +
    "sheikh sheik shaykh shaikh sheikha hajj haj haji hajji hadji al-hajj mullah mulla mawlawi maulvi maulavi molvi ayatollah " +
    "hojjatoleslam hojatoleslam hujjat imam sayyid ustad ustaz qari hafiz jr sr general gen lieutenant lt colonel col major maj captain capt brigadier brig " +
    "admiral adm marshal commander cmdr sergeant sgt minister president ambassador governor senator judge engineer eng ing " +
    "herr frau senor senora don dona monsieur madame mme mlle phd md esq esquire mba cpa princess"
  ).split(" "),
);

/** A word of a name in its compared forms. */
export interface Token {
  /** Lower-case Latin, as it was written. */
  text: string;
  /** One spelling for words that sound the same. */
  folded: string;
  /** Full form of a company word that was abbreviated or in another language. */
  canonical: string;
  isNumber: boolean;
  hasDigits: boolean;
  /** The word without digits. */
  letters: string;
}

/** A parsed name. */
export interface Name {
  /** In Latin letters, lower case, single blanks, legal forms at the end: for comparing identity. */
  written: string;
  /**
   * The distinct significant words, each in one spelling. Legal forms, fillers and initials are left out unless there
   * is nothing else: "Aircraft, Avionics & Parts Ltd." gives words for aircraft, avionics and parts.
   */
  words: string[];
  /** The compared words, each once; no legal forms and no fillers. Neighbouring letters are one word: "C & F". */
  tokens: Token[];
  /** The first given name of "SURNAME, Given Names". */
  given: string | undefined;
  /** Patronymics after "bin", which are often omitted. */
  fathers: string[];
  /** The same as a person's name: without titles, and each letter is an initial. */
  personTokens: Token[];
  /** Initials of the significant words: "International Business Machines" has "ibm". */
  initials: string;
  /** Its numbers, from digits and Roman numerals: 3 in "Fund III", 1 in "Petro-1". */
  numbers: string[];
  /** Its words as written, without legal forms, for searching a register. */
  core: string;
  /** The legal forms as written, and the company types that they stand for. */
  forms: string[];
  kinds: number;
  /** Whether it was written in another script, so that its words are compared by sound. */
  isTransliterated: boolean;
  /** Whether it was written without vowels, as in Arabic and Hebrew. */
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
  // One character may expand to a sentence: U+FDFA is eighteen letters.
  // guard: names: what a sign is written out to is cut | - .slice(0, MAX_CHARACTERS) | name-classes
  const composed = nativeFormsToLatin(clipped.normalize("NFKC").slice(0, MAX_CHARACTERS));
  const text = (HAN.test(composed) ? await readHan(composed) : composed)
    .replace(/(?<=\p{L}) (?=الله(?!\p{L}))/gu, "")
    // The article becomes a separate word in Latin letters.
    .replace(/(?<!\p{L})ال(?=\p{L}{2})/gu, "al ")
    // Romanised as z, as in Zawahiri, while the transliterator writes dh.
    .replace(/ظ/gu, "ز")
    .replace(/ου/gu, "ou")
    // Every Korean syllable is romanised separately.
    .replace(/\p{Script=Hangul}/gu, (syllable) => ` ${anyAscii(syllable)} `);
  return anyAscii(text);
}

/** Parses a name of any script. */
export async function readName(name: string): Promise<Name> {
  const clipped = name.slice(0, MAX_CHARACTERS);
  const isTransliterated = /[^\P{L}\p{Script=Latin}]/u.test(clipped);
  const consonantsOnly = HAS_CONSONANT_SCRIPT.test(clipped);
  return { ...takeApart(await toLatin(clipped)), isTransliterated, consonantsOnly };
}

/** Parses a name that is already in Latin letters. */
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

/** The distinct words of a Latin name: `words` of `takeApart`. */
export const wordsOf = (latin: string): string[] => takeApart(latin).words;

const ARTICLES = new Set(["al", "il", "ul"]);

/** The words by their consonants, without the article, for comparing a name written without vowels. */
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

/** In usual order, also without blanks: "SergeiLavrov". */
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
    text,
    folded: foldSpelling(text),
    canonical: canonicalWord(text),
    letters,
    isNumber: letters === "",
    hasDigits: letters !== text,
  };
}

/** The consonants of a word as a word. */
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
