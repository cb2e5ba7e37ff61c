/** Figures of the American Community Survey's 5-year estimates for one area. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { CapabilityError } from "../../errors.js";
import { DAY_MS } from "../../lib/time.js";
import { segments, upstream } from "../../upstream/client.js";
import { toLabel, toNumber } from "../../upstream/fields.js";
import { census } from "./provider.js";

/** The newest year at the time of writing; the setting ACS5_LATEST_YEAR names a later one. */
const LATEST_YEAR = 2024;
/** A variable that a year lacks fails the whole request. */
const FIRST_YEAR_OF_TABLE = new Map([
  ["B15003", 2012],
  ["B23025", 2011],
]);
const POPULATION = "B01003_001E";
/** Figures at or below this are codes for missing values, such as -666666666 for too small a sample. */
const NO_FIGURE = -100_000_000;

type Cells = (variable: string) => number | null;

/** An area in the API's form, such as `{ for: "county:037", in: "state:06" }`. */
export interface Area {
  for: string;
  in?: string;
}

/** A header and a row for each area; every cell is text, whatever it holds, or a number. */
const table = lazySchema(() =>
  z
    .string()
    .transform(parseJson)
    .pipe(
      z.tuple([
        z.array(z.string()).refine((header) => header.includes("NAME") && header.includes(POPULATION)),
        z.array(z.union([z.string(), z.number()]).nullable()),
      ]),
    ),
);

export function latestYear(ctx: Context): number {
  return Number(ctx.setting("ACS5_LATEST_YEAR")) || LATEST_YEAR;
}

/** The figures of one area in one year. Throws NOT_FOUND for an area or a year that the survey does not have. */
export async function readProfile(ctx: Context, area: Area, year: number) {
  const found = await upstream(ctx, census).get(segments(year, "acs", "acs5"), {
    query: { get: ["NAME", ...variablesOf(year)].join(","), for: area.for, in: area.in },
    format: "text",
    schema: table(),
    absent: [204],
    // A year's figures never change.
    ttlMs: 30 * DAY_MS,
    staleMs: 335 * DAY_MS,
  });
  if (!found) throw new CapabilityError("NOT_FOUND", `The ACS 5-year data for ${year} have no such area.`);
  const [header, row] = found;
  const cells = new Map(header.map((name, index) => [name, row[index] ?? null]));
  return {
    name: toLabel(String(cells.get("NAME") ?? "")),
    figures: toFigures((variable) => toFigure(cells.get(variable))),
  };
}

export const metaOf = (year: number) => ({ dataset: "acs/acs5", year, period: `${year - 4}-${year}` });

/** Numbers of people are estimates, incomes and values in US dollars of the last year, rates in percent. */
export const figureFields = () => ({
  population: z.number().nullable(),
  medianAge: z.number().nullable(),
  medianHouseholdIncome: z.number().nullable().describe("US dollars; 250001 stands for more than 250,000"),
  perCapitaIncome: z.number().nullable().describe("US dollars"),
  povertyRate: percent("people below the poverty level"),
  unemploymentRate: percent("the civilian labor force out of work"),
  highSchoolOrHigherRate: percent("people of 25 and older with a high-school diploma or more"),
  bachelorsOrHigherRate: percent("people of 25 and older with a bachelor's degree or more"),
  households: z.number().nullable(),
  averageHouseholdSize: z.number().nullable(),
  housingUnits: z.number().nullable(),
  ownerOccupiedRate: percent("occupied homes whose owner lives there"),
  medianHomeValue: z.number().nullable().describe("US dollars"),
  medianGrossRent: z.number().nullable().describe("US dollars a month"),
  raceEthnicity: z
    .object({
      white: z.number().nullable(),
      black: z.number().nullable(),
      americanIndian: z.number().nullable(),
      asian: z.number().nullable(),
      pacificIslander: z.number().nullable(),
      other: z.number().nullable(),
      twoOrMore: z.number().nullable(),
      hispanic: z.number().nullable().describe("Of any race; the other groups are without Hispanics"),
      total: z.number().nullable(),
    })
    .describe("Numbers of people"),
});

const percent = (of: string) => z.number().nullable().describe(`Percent of ${of}`);

function toFigures(cell: Cells) {
  const schooling = (from: number) =>
    Array.from({ length: 26 - from }, (_, index) => `B15003_${String(from + index).padStart(3, "0")}E`);
  return {
    population: cell(POPULATION),
    medianAge: cell("B01002_001E"),
    medianHouseholdIncome: cell("B19013_001E"),
    perCapitaIncome: cell("B19301_001E"),
    povertyRate: rate(cell, ["B17001_002E"], "B17001_001E"),
    unemploymentRate: rate(cell, ["B23025_005E"], "B23025_003E"),
    // 17 is a high-school diploma, 22 a bachelor's degree, 25 a doctorate.
    highSchoolOrHigherRate: rate(cell, schooling(17), "B15003_001E"),
    bachelorsOrHigherRate: rate(cell, schooling(22), "B15003_001E"),
    households: cell("B11001_001E"),
    averageHouseholdSize: cell("B25010_001E"),
    housingUnits: cell("B25001_001E"),
    ownerOccupiedRate: rate(cell, ["B25003_002E"], "B25003_001E"),
    medianHomeValue: cell("B25077_001E"),
    medianGrossRent: cell("B25064_001E"),
    raceEthnicity: {
      white: cell("B03002_003E"),
      black: cell("B03002_004E"),
      americanIndian: cell("B03002_005E"),
      asian: cell("B03002_006E"),
      pacificIslander: cell("B03002_007E"),
      other: cell("B03002_008E"),
      twoOrMore: cell("B03002_009E"),
      hispanic: cell("B03002_012E"),
      total: cell("B03002_001E"),
    },
  };
}

/** The variables of `toFigures`, as far as the year has them. */
function variablesOf(year: number): string[] {
  const variables = new Set<string>();
  toFigures((variable) => {
    variables.add(variable);
    return null;
  });
  return [...variables].filter((variable) => year >= (FIRST_YEAR_OF_TABLE.get(variable.slice(0, 6)) ?? 0));
}

/** Percent with one decimal. */
function rate(cell: Cells, parts: string[], whole: string): number | null {
  const [all, values] = [cell(whole), parts.map(cell)];
  let sum = 0;
  for (const value of values) {
    if (value === null) return null;
    sum += value;
  }
  return all ? Math.round((sum / all) * 1000) / 10 : null;
}

function toFigure(text: string | number | null | undefined): number | null {
  const value = toNumber(text);
  return value !== null && value > NO_FIGURE ? value : null;
}

function parseJson(text: string, issues: z.RefinementCtx): unknown {
  try {
    return JSON.parse(text);
  } catch {
    issues.addIssue({ code: "custom", message: "is not JSON" });
    return z.NEVER;
  }
}
