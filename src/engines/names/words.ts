/** Names as comparable words: what spelling, script, order and legal form add to a name is taken off. */
import { lazy } from "../../lib/lazy.js";

const transliterator = lazy(() => import("any-ascii"));

/** A longer name says nothing more, and costs time. */
const MAX_CHARACTERS = 300;
const MAX_WORDS = 24;

const LEGAL_FORMS = new Set(
  (
    "llc llp lp inc incorporated corp corporation co company ltd limited plc gmbh mbh ag kg kgaa ohg ug se sa sas " +
    "sarl srl spa bv nv oy oyj ab asa aps as sro spol doo dd ad eood ood kft zrt nyrt sp pte pty sdn bhd tbk pt " +
    "jsc ojsc cjsc pjsc ooo oao zao pao ao tov fze fzco fzc dmcc wll ltda cv sl slu eirl lda aktiengesellschaft " +
    "gesellschaft trustee trustees"
  ).split(" "),
);
const LEGAL_PHRASES = [
  /\b(?:(?:open|closed|public|private) )?joint[ -]stock\b/g,
  /\blimited liability\b/g,
  /\b(?:(?:publichnoe|otkrytoe|zakrytoe) )?aktsionernoe obshchestvo\b/g,
  /\bobshchestvo s ogranichennoi otvetstvennostyu\b/g,
];
const FILLERS = new Set(["and", "the", "of", "for", "jr", "sr"]);

/** Spellings of one sound, as romanisations and languages differ in them, from longer to shorter. */
const SPELLINGS: [RegExp, string][] = [
  [/tsch|tch/g, "ch"],
  [/sch/g, "sh"],
  [/ck|kh|q/g, "k"],
  [/ph/g, "f"],
  [/dj/g, "j"],
  [/dh/g, "d"],
  [/gh/g, "g"],
  [/tz/g, "z"],
  [/x/g, "ks"],
  [/w/g, "v"],
  [/ou|oo|oe|ue|o/g, "u"],
  [/[yei]+/g, "i"],
];

/** Any script in Latin letters without accents: "Łódź", "Путин" and "محمد" become "Lodz", "Putin" and "mhmd". */
export async function toLatin(name: string): Promise<string> {
  const clipped = name.slice(0, MAX_CHARACTERS);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant.
  if (/^[\x00-\x7f]*$/.test(clipped)) return clipped;
  const { default: anyAscii } = await transliterator();
  return anyAscii(clipped.normalize("NFKC"));
}

/**
 * The distinct words of a Latin name, folded by `foldSpelling`. Legal forms, fillers and initials are left out unless
 * there is nothing else: "Aircraft, Avionics & Parts Ltd." gives words for aircraft, avionics and parts.
 */
export function wordsOf(name: string): string[] {
  const written = LEGAL_PHRASES.reduce((text, phrase) => text.replace(phrase, " "), name.toLowerCase())
    .replace(/\b(?:[a-z]\.){2,}/g, joinAbbreviation)
    .replace(/['`]/g, "")
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  const telling = written.filter((word) => !LEGAL_FORMS.has(word) && !FILLERS.has(word));
  const words = [telling.filter((word) => word.length > 1), telling, written].find(({ length }) => length > 0) ?? [];
  return [...new Set(words.map(foldSpelling))].slice(0, MAX_WORDS);
}

/** "S.A." and "H.E.S.A." are one word each, the initials "R.A." are two. */
function joinAbbreviation(dotted: string): string {
  const joined = dotted.replaceAll(".", "");
  return joined.length > 2 || LEGAL_FORMS.has(joined) ? `${joined} ` : dotted;
}

/** One spelling for what is heard the same: "Usama" and "Osama", "Qadhafi" and "Kadafi", "Sergey" and "Sergei". */
function foldSpelling(word: string): string {
  if (/\d/.test(word)) return word;
  const folded = SPELLINGS.reduce((text, [pattern, spelling]) => text.replace(pattern, spelling), word);
  return folded.replace(/(.)\1+/g, "$1");
}
