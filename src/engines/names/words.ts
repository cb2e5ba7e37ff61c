/** Names as comparable words: what spelling, script, order, titles and legal form add to a name is taken off. */
import { lazy } from "../../lib/lazy.js";
import { ANY_FORM, nativeFormsToLatin, withoutLegalForms } from "./legal-forms.js";
import { readNumerals } from "./numerals.js";
import { foldSpelling, skeletonOf } from "./spellings.js";

const transliterator = lazy(async () => (await import("any-ascii")).default);

/** A longer name says nothing more, and costs time. */
const MAX_CHARACTERS = 300;
const MAX_WORDS = 24;

const FILLERS = new Set("and the of for jr sr und et y e og och i de des du del della di do da dos das".split(" "));
/** They say how somebody is addressed, not who it is; in a company's name they are its name ("General Electric"). */
const TITLES = new Set(
  (
    "mr mrs ms miss mister dr doctor prof professor sir madam dame lord lady hon honorable honourable rev reverend father " +
    "sheikh sheik shaykh shaikh sheikha hajj haj haji hajji hadji al-hajj mullah mulla mawlawi maulvi maulavi molvi ayatollah " +
    "hojjatoleslam hojatoleslam hujjat imam sayyid ustad ustaz qari hafiz general gen lieutenant lt colonel col major maj captain capt brigadier brig " +
    "admiral adm marshal commander cmdr sergeant sgt minister president ambassador governor senator judge engineer eng ing " +
    "herr frau senor senora don dona monsieur madame mme mlle phd md esq esquire mba cpa princess"
  ).split(" "),
);

/** A name taken apart. */
export interface Name {
  /** In Latin letters, lower case, one blank between words, legal forms at the end: for "the very same". */
  written: string;
  /**
   * The distinct words that tell, each in one spelling. Legal forms, fillers and initials are left out unless there is
   * nothing else: "Aircraft, Avionics & Parts Ltd." gives words for aircraft, avionics and parts.
   */
  words: string[];
  /** First letters of what tells, in order: "International Business Machines" has "ibm". */
  initials: string;
  /** Numbers of its own, from digits and Roman numerals: of "Fund III" 3, of "Petro-1" 1. */
  numbers: string[];
  /** Its words as they were written, without legal forms: what to search for in a register. */
  core: string;
  /** The legal forms as written, and the kinds of company that they mean. */
  forms: string[];
  kinds: number;
  /** The words without titles of persons; the same array where there is none. */
  untitled: string[];
  /** Whether it was written without its vowels, as Arabic and Hebrew are. */
  consonantsOnly: boolean;
}

const HAS_CONSONANT_SCRIPT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/** Any script in Latin letters without accents: "Łódź", "Путин" and "محمد" become "Lodz", "Putin" and "mhmd". */
export async function toLatin(name: string): Promise<string> {
  const clipped = name.slice(0, MAX_CHARACTERS);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant.
  if (/^[\x00-\x7f]*$/.test(clipped)) return clipped;
  const anyAscii = await transliterator();
  const text = nativeFormsToLatin(clipped.normalize("NFKC"))
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
  return takeApart(await toLatin(name), HAS_CONSONANT_SCRIPT.test(name.slice(0, MAX_CHARACTERS)));
}

/** Takes apart a name that is in Latin letters already. */
export function takeApart(latin: string, consonantsOnly = false): Name {
  const written = splitWords(latin);
  const { words: core, forms, kinds } = withoutLegalForms(written);
  const whole = core.length > 0 ? core : written;
  const { words: named, numbers } = readNumerals(whole, kinds !== ANY_FORM);
  const telling = tellingOf(named);
  const untitled = telling.filter((word) => !TITLES.has(word));
  const words = fold(telling.length > 0 ? telling : written);
  return {
    written: [...core, ...forms.map((form) => form.replaceAll(" ", ""))].join(" "),
    words,
    initials: named.map((word) => word[0] ?? "").join(""),
    numbers,
    core: whole.join(" "),
    forms,
    kinds,
    untitled: untitled.length === telling.length || untitled.length === 0 ? words : fold(untitled),
    consonantsOnly,
  };
}

/** The distinct words of a Latin name: what `takeApart` calls `words`. */
export const wordsOf = (latin: string): string[] => takeApart(latin).words;

const ARTICLES = new Set(["al", "il", "ul"]);

/** The words by their consonants, without the article: how a name that is written without vowels is compared. */
export const skeletonsOf = ({ untitled }: Name): string[] =>
  untitled.filter((word) => !ARTICLES.has(word)).map((word) => skeletonOf(word) || word);

function tellingOf(words: readonly string[]): string[] {
  const telling = words.filter((word) => !FILLERS.has(word));
  const long = telling.filter((word) => word.length > 1);
  return long.length > 0 ? long : telling.length > 0 ? telling : [...words];
}

const fold = (words: readonly string[]) => [...new Set(words.map(foldSpelling))].slice(0, MAX_WORDS);

function splitWords(latin: string): string[] {
  return latin
    .slice(0, MAX_CHARACTERS * 4)
    .toLowerCase()
    .replace(/['`]/g, "")
    .replace(/\bu\.\s?([skn])\.?(?![a-z])/g, "u$1 ")
    .replace(/\b(?:[a-z]\.){3,}|\b(?:[a-z]\.){2,}[a-z]\b/g, joinAbbreviation)
    .replace(/(\d)[.,](?=\d{3}\b)/g, "$1")
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
}

/** "H.E.S.A." is one word and the initials "R.A." are two. */
const joinAbbreviation = (dotted: string) => `${dotted.replaceAll(".", "")} `;
