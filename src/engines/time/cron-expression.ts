/** Cron expressions of five to seven fields, with the extensions of Quartz: `L`, `W`, `#`, `?`, seconds and years. */

/** A mistake in an expression; the message names the field. */
export class CronError extends Error {}

const CRON_FIELDS = ["second", "minute", "hour", "dayOfMonth", "month", "dayOfWeek", "year"] as const;
export type CronField = (typeof CRON_FIELDS)[number];

/** Days of a month that are no plain numbers. */
export type DayRule =
  | { kind: "last"; before: number }
  | { kind: "lastWorkday" }
  | { kind: "nearestWorkday"; day: number }
  | { kind: "lastOfWeekday"; weekday: number }
  | { kind: "nth"; weekday: number; nth: number };

export interface CronExpression {
  /** The fields as written; a second or year that was left out is `0` or `*`. */
  text: Record<CronField, string>;
  /** Values of each field in ascending order; a weekday is 0 to 6 from Sunday. */
  values: Record<CronField, number[]>;
  dayRules: DayRule[];
  weekdayRules: DayRule[];
  /** True if any day of the month will do, or any weekday. */
  anyDay: boolean;
  anyWeekday: boolean;
  /** Zone named by `TZ=` or `CRON_TZ=` before the fields. */
  timeZone: string | undefined;
  /** Steps longer than their field, as written. */
  longSteps: string[];
}

const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const WEEKDAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

const RANGES: Record<CronField, { label: string; min: number; max: number; names?: string[] }> = {
  second: { label: "second", min: 0, max: 59 },
  minute: { label: "minute", min: 0, max: 59 },
  hour: { label: "hour", min: 0, max: 23 },
  dayOfMonth: { label: "day of month", min: 1, max: 31 },
  month: { label: "month", min: 1, max: 12, names: MONTHS },
  dayOfWeek: { label: "day of week", min: 0, max: 6, names: WEEKDAYS },
  year: { label: "year", min: 1, max: 2199 },
};

const NICKNAMES: Record<string, string> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

/** Throws a CronError. */
export function parseCron(given: string): CronExpression {
  const [, timeZone, body = ""] = /^(?:(?:CRON_)?TZ=(\S+)\s+)?(.*)$/s.exec(given.trim()) ?? [];
  const words = nickname(body).split(/\s+/);
  const text = fieldsOf(words);
  const [dayRules, weekdayRules, longSteps]: [DayRule[], DayRule[], string[]] = [[], [], []];
  const read = (field: CronField) => readField(field, text[field], { dayRules, weekdayRules, longSteps });
  const values = Object.fromEntries(CRON_FIELDS.map((field) => [field, read(field)])) as CronExpression["values"];
  const isAny = (field: CronField) => /^(?:[*?]|\*\/1)$/.test(text[field]);
  const days = { dayRules, weekdayRules, anyDay: isAny("dayOfMonth"), anyWeekday: isAny("dayOfWeek") };
  return { text, values, ...days, timeZone, longSteps };
}

function nickname(body: string): string {
  if (!body.startsWith("@")) return body;
  const known = NICKNAMES[body.toLowerCase()];
  if (known === undefined) throw new CronError(`${body} is not known; known are ${Object.keys(NICKNAMES).join(", ")}`);
  return known;
}

/** Six fields begin with seconds, unless the last can only be a year, or a `?` stands where days are without seconds. */
function fieldsOf(words: string[]): Record<CronField, string> {
  const endsInYear = /^(?:19|20|21)\d\d(?:[-,/]\d+)*$/.test(words[5] ?? "") || words[2] === "?" || words[4] === "?";
  const hasYear = words.length === 7 || (words.length === 6 && endsInYear);
  const hasSecond = words.length === (hasYear ? 7 : 6);
  if (words.length < 5 || words.length > 7)
    throw new CronError(`has ${words.length} fields; five, six (seconds first) or seven (years last) are read`);
  const all = [...(hasSecond ? [] : ["0"]), ...words, ...(hasYear ? [] : ["*"])];
  return Object.fromEntries(CRON_FIELDS.map((field, at) => [field, all[at] ?? "*"])) as Record<CronField, string>;
}

