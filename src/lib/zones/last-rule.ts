/** The rule of a zone after its last listed change, as POSIX writes it: `CET-1CEST,M3.5.0,M10.5.0/3`. */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NAME = "(<[^>]+>|[A-Za-z]+)";
const TIME = "([+-]?\\d+(?::\\d+){0,2})";
const DATE = `M(\\d+)\\.(\\d)\\.(\\d)(?:/${TIME})?`;
const RULE = new RegExp(`^${NAME}${TIME}(?:${NAME}${TIME}?,${DATE},${DATE})?$`);

/** Local time from a change on. */
export interface Kind {
  offset: number;
  /** Empty where the zone has none. */
  letters: string;
}

export interface ZoneChange extends Kind {
  at: number;
}

export interface LastRule {
  /** Local time where no change of a year has come yet. */
  always: Kind;
  /** Two changes in order, or none. */
  changesOf(year: number): readonly ZoneChange[];
}

export function lastRule(text: string): LastRule {
  const [, name = "", west = "", summerName, summerWest, ...dates] = RULE.exec(text) ?? [];
  const always = { offset: -milliseconds(west), letters: lettersOf(name) };
  if (summerName === undefined) return { always, changesOf: () => [] };
  const offset = summerWest === undefined ? always.offset + HOUR : -milliseconds(summerWest);
  const summer = { offset, letters: lettersOf(summerName) };
  const known = new Map<number, ZoneChange[]>();
  return {
    always,
    changesOf(year) {
      const found = known.get(year);
      if (found) return found;
      const changes = [
        { ...summer, at: localTime(year, dates.slice(0, 4)) - always.offset },
        { ...always, at: localTime(year, dates.slice(4)) - summer.offset },
      ].sort((a, b) => a.at - b.at);
      known.set(year, changes);
      return changes;
    },
  };
}

/** Month, week of it (5 is the last), weekday and time, written as if it were UTC. */
function localTime(year: number, [month, week, weekday, time = "2"]: (string | undefined)[]): number {
  const first = Date.UTC(year, Number(month) - 1, 1);
  const after = (Number(weekday) - new Date(first).getUTCDay() + 7) % 7;
  const days = new Date(Date.UTC(year, Number(month), 0)).getUTCDate();
  const day = after + (Number(week) - 1) * 7;
  return first + (day < days ? day : day - 7) * DAY + milliseconds(time);
}

function milliseconds(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.replace(/^[+-]/, "").split(":").map(Number);
  return (time.startsWith("-") ? -1 : 1) * (hours * HOUR + minutes * 60_000 + seconds * 1000);
}

const lettersOf = (name: string): string => (/^(?:[A-Za-z]+|<-00>)$/.test(name) ? name.replace(/[<>]/g, "") : "");
