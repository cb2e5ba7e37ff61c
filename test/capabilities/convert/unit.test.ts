import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { convertUnit } from "../../../src/capabilities/convert/index.js";
import { UNIT_NAMES } from "../../../src/engines/units/units.js";

async function convert(value: number, from: string, to: string) {
  const { items } = await convertUnit({ value, from, to });
  return items[0]?.result;
}

const UNITS = {
  mass: ["kg", "g", "mg", "lb", "oz", "t", "st"],
  length: ["m", "km", "cm", "mm", "in", "ft", "yd", "mi"],
  volume: ["l", "ml", "m3", "gal", "gal-imp", "qt", "pt", "cup", "floz", "tbsp", "tsp"],
  area: ["m2", "km2", "ft2", "acre", "ha"],
  temperature: ["C", "F", "K"],
};

/** A unit's other names, in the spellings that people use. */
const ALIASES: Record<string, string[]> = {
  kg: ["KG", "kilogram", "Kilograms", "kilogramme", "kilogrammes", "kilo", "kilos"],
  g: ["gram", "grams"],
  mg: ["milligram", "milligrams"],
  lb: ["lbs", "lbs.", "pound", "Pounds"],
  oz: ["ounce", "ounces", "oz."],
  t: ["T", "tonne", "tonnes", "metric ton", "Metric  Tons"],
  st: ["stone", "stones"],
  m: ["M", "metre", "metres", "meter", "meters"],
  km: ["kilometre", "kilometres", "kilometer", "kilometers"],
  cm: ["centimetre", "centimetres", "centimeter", "centimeters"],
  mm: ["millimetre", "millimetres", "millimeter", "millimeters"],
  in: ["inch", "inches", '"', "in."],
  ft: ["foot", "feet", "'"],
  yd: ["yard", "yards"],
  mi: ["mile", "miles"],
  l: ["L", "litre", "litres", "liter", "liters"],
  ml: ["mL", "millilitre", "millilitres", "milliliter", "milliliters", "cc", "cm3", "cm³", "cm^3", "cm cubed"],
  m3: ["m³", "m^3", "m cubed", "cubic metre", "cubic metres", "cubic meter", "cubic meters", "cubic m", "cbm"],
  gal: ["gallon", "gallons", "us gallon", "US gallons", "gal-us"],
  "gal-imp": ["GAL-IMP", "imperial gallon", "imperial gallons", "uk gallon", "UK gallons", "gal-uk"],
  qt: ["quart", "quarts"],
  pt: ["pint", "pints"],
  cup: ["cups"],
  floz: ["fl oz", "fl-oz", "fl. oz", "fl. oz.", "fluid ounce", "fluid ounces"],
  tbsp: ["tablespoon", "tablespoons"],
  tsp: ["teaspoon", "teaspoons"],
  m2: ["m²", "m^2", "m squared", "sqm", "sq m", "square metre", "square metres", "square meter", "square meters"],
  km2: ["km²", "km^2", "km squared", "sqkm", "square kilometre", "square kilometres", "square kilometers"],
  ft2: ["ft²", "ft^2", "ft squared", "sqft", "sq ft", "square foot", "square feet"],
  acre: ["acres"],
  ha: ["hectare", "hectares"],
  C: ["c", "celsius", "centigrade", "degC", "°C", "°c"],
  F: ["f", "Fahrenheit", "degF", "°F"],
  K: ["k", "kelvin", "kelvins"],
};

