/**
 * American options on a binomial tree. Its last step is priced by Black and Scholes, which takes the saw-tooth out of the
 * result, so that two trees extrapolate to one of infinitely many steps (Broadie and Detemple, 1996).
 */
import { europeanValue, type Option, type Valuation } from "./black-scholes.js";

const STEPS = 1000;
/** For changes of the value: what a smaller tree gets wrong is the same on both sides, and goes out. */
const FEWER_STEPS = 250;
const [MIN_PRICE, MAX_PRICE] = [1e-300, 1e300];

export function americanValue(option: Option, steps = STEPS): number {
  return priced(option, steps).value;
}

export function americanOption(option: Option): Valuation {
  const { value, delta, gamma } = priced(option, STEPS);
  const { type, spot, strike, rate, dividendYield, volatility } = option;
  const sensitivity = (change: (by: number) => Partial<Option>, by: number) => {
    const [up, down] = [by, -by].map((step) => americanValue({ ...option, ...change(step) }, FEWER_STEPS));
    return ((up ?? 0) - (down ?? 0)) / (2 * by);
  };
  const isExercised = value <= (type === "call" ? spot - strike : strike - spot) + 1e-12 * (spot + strike);
  const bend = (volatility ** 2 * spot ** 2 * gamma) / 2;
  return {
    value,
    greeks: {
      delta,
      gamma,
      vega: sensitivity((by) => ({ volatility: volatility + by }), Math.min(1e-3, volatility / 2 || 1e-9)),
      // By the equation of Black and Scholes, which holds where waiting is better.
      theta: isExercised ? 0 : rate * value - (rate - dividendYield) * spot * delta - bend,
      rho: sensitivity((by) => ({ rate: rate + by }), 1e-3),
      dividendRho: sensitivity((by) => ({ dividendYield: dividendYield + by }), 1e-3),
    },
  };
}

interface Priced {
  value: number;
  delta: number;
  gamma: number;
}

function priced(option: Option, steps: number): Priced {
  if (option.type === "put") return extrapolated(option, steps);
  // A call is worth a put with spot and strike, rate and yield exchanged; and puts have bounded values in any tree.
  const { spot, strike, rate, dividendYield } = option;
  const exchanged = { spot: strike, strike: spot, rate: dividendYield, dividendYield: rate };
  const put = extrapolated({ ...option, ...exchanged, type: "put" }, steps);
  // The value doubles when spot and strike do: derivatives by one follow from those by the other.
  return {
    value: put.value,
    delta: (put.value - strike * put.delta) / spot,
    gamma: (strike / spot) ** 2 * put.gamma,
  };
}

function extrapolated(put: Option, steps: number): Priced {
  const intrinsic = Math.max(0, put.strike - put.spot);
  if (put.years === 0) return { value: intrinsic, delta: intrinsic > 0 ? -1 : 0, gamma: 0 };
  const [coarse, fine] = [treeOf(put, steps / 2), treeOf(put, steps)];
  const value = Math.max(intrinsic, 2 * fine.value - coarse.value);
  return { value, delta: 2 * fine.delta - coarse.delta, gamma: fine.gamma };
}

/**
 * A tree whose middle follows the forward price, so that its probabilities lie between 0 and 1 for any volatility. It begins
 * two steps before today: of the three prices that it has today, the middle one is the spot.
 */
function treeOf(put: Option, steps: number): Priced {
  const { spot, strike, rate, dividendYield, volatility, years } = put;
  const step = years / steps;
  const up = volatility * Math.sqrt(step);
  const [rise, fall] = [1 / (1 + Math.exp(up)), 1 / (1 + Math.exp(-up))].map((p) => p * Math.exp(-rate * step)) as [
    number,
    number,
  ];
  const forwardAt = (n: number) => Math.exp((rate - dividendYield) * step * n);
  const levels = Float64Array.from({ length: 2 * steps + 3 }, (_, i) => spot * Math.exp(up * (i - steps - 1)));
  /** The price of node `j` at step `n` without its drift. */
  const levelAt = (n: number, j: number) => levels[2 * j - n + steps - 1] ?? 0;

  const values = new Float64Array(steps + 2);
  for (let j = 0; j <= steps + 1; j++) {
    const price = forwardAt(steps - 1) * levelAt(steps - 1, j);
    // At the far ends of a tree prices are 0 or beyond numbers.
    const held = price < MAX_PRICE ? europeanValue({ ...put, spot: Math.max(price, MIN_PRICE), years: step }) : 0;
    values[j] = Math.max(strike - price, held);
  }
  for (let n = steps - 2; n >= 0; n--) {
    const forward = forwardAt(n);
    const base = steps - 1 - n;
    for (let j = 0; j <= n + 2; j++) {
      const held = fall * (values[j] ?? 0) + rise * (values[j + 1] ?? 0);
      const exercised = strike - forward * (levels[2 * j + base] ?? 0);
      values[j] = Math.max(held, exercised);
    }
  }
  const [below = 0, value = 0, above = 0] = values;
  return { value, ...slopes([below, value, above], [levelAt(0, 0), spot, levelAt(0, 2)]) };
}

function slopes([below, middle, above]: [number, number, number], [low, spot, high]: [number, number, number]) {
  if (high === low) return { delta: 0, gamma: 0 };
  const [rising, falling] = [(above - middle) / (high - spot), (middle - below) / (spot - low)];
  return { delta: (above - below) / (high - low), gamma: (2 * (rising - falling)) / (high - low) };
}
