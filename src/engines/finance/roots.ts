/**
 * All zeros of a sum of exponentials, `f(x) = Σ amount · e^(-time · x)`: the net present value of flows at the
 * continuous rate x. A part of the line is left out only where a bound proves that it has no zero.
 */

/** An amount at a time, in years or periods from the first. */
export interface TimedAmount {
  time: number;
  amount: number;
}

export interface Zeros {
  /** Ascending. */
  zeros: number[];
  /** Whether the search proved that there are no others. */
  complete: boolean;
}

/** Beyond it a yearly rate is not a number of JavaScript's any more, or is -1 to its last digit. */
const [LOWEST, HIGHEST] = [-36, 700];
/** Exponentials of one call: some 0.3 s of work. */
const MAX_TERMS = 20_000_000;
/** Terms of Taylor's polynomial. */
const ORDER = 8;
/** Below this share of the sum of all terms, a value is not told from zero. */
const NOISE = 1e-13;
/** Zeros that are nearer than this are one. */
const NEAR = 1e-7;

/** The zeros of flows in ascending order of time, whose first and last amounts are not zero. */
export function zerosOf(flows: readonly TimedAmount[], maxTerms = MAX_TERMS): Zeros {
  const last = flows.at(-1)?.time ?? 0;
  const work = { left: maxTerms, complete: true };
  const above = zerosAbove(flows, HIGHEST, work);
  // With time running backwards from the last flow, a negative rate is a positive one.
  const mirrored = flows.map(({ time, amount }) => ({ time: last - time, amount })).reverse();
  const below = zerosAbove(mirrored, -LOWEST, work).map(({ from, to }) => ({ from: -to, to: -from }));
  const spans: Span[] = [];
  for (const span of [...below.reverse(), ...above]) add(spans, span);
  return { zeros: spans.map(({ from, to }) => (from + to) / 2), complete: work.complete };
}

/** Where there is a zero: a point, or what is not told from zero beside one that touches the axis. */
interface Span {
  from: number;
  to: number;
}

interface Work {
  left: number;
  complete: boolean;
}

/** The zeros from 0 to `highest`. */
function zerosAbove(flows: readonly TimedAmount[], highest: number, work: Work): Span[] {
  const zeros: Span[] = [];
  let from = 0;
  for (let width = 0.125; from < highest; width *= 2) {
    const changes = changesOfSign(flows, from, work);
    if (changes === 0 && valueAt(flows, from, work) !== 0) return zeros;
    const to = Math.min(highest, from + width);
    search(flows, from, to, zeros, work);
    from = to;
  }
  return zeros;
}

/** Descartes' rule for exponentials (Laguerre): above `x` there are at most as many zeros as its partial sums change sign. */
function changesOfSign(flows: readonly TimedAmount[], x: number, work: Work): number {
  work.left -= flows.length;
  let [sum, sign, changes] = [0, 0, 0];
  for (const { time, amount } of flows) {
    sum += amount * Math.exp(-time * x);
    if (sum !== 0 && Math.sign(sum) !== sign) {
      if (sign !== 0) changes++;
      sign = Math.sign(sum);
    }
  }
  return changes;
}

function valueAt(flows: readonly TimedAmount[], x: number, work: Work): number {
  work.left -= flows.length;
  let sum = 0;
  for (const { time, amount } of flows) sum += amount * Math.exp(-time * x);
  return sum;
}

/** Adds the zeros of one interval: halved until each part has provably none, or rises or falls throughout. */
function search(flows: readonly TimedAmount[], from: number, to: number, zeros: Span[], work: Work): void {
  const parts: Span[] = [{ from, to }];
  for (let part = parts.pop(); part; part = parts.pop()) {
    const { hasNone, isMonotonic, isFlat } = judge(flows, part, work);
    if (hasNone) continue;
    const middle = (part.from + part.to) / 2;
    // guard: a search for rates of return ends | - || work.left < 0 | irr
    if (isFlat) add(zeros, part);
    else if (isMonotonic || work.left < 0) {
      if (!isMonotonic) work.complete = false;
      const zero = crossing(flows, part.from, part.to, work);
      if (zero !== undefined) add(zeros, { from: zero, to: zero });
    } else parts.push({ from: middle, to: part.to }, { from: part.from, to: middle });
  }
}

/** Adds a span after all others, to the last one if they meet. */
function add(spans: Span[], span: Span): void {
  const last = spans.at(-1);
  if (last && span.from - last.to < NEAR) last.to = Math.max(last.to, span.to);
  else spans.push({ ...span });
}

/**
 * The proof of Taylor's polynomial around the middle of an interval, with a bound of its remainder. The sum is taken
 * times `e^(centre · x)`, which has the same zeros and smaller derivatives.
 */
function judge(flows: readonly TimedAmount[], { from, to }: Span, work: Work) {
  work.left -= 2 * flows.length;
  const [middle, radius] = [(from + to) / 2, (to - from) / 2];
  let [weight, moment] = [0, 0];
  const weights = flows.map(({ time, amount }) => {
    const value = amount * Math.exp(-time * middle);
    weight += Math.abs(value);
    moment += Math.abs(value) * time;
    return value;
  });
  const centre = moment / weight;
  const terms = new Float64Array(ORDER);
  let [remainder, slopeRemainder] = [0, 0];
  for (let i = 0; i < weights.length; i++) {
    const reach = (centre - (flows[i]?.time ?? 0)) * radius;
    let term = weights[i] ?? 0;
    for (let k = 0; k < ORDER; k++) {
      terms[k] = (terms[k] ?? 0) + term;
      term *= reach / (k + 1);
    }
    const rest = Math.abs(term) * Math.exp(Math.abs(reach));
    remainder += rest;
    slopeRemainder += rest * ORDER;
  }
  let [others, otherSlopes] = [remainder, slopeRemainder];
  for (let k = 1; k < ORDER; k++) others += Math.abs(terms[k] ?? 0);
  for (let k = 2; k < ORDER; k++) otherSlopes += k * Math.abs(terms[k] ?? 0);
  const value = Math.abs(terms[0] ?? 0);
  return {
    // A zero at the very end of the interval makes both sides the same but for their rounding.
    hasNone: value - others > NOISE * weight,
    isMonotonic: Math.abs(terms[1] ?? 0) > otherSlopes,
    isFlat: value + others < NOISE * weight,
  };
}

/** The zero between two points of different sign, to the last digit: Illinois' way, with halving as its guard. */
function crossing(flows: readonly TimedAmount[], from: number, to: number, work: Work): number | undefined {
  let [a, b] = [from, to];
  let [fa, fb] = [valueAt(flows, a, work), valueAt(flows, b, work)];
  if (fa === 0) return a;
  if (fb === 0) return b;
  if (fa > 0 === fb > 0) return undefined;
  for (let i = 0; i < 200; i++) {
    const secant = b - (fb * (b - a)) / (fb - fa);
    const x = i % 3 === 2 || !(secant > Math.min(a, b) && secant < Math.max(a, b)) ? (a + b) / 2 : secant;
    const fx = valueAt(flows, x, work);
    if (fx === 0 || x === a || x === b) return x;
    if (fx > 0 === fb > 0) fa /= 2;
    else [a, fa] = [b, fb];
    [b, fb] = [x, fx];
  }
  return b;
}