describe("convert.unit", () => {
  it("answers with canonical names, dimension and result", async () => {
    expect(await convertUnit({ value: 150, from: " Pounds ", to: "KG" })).toEqual({
      ok: true,
      items: [{ value: 150, from: "lb", to: "kg", dimension: "mass", result: 68.0388555 }],
      total: 1,
      source: {
        provider: "built-in",
        url: "https://www.nist.gov/pml/special-publication-811",
        license: "Public domain (NIST SP 811 conversion factors)",
      },
    });
  });

  it.each([
    [150, "lb", "kg", 68.0388555],
    [1, "st", "lb", 14],
    [1, "t", "lb", 2204.622621848776],
    [1, "oz", "g", 28.349523125],
    [26.2, "mi", "km", 42.1648128],
    [6, "ft", "cm", 182.88],
    [1, "mi", "ft", 5280],
    [1, "gal", "floz", 128],
    [1, "gal-imp", "l", 4.54609],
    [1, "cup", "tbsp", 16],
    [1, "tbsp", "tsp", 3],
    [1, "qt", "pt", 2],
    [250, "ml", "cup", 1.0566882094325936],
    [1, "m3", "l", 1000],
    [1, "acre", "ft2", 43560],
    [5, "ha", "acre", 12.355269073358267],
    [1, "km2", "ha", 100],
    [100, "F", "C", 37.77777777777778],
    [-40, "F", "C", -40],
    [0, "F", "K", 255.37222222222223],
    [32, "F", "C", 0],
    [300, "K", "C", 26.85],
    [0, "K", "C", -273.15],
    [-5, "kg", "g", -5000],
  ])("%d %s to %s is %d", async (value, from, to, result) => {
    expect(await convert(value, from, to)).toBe(result);
  });

  it("knows every unit of every dimension", async () => {
    expect([...UNIT_NAMES].sort()).toEqual(Object.values(UNITS).flat().sort());
    for (const [dimension, names] of Object.entries(UNITS))
      for (const name of names) {
        const { items } = await convertUnit({ value: 7, from: name, to: name });
        expect(items).toEqual([{ value: 7, from: name, to: name, dimension, result: 7 }]);
      }
  });

  it.each(Object.entries(ALIASES))("knows %s by its other names", async (unit, aliases) => {
    for (const alias of aliases) {
      const { items } = await convertUnit({ value: 1, from: alias, to: unit });
      expect(items[0], alias).toMatchObject({ from: unit, to: unit, result: 1 });
    }
  });

  it.each([
    ["℃", "C"],
    ["℉", "F"],
    ["K", "K"],
    ["㎏", "kg"],
    ["㎎", "mg"],
    ["㎡", "m2"],
    ["㎢", "km2"],
    ["㎥", "m3"],
    ["㏄", "ml"],
    ["ｍ", "m"],
  ])("reads the sign %s as %s", async (sign, unit) => {
    expect((await convertUnit({ value: 1, from: sign, to: unit })).items[0]).toMatchObject({ from: unit, result: 1 });
  });

  it.each(["Mg", "Mm", "Ml", " Mg. "])("refuses %s, which is mega and not milli", async (name) => {
    const refused = convertUnit({ value: 1, from: name, to: name.toLowerCase() });
    await expect(refused).rejects.toMatchObject({
      code: "INVALID_INPUT",
      issues: [{ path: "from", message: expect.stringContaining("stands for mega") }],
    });
  });

  it("comes back to the value it started from", async () => {
    const pair = fc
      .constantFrom(...Object.values(UNITS))
      .chain((names) => fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names)));
    const value = fc.double({ min: 0.001, max: 1e9, noNaN: true });
    await fc.assert(
      fc.asyncProperty(pair, value, async ([from, to], value) => {
        const there = (await convert(value, from, to)) ?? Number.NaN;
        const back = (await convert(there, to, from)) ?? Number.NaN;
        // Fifteen digits are kept; near zero a temperature's offset takes some of them.
        expect(Math.abs(back - value)).toBeLessThanOrEqual(2e-15 * Math.max(Math.abs(value), 1000));
      }),
    );
  });

  it("leaves no floating-point noise and no minus zero", async () => {
    expect(await convert(0.1, "m", "cm")).toBe(10);
    expect(await convert(0.3, "kg", "g")).toBe(300);
    expect(await convert(1.1, "km", "m")).toBe(1100);
    expect(await convert(2.3, "l", "ml")).toBe(2300);
    expect(await convert(0.07, "m2", "km2")).toBe(7e-8);
    expect(Object.is(await convert(-0, "m", "cm"), 0)).toBe(true);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: -1e6, max: 1e6 }),
        fc.integer({ min: 0, max: 3 }),
        async (digits, decimals) => {
          // The decimal text of the value, moved by two places, is exact; the product of floats is not.
          const value = Number(`${digits}e-${decimals}`);
          expect(await convert(value, "m", "cm")).toBe(Number(`${digits}e${2 - decimals}`) + 0);
        },
      ),
    );
  });

  it("converts very small and very large values", async () => {
    expect(await convert(1e-300, "km", "mm")).toBe(1e-294);
    expect(await convert(5e-324, "m", "mm")).toBe(5e-321);
    expect(await convert(5e-324, "mm", "km")).toBe(0);
    expect(await convert(1.5e300, "mm", "km")).toBe(1.5e294);
  });

  it("refuses to convert between dimensions", async () => {
    await expect(convertUnit({ value: 1, from: "kg", to: "m" })).rejects.toMatchObject({
      status: 400,
      code: "INCOMPATIBLE_UNITS",
      message: "kg is a unit of mass, m of length: choose two of one dimension.",
      issues: [{ path: "to", message: "must be a unit of mass" }],
    });
    await expect(convertUnit({ value: 1, from: "m", to: "m2" })).rejects.toMatchObject({ code: "INCOMPATIBLE_UNITS" });
  });

  it.each([
    [-0.0001, "K"],
    [-273.16, "C"],
    [-459.68, "F"],
  ])("refuses %d %s, below absolute zero", async (value, from) => {
    await expect(convertUnit({ value, from, to: "K" })).rejects.toMatchObject({
      status: 400,
      issues: [{ path: "value", message: "is below absolute zero (0 K)" }],
    });
  });

  it.each([
    [-273.15, "C"],
    [-459.67, "F"],
    [0, "K"],
  ])("takes absolute zero itself: %d %s", async (value, from) => {
    expect(await convert(value, from, "K")).toBe(0);
  });

  it.each(["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "ton", "furlong", ".", "²"])(
    "IN-5 does not take %s for a unit",
    async (name) => {
      for (const [path, input] of [
        ["from", { value: 1, from: name, to: "kg" }],
        ["to", { value: 1, from: "kg", to: name }],
      ] as const) {
        const refused = convertUnit(input);
        await expect(refused).rejects.toMatchObject({ status: 400, code: "INVALID_INPUT" });
        const [issue] = await refused.catch((error) => error.issues);
        expect(issue).toMatchObject({ path, message: expect.stringContaining("known are kg, g, mg, lb") });
      }
    },
  );

  it.each([
    ["value", { from: "kg", to: "lb" }],
    ["value", { value: "1", from: "kg", to: "lb" }],
    ["value", { value: Number.POSITIVE_INFINITY, from: "kg", to: "lb" }],
    ["value", { value: 1.7e308, from: "km", to: "mm" }],
    ["from", { value: 1, from: "", to: "lb" }],
    ["from", { value: 1, from: "k".repeat(41), to: "lb" }],
    ["to", { value: 1, from: "kg" }],
    ["unit", { value: 1, from: "kg", to: "lb", unit: "x" }],
  ])("refuses a wrong %s: %o", async (path, input) => {
    await expect(convertUnit(input as never)).rejects.toMatchObject({
      status: 400,
      code: "INVALID_INPUT",
      issues: [{ path }],
    });
  });
});
