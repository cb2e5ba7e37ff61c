/** Dates of feeds as instants: RFC 822, ISO 8601 in all its forms, and those of C and of some languages. */
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/** Beginnings of names in Greek and Hungarian, which have feeds of their own way. */
const OTHER_MONTHS: readonly (readonly [string, number])[] = [
  ...([
    ["ιαν", 1],
    ["φεβ", 2],
    ["μαρ", 3],
    ["μάρ", 3],
    ["μάώ", 3],
    ["απρ", 4],
    ["μαι", 5],
    ["μαϊ", 5],
    ["μάι", 5],
    ["ιουν", 6],
    ["ιούν", 6],
    ["ιον", 6],
    ["ιουλ", 7],
    ["ιούλ", 7],
    ["ιολ", 7],
    ["αυγ", 8],
    ["αύγ", 8],
    ["σεπ", 9],
    ["οκτ", 10],
    ["νοέ", 11],
    ["νοε", 11],
    ["δεκ", 12],
  ] as const),
  ...([
    ["január", 1],
    ["február", 2],
    ["március", 3],
    ["április", 4],
    ["május", 5],
    ["máujus", 5],
    ["június", 6],
    ["július", 7],
    ["augusztus", 8],
    ["szeptember", 9],
    ["október", 10],
    ["november", 11],
    ["december", 12],
  ] as const),
];
/** Hours east of Greenwich. */
const ZONES: Record<string, number> = {
  ...{ ut: 0, utc: 0, gmt: 0, z: 0, adt: -3, ast: -4, at: -4, edt: -4, est: -5, et: -5, cdt: -5, cst: -6, ct: -6 },
  ...{ mdt: -6, mst: -7, mt: -7, pdt: -7, pst: -8, pt: -8, a: -1, n: 1, m: -12, y: 12, met: 1, mest: 2, cet: 1 },
  ...{ cest: 2, eet: 2, eest: 3, wet: 0, west: 1, bst: 1, ist: 5.5, jst: 9, kst: 9, aest: 10, aedt: 11 },
};
const MINUTE = 60_000;
const MAX_LENGTH = 100;

interface Parts {
  year: number;
  month: number;
  day: number;
  time: string | undefined;
  zone: string | undefined;
}

/** ISO 8601 in UTC to the second; null for other texts. */
export function instantOf(text: string): string | null {
  const date = text.trim().replace(/\s+/g, " ");
  if (date === "" || date.length > MAX_LENGTH) return null;
  const parts = readIso(date) ?? readOrdinal(date) ?? readKorean(date) ?? readWords(date);
  const at = parts ? millisecondsOf(parts) : undefined;
  return at === undefined ? null : new Date(at).toISOString().replace(/\.\d{3}Z$/, "Z");
}

const TIME = "(?:[T ]\\s?(\\d{1,2}(?::?\\d{2}){0,2}(?:[.,]\\d{1,9})?)\\s?(Z|[+-]\\d{2}(?::?\\d{2})?|[A-Z]{2,4})?)?";
const ISO = new RegExp(`^(\\d{4})(?:-?(\\d{2})(?:-?(\\d{2}))?)?${TIME}$`, "i");
const SLASHES = new RegExp(`^(\\d{4})[/.](\\d{1,2})[/.](\\d{1,2})${TIME}$`, "i");
const DASHES = new RegExp(`^(\\d{4})-(\\d{1,2})-(\\d{1,2})${TIME}$`, "i");
const SHORT = new RegExp(`^(\\d{2})-?(\\d{2})-?(\\d{2})${TIME}$`, "i");

function readIso(date: string): Parts | undefined {
  const [, year, month = "1", day = "1", time, zone] =
    ISO.exec(date) ?? SLASHES.exec(date) ?? DASHES.exec(date) ?? SHORT.exec(date) ?? [];
  if (year === undefined) return undefined;
  return {
    year: year.length === 2 ? 2000 + Number(year) : Number(year),
    month: Number(month),
    day: Number(day),
    time,
    zone,
  };
}

