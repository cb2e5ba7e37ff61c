/** Wind, visibility, weather and clouds, encoded alike in METARs and TAFs. */
import { z } from "zod";
import { label, missing, named, number, whole } from "../../upstream/fields.js";

/** In the format of the Aviation Weather Center; unknown values are null or missing. */
export const reported = () => ({
  wdir: z.union([z.number(), z.string()]).nullish(),
  wspd: number(),
  wgst: number(),
  visib: z.union([z.number(), z.string()]).nullish(),
  wxString: label(),
  clouds: named(whole({ cover: label(), base: number() }), "cover"),
});
export type Reported = z.output<z.ZodObject<ReturnType<typeof reported>>>;

/** Facts in a raw report, and the fields that they are decoded into. */
const FORECAST: readonly (readonly [code: RegExp, ...names: string[]])[] = [
  [/\s(?:\d{3}|VRB)\d{2,3}(?:G\d{2,3})?(?:KT|MPS)\b/, "wdir", "wspd"],
  [/\sP?\d{1,2}SM\b/, "visib"],
  [/\s(?:FEW|SCT|BKN|OVC)\d{3}/, "clouds"],
];
const OBSERVED: typeof FORECAST = [
  ...FORECAST,
  [/\s(?:\d{3}|VRB)\d{2,3}G\d{2,3}(?:KT|MPS)\b/, "wgst"],
  [/\s[-+]?(?:MI|PR|BC|DR|BL|SH|TS|FZ)?(?:(?:DZ|RA|SN|SG|PL|GR|GS|UP|BR|FG|FU|VA|DU|SA|HZ)+|TS)(?:\s|$)/, "wxString"],
  [/\sM?\d\d\/M?\d\d\s/, "temp", "dewp"],
  [/\s[AQ]\d{4}\b/, "altim"],
  [/\sSLP\d{3}\b/, "slp"],
];

/** A check that a row of observations contains, decoded, the facts of its raw text. */
export const observedInRaw = ({ value, issues }: z.core.ParsePayload<unknown>): void =>
  complain(value, issues, String(inside(value, "rawOb")), OBSERVED, { decoded: [value] });

/** The same for a forecast, in which each fact must be in one period at least. */
export const forecastInRaw = ({ value, issues }: z.core.ParsePayload<unknown>): void => {
  const periods = inside(value, "fcsts");
  // Without any, that is told by their own field.
  if (Array.isArray(periods))
    complain(value, issues, String(inside(value, "rawTAF")), FORECAST, { below: "fcsts.", decoded: periods });
};

const inside = (value: unknown, name: string): unknown => (value as Record<string, unknown> | null)?.[name];

function complain(
  input: unknown,
  issues: z.core.ParsePayload["issues"],
  raw: string,
  codes: typeof FORECAST,
  { below = "", decoded }: { below?: string; decoded: readonly unknown[] },
): void {
  // Remarks have their own vocabulary.
  const [said = ""] = raw.split(" RMK");
  for (const [code, ...names] of codes)
    for (const name of names)
      if (code.test(name === "slp" ? raw : said) && !decoded.some((part) => inside(part, name) !== undefined))
        issues.push(missing(`${below}${name}`, "is in the raw report only", input));
}

/** Fields of results. */
export const conditions = () => ({
  windDirectionDeg: z.number().nullable().describe("Where it comes from; 0 with speed 0 is calm"),
  windVariable: z.boolean(),
  windSpeedKt: z.number().nullable(),
  windGustKt: z.number().nullable(),
  visibilityMi: z.number().nullable().describe("Statute miles; a lower bound where the text ends in +"),
  visibilityText: z.string().nullable(),
  weather: z.string().nullable().describe("METAR codes, such as -RA BR"),
  clouds: z.array(z.object({ cover: z.string(), baseFtAgl: z.number().nullable() })),
});
export type Conditions = z.output<z.ZodObject<ReturnType<typeof conditions>>>;

export const FLIGHT_CATEGORIES = ["VFR", "MVFR", "IFR", "LIFR"] as const;

/** Broken, overcast, and an obscured sky: scattered clouds are not a ceiling. */
const CEILINGS = new Set(["BKN", "OVC", "OVX", "VV"]);

/** The reported values, with nulls for unknown ones; direction in degrees, speeds in knots, heights in feet. */
export function toConditions({ wdir, wspd, wgst, visib, wxString, clouds }: Reported): Conditions {
  const isVariable = typeof wdir === "string" && !/^\d+$/.test(wdir);
  return {
    windDirectionDeg: wdir == null || isVariable ? null : Number(wdir),
    windVariable: isVariable,
    windSpeedKt: wspd,
    windGustKt: wgst,
    visibilityMi: visibilityMiles(visib),
    visibilityText: visib == null || visib === "" ? null : String(visib),
    weather: wxString,
    clouds: clouds.map(({ cover, base }) => ({ cover, baseFtAgl: base })),
  };
}

/** By ceiling and visibility, as in US aviation. */
export function flightCategory({ clouds, visibilityMi }: Conditions): (typeof FLIGHT_CATEGORIES)[number] | null {
  if (visibilityMi === null) return null;
  const bases = clouds.filter(({ cover }) => CEILINGS.has(cover)).map(({ baseFtAgl }) => baseFtAgl ?? 0);
  const ceilingFt = Math.min(Number.POSITIVE_INFINITY, ...bases);
  if (ceilingFt < 500 || visibilityMi < 1) return "LIFR";
  if (ceilingFt < 1000 || visibilityMi < 3) return "IFR";
  if (ceilingFt <= 3000 || visibilityMi <= 5) return "MVFR";
  return "VFR";
}

/** Statute miles from 10, "10+", "1 1/2", "M1/4" or "0.25". */
function visibilityMiles(visibility: Reported["visib"]): number | null {
  if (typeof visibility !== "string") return visibility ?? null;
  const parts = visibility
    .replace(/^[MP]|(?:SM)?\+?$/g, "")
    .trim()
    .split(" ");
  const miles = parts.map((part) => {
    const [, numerator, denominator = "1"] = /^(\d{1,3}(?:\.\d{1,3})?)(?:\/([1-9]\d?))?$/.exec(part) ?? [];
    return Number(numerator) / Number(denominator);
  });
  const sum = miles.reduce((total, part) => total + part, 0);
  return Number.isNaN(sum) ? null : sum;
}
