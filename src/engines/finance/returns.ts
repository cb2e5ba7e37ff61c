/** Rates of return and present values of flows, at equal periods or on dates. */
import { type Day, type DayCount, serial, yearsBetween } from "./day-count.js";
import { type TimedAmount, zerosOf } from "./roots.js";

export interface DatedAmount {
  day: Day;
  amount: number;
}

/** Why no rate of return is given. */
export const NO_RATE = {
  "no-amounts": "all flows are zero",
  "one-sign": "the flows do not change sign: a rate of return needs money paid and money received",
  "one-date": "all flows fall on one day",
  "no-root": "at no rate above -100 % the flows are worth zero",
} as const;

export type NoRate = keyof typeof NO_RATE;

export interface Returns {
  rate: number | null;
  reason: NoRate | null;
  roots: number[];
  complete: boolean;
}

/** Flows at times, in ascending order and one for each time. */
export function timedByDate(flows: readonly DatedAmount[], count: DayCount): TimedAmount[] {
  const byDay = new Map<number, { day: Day; amount: number }>();
  for (const { day, amount } of flows) {
    const key = serial(day);
    byDay.set(key, { day, amount: (byDay.get(key)?.amount ?? 0) + amount });
  }
  const sorted = [...byDay].sort(([a], [b]) => a - b).map(([, flow]) => flow);
  const first = sorted[0]?.day;
  // Two days can be the same time: in 30/360 the 30th and the 31st.
  return first ? sorted.map(({ day, amount }) => ({ time: yearsBetween(first, day, count), amount })) : [];
}

export const timedByPeriod = (amounts: readonly number[]): TimedAmount[] =>
  amounts.map((amount, time) => ({ time, amount }));

/** The rates at which flows are worth nothing, and the one among them that is the answer. */
export function returnsOf(flows: readonly TimedAmount[]): Returns {
  const none = (reason: NoRate): Returns => ({ rate: null, reason, roots: [], complete: true });
  const paid = flows.filter(({ amount }) => amount !== 0);
  const [first, last] = [paid[0], paid.at(-1)];
  if (!first || !last) return none("no-amounts");
  if (paid.every(({ amount }) => amount > 0) || paid.every(({ amount }) => amount < 0)) return none("one-sign");
  if (first.time === last.time) return none("one-date");
  const timed = paid.map(({ time, amount }) => ({ time: time - first.time, amount }));
  const { zeros, complete } = zerosOf(timed);
  const zero = mostLikely(timed, zeros);
  if (zero === undefined) return { ...none("no-root"), complete };
  return { rate: Math.expm1(zero), reason: null, roots: zeros.map(Math.expm1), complete };
}

/** The guess of spreadsheets, and a rate that is not an answer where there is another, 10,000 % (both compounded continuously). */
const [GUESS, ABSURD] = [Math.log(1.1), Math.log(101)];

/**
 * Of several zeros the one that a spreadsheet finds in most cases: the search begins at the total gain, but at 10 % at most,
 * and goes to where the present value falls to zero.
 */
function mostLikely(flows: readonly TimedAmount[], zeros: readonly number[]): number | undefined {
  const [received, paid] = [1, -1].map((sign) =>
    flows.reduce((sum, { amount }) => sum + Math.max(0, sign * amount), 0),
  ) as [number, number];
  const start = Math.max(Math.log(0.1), Math.min(GUESS, Math.log(received / paid)));
  const [below, above] = [zeros.filter((zero) => zero < start), zeros.filter((zero) => zero >= start)];
  const next = above.find((zero) => zero <= ABSURD);
  const isUpwards = slopeAt(flows, start) < 0;
  return isUpwards ? (next ?? below.at(-1) ?? above[0]) : (below.at(-1) ?? above[0]);
}

/** Of the distance of the present value from zero. */
function slopeAt(flows: readonly TimedAmount[], x: number): number {
  let [value, slope] = [0, 0];
  for (const { time, amount } of flows) {
    const term = amount * Math.exp(-time * x);
    value += term;
    slope -= time * term;
  }
  return Math.sign(value) * slope;
}

/** Worth of the flows at the time of the first one; null where that is beyond a number. */
export function presentValue(flows: readonly TimedAmount[], rate: number): number | null {
  const base = Math.log1p(rate);
  let sum = 0;
  let lost = 0;
  for (const { time, amount } of flows) {
    // Neumaier's sum: thousands of flows lose no digits.
    const term = amount * Math.exp(-time * base);
    const next = sum + term;
    lost += Math.abs(sum) >= Math.abs(term) ? sum - next + term : term - next + sum;
    sum = next;
  }
  const value = sum + lost;
  return Number.isFinite(value) ? value : null;
}

/** Modified internal rate of return: outflows are financed at one rate, inflows earn another until the end. */
export function modifiedRate(amounts: readonly number[], financeRate: number, reinvestRate: number): number | null {
  const periods = amounts.length - 1;
  let [earned, financed] = [0, 0];
  for (const [period, amount] of amounts.entries()) {
    if (amount > 0) earned += amount * (1 + reinvestRate) ** (periods - period);
    else financed -= amount / (1 + financeRate) ** period;
  }
  if (earned === 0 || financed === 0) return null;
  const rate = (earned / financed) ** (1 / periods) - 1;
  return Number.isFinite(rate) ? rate : null;
}

/** Time until the flows have paid back what was put in, within a period in proportion; null if they never do. */
export function paybackOf(flows: readonly TimedAmount[]): number | null {
  let sum = 0;
  let before = 0;
  for (const { time, amount } of flows) {
    const next = sum + amount;
    if (sum < 0 && next >= 0) return before + (time - before) * (-sum / amount);
    sum = next;
    before = time;
  }
  return null;
}