/** Year and day of the year. */
function readOrdinal(date: string): Parts | undefined {
  const [, year, day, time, zone] = new RegExp(`^(\\d{4})-?(\\d{3})${TIME}$`, "i").exec(date) ?? [];
  if (year === undefined || Number(day) < 1 || Number(day) > 366) return undefined;
  const found = new Date(Date.UTC(Number(year), 0, Number(day)));
  return { year: found.getUTCFullYear(), month: found.getUTCMonth() + 1, day: found.getUTCDate(), time, zone };
}

/** `2004년 05월 28일 01:31:15` and `2004-05-28 오후 11:23:17`, in Korea's time. */
function readKorean(date: string): Parts | undefined {
  const [, year, month, day, half, time] =
    /^(\d{4})(?:년|-) ?(\d{2})(?:월|-) ?(\d{2})일? (?:(오전|오후) )?(\d{1,2}:\d{2}:\d{2})$/.exec(date) ?? [];
  if (year === undefined || time === undefined || !/[년오]/.test(date)) return undefined;
  const [hour = "", ...rest] = time.split(":");
  const shifted = half === "오후" ? (Number(hour) % 12) + 12 : Number(hour);
  return {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    time: [shifted, ...rest].join(":"),
    zone: "+0900",
  };
}

/** Dates with a month by its name: `Thu, 01 Jan 2004 19:48:21 GMT`, `Sun Jan 4 16:29:06 PST 2004`, `2004-július-13T9:15-05:00`. */
function readWords(date: string): Parts | undefined {
  const words = date
    .toLowerCase()
    .replace(/[,()]/g, " ")
    .replace(/^(\d{4})-(\p{L}+)-(\d{1,2})t?/u, "$3 $2 $1 ")
    .split(/[ ]+|(?<=\d)-(?=\p{L})|(?<=\p{L})-(?=\d{2})/u);
  const parts: Partial<Parts> = {};
  for (const word of words) if (word !== "") placeWord(word, parts);
  const { year, month, day, time, zone } = parts;
  return year === undefined || month === undefined || day === undefined ? undefined : { year, month, day, time, zone };
}

function placeWord(word: string, parts: Partial<Parts>): void {
  const month = monthOf(word);
  const [, clock, offset] = /^(\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?)(z|[+-]\d{2}:?\d{2})?$/.exec(word) ?? [];
  if (clock !== undefined) {
    parts.time = clock;
    if (offset !== undefined) parts.zone = offset;
  } else if (/^[+-]\d{4}$|^[+-]\d{2}:\d{2}$/.test(word) || Object.hasOwn(ZONES, word)) parts.zone ??= word;
  else if (/^(?:etc\/)?gmt[+-]/.test(word)) parts.zone = word.replace(/^(?:etc\/)?gmt/, "");
  else if (/^\d{1,2}(?:st|nd|rd|th)?$/.test(word) && parts.day === undefined) parts.day = Number.parseInt(word, 10);
  else if (month !== undefined && parts.month === undefined) parts.month = month;
  else if (/^\d{2}(?:\d{2})?$/.test(word) && parts.year === undefined) parts.year = fullYear(word);
}

function monthOf(word: string): number | undefined {
  const place = MONTHS.indexOf(word.slice(0, 3));
  if (place >= 0 && /^[a-z]+\.?$/.test(word)) return place + 1;
  return OTHER_MONTHS.find(([beginning]) => word.startsWith(beginning))?.[1];
}

const fullYear = (digits: string): number =>
  digits.length === 4 ? Number(digits) : Number(digits) + (Number(digits) < 90 ? 2000 : 1900);

function millisecondsOf({ year, month, day, time = "00:00:00", zone = "z" }: Parts): number | undefined {
  const [, hour = "0", minute = "0", second = "0"] = /^(\d{1,2}):?(\d{2})?:?(\d{2})?/.exec(time) ?? [];
  const [h, m, s] = [Number(hour), Number(minute), Number(second)];
  const isDay = month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (!isDay || h > 24 || m > 59 || s > 60 || year < 1 || year > 9998) return undefined;
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  local.setUTCHours(h, m, s);
  return local.getTime() - offsetOf(zone.toLowerCase()) * MINUTE;
}

/** Minutes east of Greenwich; a name that is not known is taken for UTC. */
function offsetOf(zone: string): number {
  const [, sign, hours = "0", minutes = "0"] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  if (sign !== undefined) return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  return (Object.hasOwn(ZONES, zone) ? (ZONES[zone] ?? 0) : 0) * 60;
}
