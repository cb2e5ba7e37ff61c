/** Codes of English words by their sound: Soundex, NYSIIS and Metaphone. Accents are dropped first. */

const withoutAccents = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "");
const VOWELS = "AEIOU";
const isVowel = (letter: string | undefined): boolean =>
  letter !== undefined && letter !== "" && VOWELS.includes(letter);

const SOUNDEX: Readonly<Record<string, string>> = {
  ...{ B: "1", F: "1", P: "1", V: "1", C: "2", G: "2", J: "2", K: "2", Q: "2", S: "2", X: "2", Z: "2" },
  ...{ D: "3", T: "3", L: "4", M: "5", N: "5", R: "6" },
};

/** The first letter and three digits; consonants of one class in a row count once, also around H and W. */
export function soundex(text: string): string {
  const letters = [...withoutAccents(text).toUpperCase()];
  const [first] = letters;
  if (first === undefined) return "";
  let code = first;
  let last = SOUNDEX[first];
  for (const letter of letters.slice(1)) {
    const digit = SOUNDEX[letter];
    if (digit && digit !== last) code += digit;
    if (digit || (letter !== "H" && letter !== "W")) last = digit;
    if (code.length === first.length + 3) break;
  }
  return code.padEnd(first.length + 3, "0");
}

type Rewrite = readonly [pattern: RegExp, by: string];

const rewrite = (text: string, rewrites: readonly Rewrite[]) => {
  const found = rewrites.find(([pattern]) => pattern.test(text));
  return found ? text.replace(...found) : text;
};

const NYSIIS_BEGINNINGS: readonly Rewrite[] = [
  [/^MAC/, "MCC"],
  [/^KN/, "N"],
  [/^K/, "C"],
  [/^P[HF]/, "FF"],
  [/^SCH/, "SSS"],
];
const NYSIIS_ENDS: readonly Rewrite[] = [
  [/(?:IE|EE)$/, "Y"],
  [/(?:DT|RT|RD|NT|ND)$/, "D"],
];
/** The code of a beginning of the rest, and how many letters of it are taken. */
const NYSIIS_GROUPS: readonly (readonly [group: string, code: string, taken: number])[] = [
  ["EV", "AF", 2],
  ["KN", "N", 1],
  ["SCH", "SS", 3],
  ["PH", "F", 2],
  ["Q", "G", 1],
  ["Z", "S", 1],
  ["M", "N", 1],
  ["K", "C", 1],
];

export function nysiis(text: string): string {
  const word = rewrite(rewrite(text.toUpperCase(), NYSIIS_BEGINNINGS), NYSIIS_ENDS);
  if (word === "") return "";
  const codes = [word[0] as string];
  for (let at = 1; at < word.length; ) {
    const [code, taken] = nysiisAt(word, at);
    if (code.at(-1) !== codes.at(-1)?.at(-1)) codes.push(code);
    at += taken;
  }
  let key = codes.join("");
  if (key.endsWith("S") && key !== "S") key = key.slice(0, -1);
  if (key.endsWith("AY")) key = `${key.slice(0, -2)}Y`;
  return key.endsWith("A") && key !== "A" ? key.slice(0, -1) : key;
}

function nysiisAt(word: string, at: number): [code: string, taken: number] {
  const letter = word[at] as string;
  const before = word[at - 1] as string;
  const group = NYSIIS_GROUPS.find(([begin]) => word.startsWith(begin, at));
  if (group) return [group[1], group[2]];
  if (isVowel(letter)) return ["A", 1];
  if (letter === "H" && !(isVowel(before) && isVowel(word[at + 1]))) return [isVowel(before) ? "A" : before, 1];
  return [letter === "W" && isVowel(before) ? before : letter, 1];
}

interface Place {
  next: string;
  second: string;
  before: string | undefined;
}

/** The code of a letter where it stands, and how many letters after it are taken as well. */
type Sound = string | ((place: Place) => string | [code: string, taken: number]);

const isFront = (letter: string) => letter !== "" && "IEY".includes(letter);
const isSh = ({ next, second }: Place) => next === "I" && (second === "O" || second === "A");

const SOUNDS: Readonly<Record<string, Sound>> = {
  ...{ B: "B", F: "F", J: "J", L: "L", M: "M", N: "N", R: "R", Q: "K", V: "F", Z: "S" },
  C({ next, second }) {
    if ((next === "I" && second === "A") || next === "H") return ["X", 1];
    return isFront(next) ? ["S", 1] : "K";
  },
  D: ({ next, second }) => (next === "G" && isFront(second) ? ["J", 2] : "T"),
  G({ next, second }) {
    if (isFront(next)) return "J";
    return next === "H" && !isVowel(second) ? ["", 1] : "K";
  },
  H: ({ next, before }) => (before === undefined || isVowel(next) || !isVowel(before) ? "H" : ""),
  K: ({ before }) => (before === "C" ? "" : "K"),
  P: ({ next }) => (next === "H" ? ["F", 1] : "P"),
  S: (place) => (place.next === "H" ? ["X", 1] : isSh(place) ? ["X", 2] : "S"),
  T(place) {
    if (isSh(place)) return "X";
    if (place.next === "H") return ["0", 1];
    return place.next === "C" && place.second === "H" ? "" : "T";
  },
  W({ next, before }) {
    if (before === undefined && next === "H") return ["W", 1];
    return isVowel(next) ? "W" : "";
  },
  X: (place) => (place.before !== undefined ? "KS" : place.next === "H" || isSh(place) ? "X" : "S"),
  Y: ({ next }) => (isVowel(next) ? "Y" : ""),
};

export function metaphone(text: string): string {
  const plain = withoutAccents(text).toUpperCase();
  const word = /^(?:KN|GN|PN|WR|AE)/.test(plain) ? plain.slice(1) : plain;
  let result = "";
  for (let at = 0; at < word.length; at++) {
    const letter = word[at] as string;
    const place = { next: word[at + 1] ?? "", second: word[at + 2] ?? "", before: word[at - 1] };
    if (letter === place.next && letter !== "C") continue;
    const [code, taken] = metaphoneAt(letter, place, result);
    result += code;
    at += taken;
  }
  return result;
}

function metaphoneAt(letter: string, place: Place, result: string): [code: string, taken: number] {
  if (letter === " ") return [result !== "" && !result.endsWith(" ") ? " " : "", 0];
  if (isVowel(letter)) return [place.before === undefined || place.before === " " ? letter : "", 0];
  const sound = SOUNDS[letter] ?? "";
  const code = typeof sound === "string" ? sound : sound(place);
  return typeof code === "string" ? [code, 0] : code;
}
