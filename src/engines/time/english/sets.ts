/** Times that come again and again. */
import { lengthTimex } from "./lengths.js";
import { type Found, point } from "./reading.js";
import { type Scanned, type Scanner, scanned } from "./scan.js";
import { barePart, readClock } from "./times.js";
import { WEEKDAY_WORDS } from "./words.js";

const ADVERBS: Record<string, string> = {
  ...{ daily: "P1D", weekly: "P1W", biweekly: "P2W", monthly: "P1M", quarterly: "P3M", yearly: "P1Y", annually: "P1Y" },
  ...{ everyday: "P1D", hourly: "PT1H", annual: "P1Y", weekday: "" },
};

/** `every day`, `each two weeks`, `every Monday at 4pm`, `3pm each day`, `weekly`. */
export function set(scan: Scanner, at: number): Scanned<Found> | undefined {
  const clock = readClock(scan, at);
  const every = repeated(scan, clock ? clock.next : at);
  if (!every) return;
  const first = clock?.value.readings ?? [];
  const lead = scan.skip(every.next, "at", "@", ",");
  const later = clock ? undefined : readClock(scan, lead);
  const isTimed = later && (later.value.isClear || lead > every.next);
  const times = isTimed ? later.value.readings : first;
  const base = /^(?:P1D$|T)/.test(every.value) && times.length > 0 ? "" : every.value;
  const readings =
    times.length > 0 ? times.map(({ timex }) => point(`${base}${timex}`, null)) : [point(every.value, null)];
  return scanned({ type: "set", readings }, isTimed ? later.next : every.next);
}

function repeated(scan: Scanner, at: number): Scanned<string> | undefined {
  const adverb = ADVERBS[scan.word(at)];
  if (adverb) return scanned(adverb, at + 1);
  const start = scan.skip(at, "on");
  if (!scan.is(start, "every", "each")) return withoutEvery(scan, start);
  if (scan.is(start + 1, "weekday")) return scanned("P1WD", start + 2);
  const isOther = scan.is(start + 1, "other", "alternate");
  const named = isOther ? start + 2 : start + 1;
  const weekday = WEEKDAY_WORDS.get(scan.word(named));
  if (weekday !== undefined) return scanned(`XXXX-WXX-${weekday}`, named + 1);
  const part = barePart(scan, start + 1);
  if (part) return scanned(part.value.timex, part.next);
  const amount = isOther ? scanned(2, start + 2) : (scan.amount(start + 1) ?? scanned(1, start + 1));
  const unit = scan.unit(amount.next);
  return (
    unit && scanned(unit.value === "WE" ? `P${amount.value}WE` : lengthTimex([[amount.value, unit.value]]), unit.next)
  );
}

/** `Tuesdays`, `once a week`. */
function withoutEvery(scan: Scanner, at: number): Scanned<string> | undefined {
  const weekday = /days$/.test(scan.word(at)) ? WEEKDAY_WORDS.get(scan.word(at)) : undefined;
  if (weekday !== undefined) return scanned(`XXXX-WXX-${weekday}`, at + 1);
  const unit = scan.is(at, "once") && scan.is(at + 1, "a", "an") ? scan.unit(at + 2) : undefined;
  return unit && scanned(lengthTimex([[1, unit.value]]), unit.next);
}
