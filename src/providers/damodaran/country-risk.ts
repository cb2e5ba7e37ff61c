/** The sheet "ERPs by country" of Damodaran's workbook `ctryprem.xlsx`. */
import { buffer, text } from "node:stream/consumers";
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { codesByName, foldName } from "../../engines/countries/countries.js";
import { CapabilityError } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { DAY_MS } from "../../lib/time.js";
import { type BulkFile, loadBulk } from "../../upstream/bulk/bulk.js";
import { damodaran } from "./provider.js";

const excel = lazy(() => import("read-excel-file/node"));
const SHEET = "ERPs by country";
/** Fewer rows mean another sheet; this one had 178 in 2022. */
const LEAST_ROWS = 100;

/** In percent. For countries without a rating the figures are derived from the PRS Group's risk scores. */
export interface CountryRisk {
  name: string;
  rating: string | null;
  defaultSpread: number | null;
  countryRiskPremium: number | null;
  equityRiskPremium: number;
}

type Row = readonly unknown[];

/** The workbook as a file of lines: the day, then a country a line. It is renewed twice a year. */
const countryRiskFile: BulkFile<CountryRisks> = {
  name: "tables/country-risk.jsonl",
  provider: damodaran,
  url: `${damodaran.baseUrl}/ctryprem.xlsx`,
  maxAgeMs: DAY_MS,
  maxBytes: 8 * 1024 * 1024,
  async *convert(workbook) {
    const { readSheet } = await excel();
    const bytes = await buffer(workbook);
    const rows: Row[] = await readSheet(bytes, SHEET).catch((cause: unknown) => unknownForm(cause));
    yield `${JSON.stringify(dayOf(rows))}\n`;
    for (const risk of risksIn(rows)) yield `${JSON.stringify(risk)}\n`;
  },
  async build(file) {
    const [asOf, ...rows] = (await text(file))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
    if (rows.length < LEAST_ROWS) unknownForm();
    return sheet().parse({ asOf, rows });
  },
};

const sheet = lazySchema(() =>
  z.object({
    asOf: z.string().nullable(),
    rows: z.array(
      z.object({
        name: z.string(),
        rating: z.string().nullable(),
        defaultSpread: z.number().nullable(),
        countryRiskPremium: z.number().nullable(),
        equityRiskPremium: z.number(),
      }),
    ),
  }),
);
export type CountryRisks = z.output<ReturnType<typeof sheet>>;

function unknownForm(cause?: unknown): never {
  throw new CapabilityError(
    "UPSTREAM_SCHEMA",
    `Damodaran's workbook has no sheet "${SHEET}" of a form that is known.`,
    {
      cause,
    },
  );
}

/** Rejects with UPSTREAM_SCHEMA if the sheet has another format, and with UPSTREAM_ERROR without a copy of it. */
export const countryRisks = async (ctx: Context): Promise<CountryRisks> => (await loadBulk(ctx, countryRiskFile)).index;

/** Two tables follow each other, each under a header whose first cell is "Country"; the second has no ratings. */
function risksIn(rows: readonly Row[]): CountryRisk[] {
  let columns: ReturnType<typeof columnsOf>;
  const found: CountryRisk[] = [];
  for (const row of rows) {
    const name = typeof row[0] === "string" ? row[0].trim() : "";
    if (name === "Country") columns = columnsOf(row);
    else if (columns && name !== "") {
      const equityRiskPremium = percent(row[columns.equity]);
      const [defaultSpread, countryRiskPremium] = [percent(row[columns.spread]), percent(row[columns.country])];
      const rating = ratingOf(row[columns.rating]);
      if (equityRiskPremium !== null)
        found.push({ name, rating, defaultSpread, countryRiskPremium, equityRiskPremium });
    }
  }
  return found;
}

/** The first column of each kind, because later ones are of credit default swaps. */
function columnsOf(header: Row) {
  const at = (pattern: RegExp) => header.findIndex((name) => typeof name === "string" && pattern.test(name.trim()));
  const columns = {
    rating: at(/^moody/i),
    spread: at(/default spread$/i),
    equity: at(/^(total )?equity risk premium|^ERP$/i),
    country: at(/^country risk premium|^CRP$/i),
  };
  return columns.spread === -1 || columns.equity === -1 || columns.country === -1 ? undefined : columns;
}

/** The sheet has fractions. */
const percent = (cell: unknown): number | null =>
  typeof cell === "number" && Number.isFinite(cell) ? Math.round(cell * 1e6) / 1e4 : null;

const ratingOf = (cell: unknown): string | null =>
  typeof cell === "string" && /^(Aaa|Aa[1-3]|A[1-3]|Baa[1-3]|Ba[1-3]|B[1-3]|Caa[1-3]|Ca|C)$/.test(cell.trim())
    ? cell.trim()
    : null;

const MONTHS = "January February March April May June July August September October November December".split(" ");

/** The premium contains its day ("Updated January 1, 2022"); the date in the head is sometimes an older one. */
function dayOf(rows: readonly Row[]): string | null {
  for (const row of rows.slice(0, 8))
    for (const cell of row) {
      const [, month = "", day = "", year] = /Updated (\w+) (\d{1,2}), (\d{4})/.exec(String(cell)) ?? [];
      const index = MONTHS.indexOf(month);
      if (year && index >= 0) return `${year}-${String(index + 1).padStart(2, "0")}-${day.padStart(2, "0")}`;
    }
  return null;
}

/** Names of the sheet that no list of countries has, even without their additions in brackets. */
const NAMES: Readonly<Record<string, string>> = {
  "Congo (Democratic Republic of)": "CD",
  "Congo (Republic of)": "CG",
  Korea: "KR",
  "Korea, D.P.R.": "KP",
  "St. Maarten": "SX",
  Turkey: "TR",
  "Yemen, Republic": "YE",
};

/** Figures by ISO 3166-1 alpha-2 code. Separately rated emirates are not countries, and are left out. */
export async function risksByCountry(rows: readonly CountryRisk[]): Promise<Map<string, CountryRisk>> {
  const codes = await codesByName();
  const found = new Map<string, CountryRisk>();
  for (const row of rows) {
    const plain = row.name.replace(/ *\(.*\)$/, "");
    const code = NAMES[row.name] ?? codes.get(foldName(row.name)) ?? codes.get(foldName(plain));
    if (code) found.set(code, row);
  }
  return found;
}
