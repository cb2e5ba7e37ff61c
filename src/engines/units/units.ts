/** Units of convert.unit: exact factors by definition (NIST SP 811), and exact arithmetic. */

type Dimension = "mass" | "length" | "volume" | "area" | "temperature";

/** `factor` is the size in the dimension's base unit, as decimal text to keep it exact. */
export interface Unit {
  id: string;
  dimension: Dimension;
  factor: string;
}

// One row a unit: id, factor, then its other names (lower case, singular and plural).
const TABLE: Record<Dimension, string[]> = {
  mass: [
    "kg 1 kilogram kilograms kilogramme kilogrammes kilo kilos kgs",
    "g 0.001 gram grams gramme grammes",
    "mg 0.000001 milligram milligrams milligramme milligrammes",
    "lb 0.45359237 lbs pound pounds",
    "oz 0.028349523125 ounce ounces",
    "t 1000 tonne tonnes metric_ton metric_tons",
    "st 6.35029318 stone stones",
  ],
  length: [
    "m 1 metre metres meter meters",
    "km 1000 kilometre kilometres kilometer kilometers kms",
    "cm 0.01 centimetre centimetres centimeter centimeters",
    "mm 0.001 millimetre millimetres millimeter millimeters",
    'in 0.0254 inch inches "',
    "ft 0.3048 foot feet '",
    "yd 0.9144 yard yards",
    "mi 1609.344 mile miles",
  ],
  volume: [
    "l 1 litre litres liter liters",
    "ml 0.001 millilitre millilitres milliliter milliliters cc cm3",
    "m3 1000 cubic_metre cubic_metres cubic_meter cubic_meters cubic_m cbm",
    "gal 3.785411784 gallon gallons us_gallon us_gallons gal-us us_gal",
    "gal-imp 4.54609 imperial_gallon imperial_gallons uk_gallon uk_gallons gal-uk imp_gal",
    "qt 0.946352946 quart quarts",
    "pt 0.473176473 pint pints",
    "cup 0.2365882365 cups",
    "floz 0.0295735295625 fl_oz fl-oz fl._oz fluid_ounce fluid_ounces",
    "tbsp 0.01478676478125 tablespoon tablespoons",
    "tsp 0.00492892159375 teaspoon teaspoons",
  ],
  area: [
    "m2 1 sqm sq_m square_metre square_metres square_meter square_meters m_squared",
    "km2 1000000 sqkm sq_km square_kilometre square_kilometres square_kilometer square_kilometers",
    "ft2 0.09290304 sqft sq_ft square_foot square_feet ft_squared",
    "acre 4046.8564224 acres",
    "ha 10000 hectare hectares",
  ],
  temperature: ["C 1 c celsius centigrade degc °c", "F 1 f fahrenheit degf °f", "K 1 k kelvin kelvins"],
};

const UNITS = new Map<string, Unit>();
/** Canonical ids in the specification's order. */
export const UNIT_NAMES: string[] = [];
for (const [dimension, table] of Object.entries(TABLE) as [Dimension, string[]][]) {
  for (const row of table) {
    const [id = "", factor = "", ...names] = row.split(" ");
    UNIT_NAMES.push(id);
    for (const name of [id.toLowerCase(), ...names]) UNITS.set(name.replaceAll("_", " "), { id, dimension, factor });
  }
}

/** Names for which a capital M means mega, a milliard times the unit with a small m. */
const MEGA = new Map([
  ["Mg", "megagrams"],
  ["Mm", "megametres"],
  ["Ml", "megalitres"],
]);

/** The unit that a name would mean with a capital M, for which the name is refused; undefined for others. */
export const megaUnit = (name: string): string | undefined =>
  MEGA.get(name.normalize("NFKC").trim().replace(/\.$/, ""));

/** The unit of a name. Case, spaces, a trailing dot, notation of powers and compatible signs (℃, ㎏) do not matter. */
export function readUnit(name: string): Unit | undefined {
  if (megaUnit(name) !== undefined) return undefined;
  const key = name
    .normalize("NFKC")
    .trim()
    .toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/\.$/, "")
    .replace(/ ?\^2$/, "2")
    .replace(/ ?\^3$/, "3");
  return UNITS.get(key) ?? UNITS.get(key.replace(/ squared$/, "2")) ?? UNITS.get(key.replace(/ cubed$/, "3"));
}

/** An exact fraction. */
interface Ratio {
  n: bigint;
  d: bigint;
}

/** The exact value of a decimal text: "-1.5e-3" is -15 / 10000. */
function ratio(decimal: string): Ratio {
  const [mantissa = "0", exponent = "0"] = decimal.split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const power = Number(exponent) - fraction.length;
  const digits = BigInt(whole + fraction);
  return power >= 0 ? { n: digits * 10n ** BigInt(power), d: 1n } : { n: digits, d: 10n ** BigInt(-power) };
}

const multiply = (a: Ratio, b: Ratio): Ratio => ({ n: a.n * b.n, d: a.d * b.d });
const add = (a: Ratio, b: Ratio): Ratio => ({ n: a.n * b.d + b.n * a.d, d: a.d * b.d });
const KELVIN_OFFSET = ratio("273.15");
const FAHRENHEIT_OFFSET = ratio("459.67");
const NINE_FIFTHS: Ratio = { n: 9n, d: 5n };
const inverse = ({ n, d }: Ratio): Ratio => ({ n: d, d: n });
const negate = ({ n, d }: Ratio): Ratio => ({ n: -n, d });

function toKelvin(value: Ratio, unit: string): Ratio {
  if (unit === "C") return add(value, KELVIN_OFFSET);
  return unit === "F" ? multiply(add(value, FAHRENHEIT_OFFSET), inverse(NINE_FIFTHS)) : value;
}

function fromKelvin(kelvin: Ratio, unit: string): Ratio {
  if (unit === "C") return add(kelvin, negate(KELVIN_OFFSET));
  return unit === "F" ? add(multiply(kelvin, NINE_FIFTHS), negate(FAHRENHEIT_OFFSET)) : kelvin;
}

/** The nearest number to a fraction: exact factors leave no noise to round away. */
function toNumber({ n, d }: Ratio): number {
  const shift = Math.max(0, 20 + d.toString().length - n.toString().length);
  const scaled = n * 10n ** BigInt(shift);
  // The truncated rest becomes a last digit, so that a half is rounded correctly. Adding zero turns -0 into 0.
  return Number(`${scaled / d}.${scaled % d === 0n ? 0 : 1}e-${shift}`) + 0;
}

export function isBelowAbsoluteZero(value: number, unit: Unit): boolean {
  return unit.dimension === "temperature" && toKelvin(ratio(String(value)), unit.id).n < 0n;
}

/** Converts `value` between units of one dimension: the nearest number, with 15 to 17 significant digits. */
export function convertUnits(value: number, from: Unit, to: Unit): number {
  const exact = ratio(String(value));
  if (from.dimension === "temperature") return toNumber(fromKelvin(toKelvin(exact, from.id), to.id));
  return toNumber(multiply(multiply(exact, ratio(from.factor)), inverse(ratio(to.factor))));
}