type Rules = Pick<CronExpression, "dayRules" | "weekdayRules" | "longSteps">;

function readField(field: CronField, text: string, rules: Rules): number[] {
  const values = new Set<number>();
  for (const item of text.toUpperCase().split(",")) {
    const rule = field === "dayOfMonth" ? dayRule(item) : field === "dayOfWeek" ? weekdayRule(item) : undefined;
    if (rule) (field === "dayOfMonth" ? rules.dayRules : rules.weekdayRules).push(rule);
    else for (const value of itemValues(field, item, rules.longSteps)) values.add(value);
  }
  return [...values].sort((a, b) => a - b);
}

function dayRule(item: string): DayRule | undefined {
  if (item === "LW" || item === "WL") return { kind: "lastWorkday" };
  const [, before] = /^L(?:-(\d{1,2}))?$/.exec(item) ?? [];
  if (item === "L" || before !== undefined)
    return { kind: "last", before: inRange("dayOfMonth", before ?? "0", item, 0, 30) };
  const [, after, ahead] = /^(?:W(\d{1,2})|(\d{1,2})W)$/.exec(item) ?? [];
  const day = after ?? ahead;
  return day === undefined ? undefined : { kind: "nearestWorkday", day: inRange("dayOfMonth", day, item) };
}

function weekdayRule(item: string): DayRule | undefined {
  const [, name, nth] = /^(\w{1,3}?)(?:L|#([1-5]|L))$/.exec(item) ?? [];
  if (name === undefined) return;
  const weekday = readValue("dayOfWeek", name, item) % 7;
  return nth === undefined || nth === "L"
    ? { kind: "lastOfWeekday", weekday }
    : { kind: "nth", weekday, nth: Number(nth) };
}

function itemValues(field: CronField, item: string, longSteps: string[]): number[] {
  const { label, min, max } = RANGES[field];
  const [, from = "", to, stepText] = /^([*?]|\w+)(?:-(\w+))?(?:\/(\d{1,4}))?$/.exec(item) ?? [];
  if (!from || (to !== undefined && /[*?]/.test(from))) throw new CronError(`"${item}" is not a ${label}`);
  const step = stepText === undefined ? 1 : Number(stepText);
  if (step === 0) throw new CronError(`"${item}" has a step of 0 in the ${label}`);
  const [first, last] = ends(field, { from, to, isOpen: stepText !== undefined }, item);
  if (first > last)
    throw new CronError(`"${item}" runs backwards in the ${label}: write ${from}-${max},${min}-${to ?? max}`);
  if (stepText !== undefined && first + step > last && step > max - min) longSteps.push(item);
  const values: number[] = [];
  for (let value = first; value <= last; value += step) values.push(field === "dayOfWeek" ? value % 7 : value);
  return values;
}

/** The first and last value of an item; `5/15` is open to the end of the field. */
function ends(
  field: CronField,
  { from, to, isOpen }: { from: string; to: string | undefined; isOpen: boolean },
  item: string,
) {
  const { min, max } = RANGES[field];
  if (/^[*?]$/.test(from)) return [min, max] as const;
  const first = readValue(field, from, item);
  if (to === undefined) return [first, isOpen ? Math.max(first, max) : first] as const;
  const last = readValue(field, to, item);
  // Sunday ends a week as 7.
  return [first, field === "dayOfWeek" && last === 0 && first > 0 ? 7 : last] as const;
}

function readValue(field: CronField, text: string, item: string): number {
  const { names } = RANGES[field];
  const at = names?.indexOf(text) ?? -1;
  if (at >= 0) return at + RANGES[field].min;
  return inRange(field, text, item);
}

function inRange(
  field: CronField,
  text: string,
  item: string,
  min = RANGES[field].min,
  max = field === "dayOfWeek" ? 7 : RANGES[field].max,
): number {
  const value = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  const { label, names } = RANGES[field];
  throw new CronError(
    `"${item}" is not a ${label}: ${min} to ${max}${names ? ` or ${names[0]} to ${names.at(-1)}` : ""}`,
  );
}
