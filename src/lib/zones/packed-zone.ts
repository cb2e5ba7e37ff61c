/** A time zone by the package's table: listed changes since 1970, and a rule for what comes after them. */
import { type Kind, lastRule, type ZoneChange } from "./last-rule.js";
import { type NamedZone, numericLetters, type Zone } from "./zone.js";

export interface Steps {
  /** Milliseconds of a unit. */
  unit: number;
  bySign: ReadonlyMap<string, number>;
}

/** Lists no change before this. */
export const TABLE_BEGIN = 0;

export interface PackedZone extends NamedZone {
  /** The letters of an offset, if need be from another time than the one asked for. */
  lettersOf(offset: number, instant: number): string;
}

/** Unpacks a line of the table. Times before 1970 are left to another zone. */
export function packedZone(line: string, { unit, bySign }: Steps, older: () => Zone): PackedZone {
  const [, kindsText = "", sequence = "", stepsText = "", rule = ""] = line.split("|");
  const kinds = kindsText.split(" ").map(readKind);
  const [first = kinds[0], ...rest] = [...sequence].map((digit) => kinds[Number.parseInt(digit, 36)]);
  if (first === undefined) throw new Error("a time zone has no kind of local time");
  let at = 0;
  const steps = (stepsText.match(/ [0-9a-z]+|\S/g) ?? []).map(
    (step) => bySign.get(step) ?? Number.parseInt(step.slice(1), 36),
  );
  const listed = rest.map((kind, index): ZoneChange => {
    at += steps[index] ?? Number.NaN;
    return { ...(kind ?? first), at: at * unit };
  });
  const last = lastRule(rule);
  const isRuled = last.changesOf(1970).length > 0;
  const lastAt = listed.at(-1)?.at ?? TABLE_BEGIN;

  const kindAt = (instant: number): Kind => {
    if (instant < lastAt || !isRuled) return listedAt(instant);
    const year = new Date(instant).getUTCFullYear();
    const changes = [year - 1, year, year + 1].flatMap((one) => last.changesOf(one));
    const ruled = changes.findLast((change) => change.at <= instant);
    return ruled !== undefined && ruled.at > lastAt ? ruled : listedAt(instant);
  };
  const listedAt = (instant: number): Kind => {
    let [low, high] = [0, listed.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((listed[middle]?.at ?? 0) <= instant) low = middle + 1;
      else high = middle;
    }
    return listed[low - 1] ?? first;
  };

  const offsetAt = (instant: number): number =>
    instant < TABLE_BEGIN ? older().offsetAt(instant) : kindAt(instant).offset;

  const lettersOf = (offset: number, instant: number): string => {
    const kind = kindAt(instant);
    const known = kind.offset === offset ? kind : kinds.findLast((one) => one.offset === offset);
    return known?.letters || numericLetters(offset);
  };

  /** Listed changes after an instant, then those of the rule, year by year. */
  function* changesAfter(from: number, to: number): Generator<ZoneChange> {
    yield* listed.filter(({ at }) => at > from && at <= to);
    if (!isRuled) return;
    const begin = Math.max(from, lastAt);
    for (let year = new Date(begin).getUTCFullYear() - 1; Date.UTC(year, 0) <= to + 366 * 86_400_000; year++)
      for (const change of last.changesOf(year)) if (change.at > begin && change.at <= to) yield change;
  }

  return {
    offsetAt,
    changeBetween(from, to) {
      if (from < TABLE_BEGIN) {
        const early = older().changeBetween(from, Math.min(to, TABLE_BEGIN));
        if (early !== undefined || to <= TABLE_BEGIN) return early;
      }
      let before = offsetAt(from);
      for (const { at: changeAt, offset } of changesAfter(Math.max(from, TABLE_BEGIN), to)) {
        if (offset !== before) return changeAt;
        before = offset;
      }
      return;
    },
    lettersAt: (instant) => lettersOf(offsetAt(instant), instant),
    lettersOf,
  };
}

function readKind(text: string): Kind {
  const [, letters = "", minutes] = /^([A-Za-z]*|-00)([+-][\d.]+)$/.exec(text) ?? [];
  return { letters, offset: Number(minutes) * 60_000 };
}
