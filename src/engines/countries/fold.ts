/** Letters that Unicode does not decompose into a plain letter and an accent, and Arabic ones that writers exchange. */
const PLAIN: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  ı: "i",
  þ: "th",
  ς: "σ",
  ة: "ه",
  ى: "ي",
  ی: "ي",
  ک: "ك",
};
const TO_PLAIN = new RegExp(`[${Object.keys(PLAIN).join("")}]`, "gu");

/**
 * Accents of the Latin, Greek and Cyrillic scripts, points of Hebrew, vowel signs of Arabic and the dot under letters of
 * Devanagari. Other marks are letters in all but name: without them the Hindi names of Togo and Tonga would be one.
 */
const ACCENTS = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u093c\u200c-\u200f]/gu;

/** Without case, accents, punctuation between words and a leading "the"; "&" is "and", and "St." is "Saint". */
export function foldName(name: string): string {
  return (
    name
      .normalize("NFKD")
      .toLowerCase()
      .replace(ACCENTS, "")
      // Together again what is one letter in other scripts: syllables of Korean, voiced ones of Japanese.
      .normalize("NFC")
      .replace(TO_PLAIN, (letter) => PLAIN[letter] ?? letter)
      .replace(/\u0901/g, "\u0902")
      // A nasal before a consonant of its kind is written as a dot as well: "बुरुण्डी" and "बुरुंडी".
      .replace(/[\u0919\u091e\u0923\u0928\u092e]\u094d(?=[\u0915-\u092d])/g, "\u0902")
      .replace(/[’‘ʼʻ`´]/g, "'")
      .replace(/&/g, " and ")
      .replace(/[.,،、・\p{Pd}\s]+/gu, " ")
      .trim()
      .replace(/(^| )st (?=\p{L})/gu, "$1saint ")
      .replace(/^the (?=.)/, "")
  );
}
