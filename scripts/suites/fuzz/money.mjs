/** Flows, loans, options and coordinates: right ones that are damaged, and extremes of their numbers. */
const PLACES = [
  "52.52, 13.405",
  `40°26'46.5"N 79°58'56"W`,
  "geo:-33.8568,151.2153",
  "33 N 474596.26 8643594.54",
  "33XVG7459643594",
  "32TPT",
  "8FVC9G8F+6WXYZ",
  "9G8F+6W",
  "u33dbfcyegk2",
  "851f1d4bfffffff",
  "W79°58.92' N40°26.76'",
];
const PIECES = [
  "°",
  "'",
  '"',
  "N",
  "S",
  "E",
  "W",
  "+",
  "-",
  ",",
  ".",
  " ",
  "0",
  "9",
  "60",
  "90",
  "180",
  "X",
  "/",
  "\u2032",
  "٣",
  "geo:",
];
const NUMBERS = [0, 1, -1, 1e-9, 1e15, -1e15, 0.1, 100, -100, 5e-324, 1e-300, 33.33];

function kindsOf(random) {
  const { below, pick, damage } = random;
  const number = () => (below(3) ? (random() - 0.5) * 10 ** below(7) : pick(NUMBERS));
  const day = () =>
    `${1900 + below(300)}-${String(1 + below(12)).padStart(2, "0")}-${String(1 + below(31)).padStart(2, "0")}`;
  const list = (most, one) => Array.from({ length: 1 + below(most) }, one);
  const place = () =>
    pick([
      () => damage(pick(PLACES), PIECES),
      () => [number(), number() % 90],
      () => ({ latitude: number() % 90, longitude: number() }),
    ])();
  return {
    "finance.irr": () => {
      const isDated = below(2);
      const flows = list(pick([5, 40, 2_000]), () => (isDated ? { date: day(), amount: number() } : number()));
      return {
        flows,
        rate: number(),
        financeRate: random(),
        reinvestRate: random(),
        basis: pick(["act/365f", "act/act", "30/360"]),
      };
    },
    "finance.amortize": () => ({
      principal: pick(["1", "0.01", "999999999999999.99", String(below(1e6)), damage("12345.67", PIECES)]),
      annualRate: pick(["0", "10", "0.065", "0.000000000001", `0.${below(1e6)}`]),
      months: below(1300),
      ...(below(2) ? { first: day() } : {}),
      extra: list(5, () => ({ ...(below(3) ? { n: below(1300) } : { date: day() }), amount: String(below(10_000)) })),
      rounding: pick(["half-up", "half-even"]),
    }),
    "finance.option": () => ({
      ...{ type: pick(["call", "put"]), style: pick(["european", "american"]) },
      ...{ spot: Math.abs(number()), strike: Math.abs(number()), rate: number() / 1e4, dividendYield: number() / 1e4 },
      ...{
        years: pick([0, 1e-9, 0.25, 1, 50]),
        ...(below(2) ? { volatility: Math.abs(number()) } : { price: Math.abs(number()) }),
      },
    }),
    "geo.convert": () => ({
      ...(below(4) ? { value: damage(pick(PLACES), PIECES) } : { latitude: number() % 91, longitude: number() % 1801 }),
      ...(below(3) ? {} : { near: place() }),
      ...(below(3) ? {} : { format: pick(["dms", "utm", "mgrs", "plusCode", "geohash", "h3"]) }),
      lengths: pick([{}, { mgrs: below(7) }, { plusCode: below(20) }, { geohash: below(14) }, { h3: below(17) }]),
    }),
    "geo.distance": () =>
      below(2)
        ? { from: place(), to: place() }
        : { polygon: list(pick([4, 50, 500]), () => [number() % 1801, number() % 90]), point: place() },
  };
}

const IDS = ["finance.irr", "finance.amortize", "finance.option", "geo.convert", "geo.distance"];
export const parsers = Object.fromEntries(IDS.map((id) => [id, (random) => kindsOf(random)[id]()]));
