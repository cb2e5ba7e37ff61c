/**
 * How names sound in scripts and languages that write foreign ones in several ways: "Pa-ki-xtan" and "Pa-ki-xờ-tan", "अण्डोरा" and
 * "एंडोरा". Consonants in classes and the end are compared: an ending tells adjectives, so it counts.
 */

type Replacements = readonly (readonly [RegExp, string])[];

/** Devanagari, without what `fold.ts` has merged. */
const HINDI: Replacements = [
  [/[\u0902\u0903ङञण]/gu, "न"],
  [/म\u094d?(?=[पफबभ])/gu, "न"],
  [/न\u094d?(?=[पफबभकखगघचछजझटठडढतथदध])/gu, "न"],
  [/[टठतथ]/gu, "त"],
  [/[डढदध]/gu, "द"],
  [/[शष]/gu, "स"],
  [/[ऑओऔअआइईउऊएऐऋ](?=.)/gu, ""],
  [/[आाऑॉअ]$/u, "A"],
  [/[इईिीएऐेै]$/u, "I"],
  [/[उऊुूओऔोौव]$/u, "U"],
  [/[\p{M}व]/gu, ""],
];

/** Arabic letters, after the alef of articles is gone. */
const ARABIC: Replacements = [
  [/[قكغج]/gu, "ج"],
  [/ط/gu, "ت"],
  [/[صث]/gu, "س"],
  [/[ضظذ]/gu, "د"],
  [/ڤ/gu, "ف"],
  [/[اأإآءئؤوي]+(?=يا)|[اأإآءئؤو](?=.)|ي(?=[^ا])/gu, ""],
  [/ا(?=.)/gu, ""],
  [/[اأى]$/u, "A"],
  [/[يئ]$/u, "I"],
  [/[وؤ]$/u, "U"],
];

/** Vietnamese syllables without accents. */
const VIETNAMESE: Replacements = [
  [/(?:nh|ng|m)(?![aeiouy])/gu, "n"],
  [/kh|qu|ch(?![aeiouy])|[cq]/gu, "k"],
  [/th/gu, "t"],
  [/ph/gu, "f"],
  [/gi?(?=[eio])(?<=gi)|x/gu, "s"],
  [/z/gu, "s"],
  [/[aeiouy](?=.)/gu, ""],
  [/[ai]$/u, "A"],
  [/[eouy]$/u, ""],
];

/** Syllables of vowels and single consonants are alike in more names: Jordan and Sudan. */
const LEAST_CONSONANTS = { syllables: 4, letters: 3 };

/** The sound of folded words, if it is long enough to tell names apart by. */
export function soundOf(words: readonly string[], syllables: boolean): string | undefined {
  const text = words.join(syllables ? "" : " ");
  const rules = syllables
    ? VIETNAMESE
    : HINDI_LETTERS.test(text)
      ? HINDI
      : ARABIC_LETTERS.test(text)
        ? ARABIC
        : undefined;
  if (!rules) return undefined;
  const sounds = text.split(" ").map((word) => apply(rules, word).replace(/(.)\1+/gu, "$1"));
  const consonants = sounds.join("").replace(/[A-Z]/g, "").length;
  if (consonants < LEAST_CONSONANTS[syllables ? "syllables" : "letters"]) return undefined;
  const firstVowel = syllables ? (/[aeiouy]/.exec(text)?.[0] ?? "") : "";
  return firstVowel + sounds.toSorted().join("");
}

const HINDI_LETTERS = /\p{Script=Devanagari}/u;
const ARABIC_LETTERS = /\p{Script=Arabic}/u;

/** Whether a name may be written in syllables, as Vietnamese writes foreign ones: "Bê-nanh", but "Timor-Leste" as well. */
export const mayBeVietnamese = (name: string): boolean =>
  /^[\p{Script=Latin}\p{M}\s(),-]+$/u.test(name) && /(?<!\p{L})\p{L}{1,5}-\p{L}{1,6}(?!\p{L})/u.test(name.normalize());

/** Whether it is: by letters that no other language has, or by more syllables than two. */
export const isVietnamese = (name: string): boolean =>
  mayBeVietnamese(name) && /[ăđơư\u1ea0-\u1ef9]|(?<!\p{L})(?:\p{L}{1,5}-){2}/iu.test(name.normalize());

const apply = (rules: Replacements, word: string) =>
  rules.reduce((text, [letters, sound]) => text.replace(letters, sound), word);
