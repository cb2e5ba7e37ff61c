/** Words beside a match that seem to belong to it and that its readings leave out: nothing is answered as if it were whole. */
import type { Scanner } from "./scan.js";
import { CARDINALS, MONTHS, ORDINALS, UNITS, WEEKDAY_WORDS } from "./words.js";

/** Where a match stands, in tokens. */
export interface Place {
  from: number;
  next: number;
  type: string;
  modifier: string | null;
}

/** Words of time that say something by themselves. */
const LONE = new Set([
  ...["half", "halves", "halfway", "early", "late", "mid", "eve", "fiscal", "fy"],
  ...["spring", "summer", "autumn", "winter", "semester", "trimester", "season", "every", "each", "fortnightly"],
]);
/** Before `of` alone, because they are verbs as well. */
const EDGES = new Set(["end", "beginning", "start", "middle"]);
const AFTER = new Set(["ago", "later", "earlier", "hence", "onwards", "onward", "afterwards", "inclusive", "sharp"]);
const JOINTS = new Set([
  ...["of", "after", "before", "from", "to", "till", "until", "through", "thru", "following", "preceding", "than"],
  ...["-", "–", "—", "/", "and", "or", "&", "in"],
]);
const ARTICLES = new Set(["the", "a", "an", "this", "that", "its"]);
/** After these another match is a part of the one before. */
const LEADS_ON = new Set([
  "of",
  "to",
  "till",
  "through",
  "thru",
  "-",
  "–",
  "—",
  "after",
  "before",
  "from",
  "following",
  "preceding",
]);
/** Between things of a list, and between the ends of an amount. */
const LISTS = ["and", "or", "to", "-", "–", "&"];
const MOST = 6;

const isUnit = (word: string): boolean =>
  word.length > 2 && (UNITS.has(word) || word === "weekday" || word === "weekdays");
const isCounting = (word: string): boolean =>
  ORDINALS.has(word) || CARDINALS.has(word) || /^(?:st|nd|rd|th|\d{1,4})$/.test(word);
const isStrong = (word: string): boolean =>
  LONE.has(word) ||
  isUnit(word) ||
  (word.length > 4 && (MONTHS.has(word) || WEEKDAY_WORDS.has(word)) && word !== "march");

/** The words before and after a match that were left out, as they stand in the text. */
export function unreadBeside(scan: Scanner, places: Place[], at: number): string[] {
  const place = places[at];
  if (!place) return [];
  const before = beforeOf(scan, place, places[at - 1]?.next ?? 0);
  const after = afterOf(scan, place, places[at + 1]);
  const text = (from: number, next: number) => scan.text.slice(scan.tokens[from]?.start, scan.tokens[next - 1]?.end);
  return [
    ...(before < place.from ? [text(before, place.from)] : []),
    ...(after > place.next ? [text(place.next, after)] : []),
  ];
}

/** The first token that belongs to a match from before it. */
function beforeOf(scan: Scanner, place: Place, border: number): number {
  const { from } = place;
  const seen = { first: from, isJoined: false, hasUnknown: false };
  for (let at = from - 1; at >= Math.max(border, from - MOST); at--) {
    const word = scan.word(at);
    if (JOINTS.has(word)) seen.isJoined = true;
    else if (ARTICLES.has(word)) continue;
    else if (belongsBefore(scan, place, at, seen)) seen.first = at;
    // `the third blursday of October`: one word that is no word of time may stand between.
    else if (!isCounting(word) && (seen.hasUnknown || !/^[a-z]+$/.test(word) || !scan.is(from - 1, "of"))) break;
    else if (!isCounting(word)) seen.hasUnknown = true;
  }
  return seen.first;
}

interface Seen {
  first: number;
  isJoined: boolean;
  hasUnknown: boolean;
}

function belongsBefore(
  scan: Scanner,
  { from, type }: Place,
  at: number,
  { first, isJoined, hasUnknown }: Seen,
): boolean {
  const word = scan.word(at);
  const hasFound = first < from;
  if (hasFound && (isCounting(word) || ["last", "next", "past"].includes(word))) return true;
  if (LONE.has(word) || (isJoined && (EDGES.has(word) || isStrong(word)))) return true;
  if (!isCounting(word)) return false;
  const isOf = scan.is(from - 1, "of") || hasUnknown;
  if (isJoined) return isOf || (scan.is(from - 1, ...LISTS) && beginsWithNumber(scan, from));
  const isFraction = /^\d+$/.test(word) && /^\d/.test(scan.word(from)) && !scan.isTight(from);
  return at === from - 1 && (isFraction || type === "set");
}

const beginsWithNumber = (scan: Scanner, from: number): boolean =>
  isCounting(scan.word(from)) || (scan.is(from, "the") && isCounting(scan.word(from + 1)));

/** The token behind the last one that belongs to a match from after it. */
function afterOf(scan: Scanner, place: Place, other: Place | undefined): number {
  const border = other?.from ?? scan.tokens.length;
  let last = place.next;
  let at = place.next;
  for (; at < Math.min(border, place.next + MOST); at++) {
    if (belongsAfter(scan, place, at, last)) last = at + 1;
    else if (!JOINTS.has(scan.word(at)) && !ARTICLES.has(scan.word(at))) break;
  }
  return other && at >= border && leadsOn(scan, place, other) ? other.next : last;
}

function belongsAfter(scan: Scanner, place: Place, at: number, last: number): boolean {
  const word = scan.word(at);
  if (isStrong(word) || AFTER.has(word) || isZoneLike(scan, place, at)) return true;
  const hasFound = last > place.next;
  return hasFound && (isCounting(word) || (last === at && (word === "time" || word === "timezone")));
}

/** `8pm IRST`, `5 pm London time`. */
function isZoneLike(scan: Scanner, { type, next }: Place, at: number): boolean {
  if (!type.includes("time") || at !== next) return false;
  const raw = scan.text.slice(scan.tokens[at]?.start, scan.tokens[at]?.end);
  return /^[A-Z]{1,4}T$/.test(raw) || (/^[A-Za-z]{3,}$/.test(raw) && scan.is(at + 1, "time", "timezone"));
}

/** Whether the next match goes on with this one: `the day | after | X`, `monday to friday | 9am to 5pm`, `every monday and | friday`. */
function leadsOn(scan: Scanner, place: Place, other: Place): boolean {
  const gap: string[] = [];
  for (let at = place.next; at < other.from; at++) if (!ARTICLES.has(scan.word(at))) gap.push(scan.word(at));
  if (gap.length > 1) return false;
  const [word] = gap;
  if (word === undefined) {
    if (other.modifier === "after" || other.modifier === "before") return true;
    const [dates, times] = [/^date(?:range)?$/, /^time(?:range)?$/];
    return dates.test(place.type) && times.test(other.type);
  }
  if (word === "and" || word === "or" || word === "&") return place.type === "set" && /^date/.test(other.type);
  return LEADS_ON.has(word) || (place.type === "set" && (word === "in" || word === "during"));
}
