/** English words of dates and times, and the tokens of a text. */
export interface WordToken {
  /** Lower case. */
  word: string;
  start: number;
  end: number;
}

/** Words, runs of digits, and single signs. */
export function tokensOf(text: string): WordToken[] {
  const tokens: WordToken[] = [];
  for (const { 0: word, index } of text.matchAll(/[a-z]+(?:['’][a-z]+)?|\d+|[^\sa-z\d]/gi))
    tokens.push({ word: word.toLowerCase().replace("’", "'"), start: index, end: index + word.length });
  return tokens;
}

const table = (groups: string[], from: number): ReadonlyMap<string, number> =>
  new Map(groups.flatMap((group, at) => group.split(" ").map((word): [string, number] => [word, at + from])));

export const MONTHS = table(
  [
    ...["january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug"],
    ...["september sep sept", "october oct", "november nov", "december dec"],
  ],
  1,
);

/** 1 Monday to 7 Sunday. */
export const WEEKDAY_WORDS = table(
  [
    ...["monday mon mondays", "tuesday tue tues tuesdays", "wednesday wed weds wednesdays"],
    ...["thursday thu thur thurs thursdays", "friday fri fridays", "saturday sat saturdays", "sunday sun sundays"],
  ],
  1,
);

const SMALL = [
  ...["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"],
  ...["thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"],
];
const TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
export const CARDINALS: ReadonlyMap<string, number> = new Map([
  ...SMALL.map((word, at): [string, number] => [word, at]),
  ...TENS.map((word, at): [string, number] => [word, (at + 2) * 10]),
]);

export const ORDINALS = table(
  [
    ...["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh"],
    ...["twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth"],
    "twentieth",
  ],
  1,
);

export type TimeUnit = "Y" | "M" | "W" | "D" | "H" | "N" | "S" | "B" | "F" | "Q" | "C" | "WE";

/** N is a minute, B a business day, F a fortnight, Q a quarter, C a decade. */
export const UNITS: ReadonlyMap<string, TimeUnit> = new Map(
  Object.entries({
    Y: "year years yr yrs y",
    M: "month months mo",
    W: "week weeks wk wks",
    D: "day days",
    H: "hour hours hr hrs h",
    N: "minute minutes min mins",
    S: "second seconds sec secs",
    F: "fortnight fortnights fortnight's",
    Q: "quarter quarters",
    C: "decade decades",
    WE: "weekend weekends",
  }).flatMap(([unit, words]) => words.split(" ").map((word): [string, TimeUnit] => [word, unit as TimeUnit])),
);

/** Seconds of a unit; months have 30 days, years 365. */
export const SECONDS: Record<TimeUnit, number> = {
  ...{ Y: 31_536_000, M: 2_592_000, W: 604_800, D: 86_400, H: 3600, N: 60, S: 1 },
  ...{ B: 86_400, F: 1_209_600, Q: 7_776_000, C: 315_360_000, WE: 172_800 },
};

export interface DayPart {
  timex: string;
  /** Seconds of the day. */
  from: number;
  to: number;
}

const hours = (timex: string, from: number, to: number): DayPart => ({ timex, from: from * 3600, to: to * 3600 });

export const NIGHT: DayPart = { timex: "TNI", from: 20 * 3600, to: 86_399 };

export const DAY_PARTS: ReadonlyMap<string, DayPart> = new Map([
  ["morning", hours("TMO", 8, 12)],
  ["mornings", hours("TMO", 8, 12)],
  ["afternoon", hours("TAF", 12, 16)],
  ["afternoons", hours("TAF", 12, 16)],
  ["evening", hours("TEV", 16, 20)],
  ["evenings", hours("TEV", 16, 20)],
  ["night", NIGHT],
  ["nights", NIGHT],
  ["daytime", hours("TDT", 8, 18)],
]);

export const NEXT = new Set(["next", "following", "upcoming", "coming"]);
export const LAST = new Set(["last", "previous", "past"]);
export const THIS = new Set(["this", "current"]);

/** Words of abbreviations of the present. */
export const NOW = new Set(["now", "asap"]);

/** Holidays of a fixed day: their names, month and day. */
export const FIXED_HOLIDAYS: [names: string[], month: number, day: number][] = [
  [["new year's day", "new year day", "new years day", "new year", "new year's"], 1, 1],
  [["new year's eve", "new year eve", "new years eve"], 12, 31],
  [["valentine's day", "valentines day", "valentine day"], 2, 14],
  [["saint patrick's day", "st patrick's day", "saint patrick day", "saint patrick", "st patrick"], 3, 17],
  [["april fools", "april fool's day"], 4, 1],
  [["earth day"], 4, 22],
  [["may day"], 5, 1],
  [["independence day"], 7, 4],
  [["halloween"], 10, 31],
  [["veterans day"], 11, 11],
  [["christmas eve", "xmas eve"], 12, 24],
  [["christmas day", "christmas", "xmas"], 12, 25],
  [["boxing day"], 12, 26],
];

/** Holidays of a weekday in a month; days are added for those that follow another. */
export const WEEKDAY_HOLIDAYS: [names: string[], month: number, weekday: number, nth: number, plus: number][] = [
  [["martin luther king day", "mlk day"], 1, 1, 3, 0],
  [["presidents day", "president's day", "washington's birthday"], 2, 1, 3, 0],
  [["mother's day", "mothers day", "mother day"], 5, 7, 2, 0],
  [["memorial day"], 5, 1, -1, 0],
  [["father's day", "fathers day", "father day"], 6, 7, 3, 0],
  [["labor day", "labour day"], 9, 1, 1, 0],
  [["columbus day"], 10, 1, 2, 0],
  [["thanksgiving day", "thanksgiving"], 11, 4, 4, 0],
  [["black friday"], 11, 4, 4, 1],
  [["cyber monday"], 11, 4, 4, 4],
];

/** Holidays by their distance from Easter Sunday. */
export const EASTER_HOLIDAYS: [names: string[], days: number][] = [
  [["good friday"], -2],
  [["easter monday"], 1],
  [["easter sunday", "easter day", "easter"], 0],
  [["ascension day"], 39],
  [["whit sunday", "pentecost"], 49],
];

/** A time of day by its timexes and seconds: two where morning and evening are open. */
export interface Clock {
  readings: { timex: string; seconds: number }[];
  /** False for a bare number, which needs a word before it. */
  isClear: boolean;
}

/** A zone as it was written, with its offset where the letters have but one, and the IANA name where they tell a region. */
export interface SpokenZone {
  text: string;
  offset: string | null;
  timeZone: string | null;
}
