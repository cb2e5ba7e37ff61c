/** Words beside a match that seem to belong to it and that its readings leave out: nothing is answered as if it were whole. */
import type { Scanner } from "./words/scan.js";
import { CARDINALS, MONTHS, ORDINALS, UNITS, WEEKDAY_WORDS } from "./words/words.js";

/** Where a match stands, in tokens. */
export interface MatchPlace {
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
/** Right before a match they change what it says. */
const PHRASES = [
  ...[
    "less than",
    "more than",
    "fewer than",
    "at least",
    "at most",
    "up to",
    "as late as",
    "as early as",
    "no later than",
  ],
  ...["no earlier than", "not later than", "later in", "earlier in", "later", "earlier", "rest of", "remaining of"],
  ...[
    "remainder of",
    "remaining",
    "ending",
    "ending on",
    "school",
    "academic",
    "calendar",
    "tax",
    "financial",
    "sy",
    "cy",
  ],
];
const SIGNS = new Set(["<", ">", "=", "≤", "≥", "~"]);
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
export function unreadBeside(scan: Scanner, places: MatchPlace[], at: number): string[] {
  const place = places[at];
  if (!place) return [];
  const before = beforeOf(scan, place, places[at - 1]?.next ?? 0);
  const after = afterOf(scan, place, places[at + 1]);
  const text = (from: number, next: number) => scan.text.slice(scan.tokens[from]?.start, scan.tokens[next - 1]?.end);
  return [
    ...(before < place.from ? [text(before, place.from)] : []),
    ...(after > place.next ? [text(scan.skip(place.next, ","), after)] : []),
  ];
}

/** The first token that belongs to a match from before it. */
function beforeOf(scan: Scanner, place: MatchPlace, border: number): number {
  const { from } = place;
  const seen = { first: from, isJoined: false, hasUnknown: false };
  for (let at = from - 1; at >= Math.max(border, from - MOST); at--) {
    const word = scan.word(at);
    if (JOINTS.has(word)) seen.isJoined = true;
    else if (ARTICLES.has(word)) continue;
    else if (belongsBefore(scan, place, at, seen)) seen.first = at;
    // `the third blursday of October`: one word without a time may stand between.
    else if (!isCounting(word) && (seen.hasUnknown || !/^[a-z]+$/.test(word) || !scan.is(from - 1, "of"))) break;
    else if (!isCounting(word)) seen.hasUnknown = true;
  }
  return Math.min(seen.first, phraseBefore(scan, from, border));
}

/** Where the longest of the phrases begins that ends at a match. */
function phraseBefore(scan: Scanner, from: number, border: number): number {
  const end = scan.is(from - 1, "the", "this") ? from - 1 : from;
  let first = from;
  for (const phrase of PHRASES) {
    const start = end - phrase.split(" ").length;
    if (start >= border && start < first && scan.after(start, phrase) === end) first = start;
  }
  while (first - 1 >= border && SIGNS.has(scan.word(first - 1))) first -= 1;
  return first;
}

interface Seen {
  first: number;
  isJoined: boolean;
  hasUnknown: boolean;
}

function belongsBefore(scan: Scanner, place: MatchPlace, at: number, { first, isJoined, hasUnknown }: Seen): boolean {
  const word = scan.word(at);
  const isNumber = isCounting(word);
  if (first < place.from && (isNumber || NEAR.has(word))) return true;
  if (LONE.has(word) || (isJoined && (EDGES.has(word) || isStrong(word)))) return true;
  if (!isNumber) return false;
  if (!isJoined) return at === place.from - 1 && countsMatch(scan, place, word);
  return (
    hasUnknown ||
    scan.is(place.from - 1, "of") ||
    (scan.is(place.from - 1, ...LISTS) && beginsWithNumber(scan, place.from))
  );
}

const NEAR = new Set(["last", "next", "past"]);

/** `2 | Fridays`, `first | Monday`, `1 | 1/2`. */
function countsMatch(scan: Scanner, { from, type }: MatchPlace, word: string): boolean {
  const isFraction = /^\d+$/.test(word) && /^\d/.test(scan.word(from)) && !scan.isTight(from);
  return isFraction || type === "set" || (ORDINALS.has(word) && WEEKDAY_WORDS.has(scan.word(from)));
}

const beginsWithNumber = (scan: Scanner, from: number): boolean =>
  isCounting(scan.word(from)) || (scan.is(from, "the") && isCounting(scan.word(from + 1)));

/** The token behind the last one that belongs to a match from after it. */
function afterOf(scan: Scanner, place: MatchPlace, other: MatchPlace | undefined): number {
  const border = other?.from ?? scan.tokens.length;
  let last = isCompound(scan, place.next) && place.next + 1 < border ? place.next + 2 : place.next;
  let at = last;
  for (; at < Math.min(border, place.next + MOST); at++) {
    if (belongsAfter(scan, place, at, last)) last = at + 1;
    else if (!JOINTS.has(scan.word(at)) && !ARTICLES.has(scan.word(at))) break;
  }
  return other && leadsOn(scan, place, other) ? other.next : last;
}

function belongsAfter(scan: Scanner, place: MatchPlace, at: number, last: number): boolean {
  const word = scan.word(at);
  if (word === "date" && scan.is(at - 1, "to", "till", "until")) return true;
  if (COUNTS.has(word) && isOfOthers(scan.word(at + 1))) return false;
  if (isStrong(word) || AFTER.has(word) || isZoneLike(scan, place, at)) return true;
  const hasFound = last > place.next;
  return hasFound && (isCounting(word) || (last === at && (word === "time" || word === "timezone")));
}

const COUNTS = new Set(["each", "every", "half", "halves"]);
const BETWEEN = new Set(["other", "second", "single", "past", "a", "an", "the"]);

/** Whether teams are counted, and no times: `on Monday | each team meets`. */
const isOfOthers = (word: string): boolean =>
  /^[a-z]+$/.test(word) && !BETWEEN.has(word) && !isStrong(word) && !isCounting(word);

/** `night-time`, `02-02-2020`: what is tied to the end of a match. */
const isCompound = (scan: Scanner, at: number): boolean =>
  scan.is(at, "-", "/") && scan.isTight(at) && scan.isTight(at + 1) && /^[a-z\d]/.test(scan.word(at + 1));

/** `8pm IRST`, `5 pm London time`. */
function isZoneLike(scan: Scanner, { type, next }: MatchPlace, at: number): boolean {
  if (!type.includes("time") || at !== next) return false;
  const raw = scan.text.slice(scan.tokens[at]?.start, scan.tokens[at]?.end);
  return /^[A-Z]{1,4}T$/.test(raw) || (/^[A-Za-z]{3,}$/.test(raw) && scan.is(at + 1, "time", "timezone"));
}

/** Whether the next match goes on with this one: `the day | after | X`, `monday to friday | 9am to 5pm`, `every monday and | friday`. */
function leadsOn(scan: Scanner, place: MatchPlace, other: MatchPlace): boolean {
  const gap: string[] = [];
  for (let at = place.next; at < other.from; at++) if (!ARTICLES.has(scan.word(at))) gap.push(scan.word(at));
  if (place.type === "duration" && gap[0] === ",") gap.shift();
  if (gap.length > 1) return false;
  const [word = ""] = gap;
  if (word === "") return goesOnAtOnce(place, other);
  if (LEADS_ON.has(word)) return true;
  if (ANDS.has(word)) return scan.is(place.from - 1, "between") || isListed(place.type, other.type);
  const isSet = place.type === "set" && (word === "in" || word === "during");
  return isSet || ((word === "on" || word === "at") && isDayWithHours(place.type, other.type));
}

/** `every Monday and | Friday`, `3 months and | 2 weeks`. */
const isListed = (type: string, other: string): boolean =>
  type === "set" ? other.startsWith("date") : other === "duration" && (DATES.test(type) || type === "duration");

/** `monday to friday at | 9am`, `9am to 5pm on | Friday`. */
const isDayWithHours = (type: string, other: string): boolean =>
  DATES.test(type) ? TIMES.test(other) : type === "timerange" && DATES.test(other);

const [DATES, TIMES] = [/^date(?:range)?$/, /^time(?:range)?$/];
const ANDS = new Set(["and", "or", "&"]);

/** Nothing stands between them. */
function goesOnAtOnce(place: MatchPlace, other: MatchPlace): boolean {
  if (other.modifier === "after" || other.modifier === "before") return true;
  if (place.type === "duration") return other.modifier === "since";
  return DATES.test(place.type) && (TIMES.test(other.type) || DATES.test(other.type)) && other.modifier === null;
}
