import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text } from "../../capability/fields.js";
import { one } from "../../capability/output.js";
import {
  convertUnits,
  isBelowAbsoluteZero,
  megaUnit,
  readUnit,
  UNIT_NAMES,
  type Unit,
} from "../../engines/units/units.js";
import { CapabilityError, invalid } from "../../errors.js";

/** No two units differ by more than a factor of 1e18, so below this no result can overflow. */
const HUGE = 1e280;

export const convertUnit = /* @__PURE__ */ defineCapability({
  id: "convert.unit",
  summary: "Convert a value between units of mass, length, volume, area or temperature, with exact factors.",
  keywords: [
    "square feet",
    "square meters",
    "kilogram",
    "pounds",
    "miles",
    "kilometers",
    "celsius",
    "fahrenheit",
    "gallons",
    "liters",
    "acres",
    "hectares",
    "metric",
  ],
  price: "0.001",
  source: {
    provider: "built-in",
    url: "https://www.nist.gov/pml/special-publication-811",
    license: "Public domain (NIST SP 811 conversion factors)",
  },
  input: () =>
    z.strictObject({
      value: z.number().describe("The amount to convert"),
      from: text(1, 40).describe(`The unit it is in: ${UNIT_NAMES.join(", ")}, or a usual name of one`),
      to: text(1, 40).describe("The unit to convert to, of the same dimension"),
    }),
  output: one(() =>
    z.object({
      value: z.number(),
      from: z.string(),
      to: z.string(),
      dimension: z.enum(["mass", "length", "volume", "area", "temperature"]),
      result: z.number().describe("The nearest number, of 15 to 17 significant digits"),
    }),
  ),
  example: { value: 150, from: "lb", to: "kg" },
  read({ value, ...names }) {
    const from = unitAt("from", names.from);
    const to = unitAt("to", names.to);
    if (from.dimension !== to.dimension)
      throw new CapabilityError(
        "INCOMPATIBLE_UNITS",
        `${from.id} is a unit of ${from.dimension}, ${to.id} of ${to.dimension}: choose two of one dimension.`,
        { issues: [{ path: "to", message: `must be a unit of ${from.dimension}` }] },
      );
    if (isBelowAbsoluteZero(value, from)) throw invalid("value", "is below absolute zero (0 K)");
    // Exact arithmetic is left to paid calls; only a possible overflow needs it here.
    const isHuge = Math.abs(value) > HUGE;
    if (isHuge && !Number.isFinite(convertUnits(value, from, to)))
      throw invalid("value", "is too large for this conversion");
    return { value, from, to };
  },
  run({ value, from, to }) {
    const result = convertUnits(value, from, to);
    return { item: { value, from: from.id, to: to.id, dimension: from.dimension, result } };
  },
});

function unitAt(path: string, name: string): Unit {
  const unit = readUnit(name);
  if (unit) return unit;
  const mega = megaUnit(name);
  const reason = mega
    ? `stands for ${mega}; ${mega.replace("mega", "milli")} are ${name.toLowerCase()}`
    : `is not a known unit; known are ${UNIT_NAMES.join(", ")}`;
  throw invalid(path, `"${name}" ${reason}`);
}
