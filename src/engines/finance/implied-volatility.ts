/** The volatility at which an option has a given price. */

export type ImpliedVolatility = { volatility: number } | { reason: string };

const HIGHEST = 100;

/** `valueAt` never falls with volatility. */
export function impliedVolatility(valueAt: (volatility: number) => number, price: number): ImpliedVolatility {
  const [least, most] = [valueAt(0), valueAt(HIGHEST)];
  const tolerance = 1e-13 * Math.max(price, least);
  if (price < least - tolerance)
    return { reason: `the price is below what the option is worth without any volatility, ${least}` };
  if (price <= least + tolerance)
    return { reason: "the option is worth this price at every low volatility: none is implied" };
  if (price >= most) return { reason: `the price is not below what the option is worth at any volatility, ${most}` };
  return { volatility: between(valueAt, price) };
}

/** Illinois' way between brackets, with halving as its guard. */
function between(valueAt: (volatility: number) => number, price: number): number {
  let [low, high] = [0, 0.25];
  while (valueAt(high) < price && high < HIGHEST) [low, high] = [high, Math.min(HIGHEST, high * 2)];
  let [fa, fb] = [valueAt(low) - price, valueAt(high) - price];
  let [a, b] = [low, high];
  for (let i = 0; i < 100 && Math.abs(b - a) > 1e-12 * Math.max(a, b); i++) {
    const secant = b - (fb * (b - a)) / (fb - fa);
    const x = i % 3 === 2 || !(secant > Math.min(a, b) && secant < Math.max(a, b)) ? (a + b) / 2 : secant;
    const fx = valueAt(x) - price;
    if (fx === 0) return x;
    if (fx > 0 === fb > 0) fa /= 2;
    else [a, fa] = [b, fb];
    [b, fb] = [x, fx];
  }
  return b;
}
