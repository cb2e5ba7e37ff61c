/** The occurrences of a calendar's events within a time. */
import { endText, instantOf, type Moment, momentText, type ReadEvent } from "./ics-events.js";
import type { IcsProblem, IcsProperty } from "./ics-lines.js";
import { localText } from "./local-time.js";
import { type Budget, occurrencesOf, spend } from "./recurrence.js";
import { parseRule, RuleError } from "./recurrence-rule.js";

const DAY = 86_400_000;
/** Longer than the distance of any zone from UTC. */
const MARGIN = 2 * DAY;

export interface Occurrence {
  uid: string;
  summary: string | null;
  start: string;
  end: string;
  local: string;
  recurrenceId: string | null;
}

export interface Expansion {
  /** In UTC; open if undefined. */
  from: number | undefined;
  to: number | undefined;
  limit: number;
  budget: Budget;
  problems: IcsProblem[];
}

interface Found {
  at: number;
  occurrence: Occurrence;
}

/** The first occurrences in order. Throws TooManyPeriods. */
export function expandEvents(events: ReadEvent[], expansion: Expansion): Occurrence[] {
  const replaced = replacedTimes(events);
  const none = new Set<number>();
  const earliest = collect(expansion.limit);
  for (const event of events) {
    const others = event.replaces ? none : (replaced.get(event.row.uid) ?? none);
    for (const next of occurrencesIn(event, expansion, others)) if (!earliest.take(next)) break;
  }
  return earliest.all().map(({ occurrence }) => occurrence);
}

/** The occurrences of each event that others replace. */
function replacedTimes(events: ReadEvent[]): Map<string, Set<number>> {
  const replaced = new Map<string, Set<number>>();
  for (const { row, replaces } of events)
    if (replaces) replaced.set(row.uid, (replaced.get(row.uid) ?? new Set()).add(instantOf(replaces)));
  return replaced;
}

/** Keeps the earliest of many. `take` is false for what lies behind all that are kept. */
function collect(limit: number) {
  let [found, bound]: [Found[], number] = [[], Number.POSITIVE_INFINITY];
  const all = () => found.sort((a, b) => a.at - b.at).slice(0, limit);
  return {
    all,
    take(next: Found): boolean {
      if (next.at > bound) return false;
      found.push(next);
      if (found.length >= limit * 2) {
        found = all();
        bound = found.at(-1)?.at ?? bound;
      }
      return true;
    },
  };
}

function* occurrencesIn(event: ReadEvent, expansion: Expansion, replaced: Set<number>): Generator<Found> {
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = expansion;
  const length = event.duration.days * DAY + event.duration.time;
  if (event.replaces !== undefined && event.row.status === "CANCELLED") return;
  const isBefore = (at: number) => at + length < from || (at + length === from && length > 0);
  let given = 0;
  for (const moment of momentsOf(event, expansion, from - length - MARGIN, to + MARGIN)) {
    const at = instantOf(moment);
    if (at >= to || given >= expansion.limit) return;
    if (isBefore(at) || replaced.has(at)) continue;
    yield { at, occurrence: rowOf(event, moment) };
    given += 1;
  }
}

function rowOf({ row, rules, added, duration }: ReadEvent, moment: Moment): Occurrence {
  const start = momentText(moment);
  return {
    ...{ uid: row.uid, summary: row.summary, start, end: endText(moment, duration) },
    local: moment.kind === "date" ? start : localText(moment.local),
    recurrenceId: row.recurrenceId ?? (rules.length > 0 || added.length > 0 ? start : null),
  };
}

/** The times of an event in order, without those that are excluded. */
function* momentsOf(event: ReadEvent, expansion: Expansion, from: number, to: number): Generator<Moment> {
  const { start } = event;
  const isSingle = event.rules.length === 0;
  const added = [...(isSingle ? [start.local] : []), ...event.added.map((moment) => localIn(moment, start))];
  const excluded = new Set(event.excluded.map((moment) => localIn(moment, start)));
  const excludedDays = new Set(event.excluded.filter(({ kind }) => kind === "date").map(({ local }) => local));
  const sources = [
    added.sort((a, b) => a - b)[Symbol.iterator](),
    ...event.rules.map((rule) => ruleTimes(rule, event, expansion, from, to)),
  ];
  const { budget } = expansion;
  const left = merged(
    event.excludedRules.map((rule) => ruleTimes(rule, event, expansion, from, to)),
    budget,
  );
  let skip = left.next();
  for (const local of merged(sources, budget)) {
    if (local < from) continue;
    if (local > to) return;
    while (!skip.done && skip.value < local) skip = left.next();
    if (!skip.done && skip.value === local) continue;
    if (excluded.has(local) || excludedDays.has(Math.floor(local / DAY) * DAY)) continue;
    yield { ...start, local };
  }
}

/** A time as the clocks of the event's own zone show it. */
function localIn(moment: Moment, { kind, zone }: Moment): number {
  if (moment.kind === "date" || moment.kind === "floating" || kind === "date" || kind === "floating")
    return moment.local;
  const instant = instantOf(moment);
  return instant + (zone?.zone.offsetAt(instant) ?? 0);
}

function ruleTimes(
  rule: IcsProperty,
  { start }: ReadEvent,
  { budget, problems }: Expansion,
  from: number,
  to: number,
): Iterator<number> {
  try {
    const offsetAt = (instant: number) => start.zone?.zone.offsetAt(instant) ?? 0;
    const span = {
      ...(Number.isFinite(from) ? { from } : {}),
      ...(Number.isFinite(to) ? { until: to } : {}),
      offsetAt,
    };
    return occurrencesOf(parseRule(rule.value), start.local, budget, span);
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    problems.push({ line: rule.line, message: `${rule.name}: ${error.message}` });
    return [][Symbol.iterator]();
  }
}

/** Several sequences in order as one, each time once. */
function* merged(sources: Iterator<number>[], budget: Budget): Generator<number> {
  const heads = sources.map((source) => source.next());
  for (;;) {
    let least = Number.POSITIVE_INFINITY;
    spend(budget, heads.length, heads.find(({ done }) => !done)?.value ?? 0);
    for (const head of heads) if (!head.done && head.value < least) least = head.value;
    if (least === Number.POSITIVE_INFINITY) return;
    yield least;
    heads.forEach((head, at) => {
      const source = sources[at];
      let next = head;
      while (source && !next.done && next.value <= least) next = source.next();
      heads[at] = next;
    });
  }
}
