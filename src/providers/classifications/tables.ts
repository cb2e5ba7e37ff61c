/**
 * The tables of industry codes, each a file `tables/<name>.tsv` in the data folder: a header line, then a row a line. A
 * host may provide them; otherwise they are made from the publishers' files, or from public copies of their workbooks.
 * SIC, which no longer changes, is part of the package.
 */
import type { Readable } from "node:stream";
import type { Provider } from "../../capability/provider.js";
import type { Context } from "../../capability/types.js";
import { type Classification, type Item, indexItems } from "../../engines/industry/classification.js";
import { type Concordance, type ConcordanceRow, indexConcordance } from "../../engines/industry/concordance.js";
import type { Table } from "../../engines/industry/crosswalk.js";
import { isicItems, naceItems, naicsItems } from "../../engines/industry/lists.js";
import { CapabilityError } from "../../errors.js";
import { DAY_MS } from "../../lib/time.js";
import { type BulkFile, loadBulk } from "../../upstream/bulk/bulk.js";
import { linesOf } from "../../upstream/bulk/lines.js";
import { censusClassifications, classifications } from "./provider.js";
import { type Convert, codesAndTitles, linkedIsic, linkedNace, linkedNaics, naceExport } from "./published.js";
import { loadSic } from "./sic.js";

/** CSV copies of workbooks by Census and the UN, maintained by the EPA and Eurostat; and Eurostat's own files. */
const FLOWSA = "https://raw.githubusercontent.com/USEPA/flowsa/master/flowsa/data/external_data";
const CORRESPONDENCE = "https://raw.githubusercontent.com/eurostat/correspondenceTables/main/inst/extdata/test";
const CENSUS = "https://www.census.gov/naics";
const NREL =
  "https://raw.githubusercontent.com/NREL/Solar-for-Industry-Process-Heat/master/county_heat_calculations/calculation_data";

interface TableFacts {
  name: string;
  columns: readonly string[];
  /** Addresses in the order of requests. */
  urls: readonly [string, ...string[]];
  convert: Convert;
  provider?: Provider;
}

function tableFile<Index>(
  { name, columns, urls: [url, ...mirrors], convert, provider = classifications }: TableFacts,
  make: (rows: string[][]) => Index,
): BulkFile<Index> {
  return {
    name: `tables/${name}.tsv`,
    provider,
    url,
    mirrors,
    // Revisions take years.
    maxAgeMs: 90 * DAY_MS,
    maxBytes: 16 * 1024 * 1024,
    convert: (body) => convert(body, columns),
    build: async (file) => make(await readTable(file, name, columns)),
  };
}

/** Rejects with UPSTREAM_SCHEMA for another header, or without rows. */
async function readTable(file: Readable, name: string, columns: readonly string[]): Promise<string[][]> {
  const rows: string[][] = [];
  let header: string | undefined;
  for await (const line of linesOf(file)) {
    if (header === undefined) header = line;
    else if (line !== "") rows.push(line.split("\t"));
    if (header !== columns.join("\t")) break;
  }
  if (rows.length > 0) return rows;
  throw new CapabilityError("UPSTREAM_SCHEMA", `The table ${name} has an unknown format.`);
}

const list = (facts: TableFacts, toItems: (rows: readonly string[][]) => Item[]): BulkFile<Classification> =>
  tableFile(facts, (rows) => indexItems(toItems(rows)));

const concordance = (
  facts: TableFacts,
  toRow: (row: readonly string[]) => ConcordanceRow | undefined,
): BulkFile<Concordance> => tableFile(facts, (rows) => indexConcordance(rows.flatMap((row) => toRow(row) ?? [])));

const naicsVersions = (name: string, ...urls: [string, ...string[]]) =>
  concordance(
    { name, columns: ["from", "to", "piece"], urls, convert: linkedNaics },
    ([from = "", to = "", piece = ""]) => ({ from, to, partial: piece !== "", note: null }),
  );

/** NAICS 2022, which is enough to look up one of its codes. */
const naics2022File = list(
  {
    name: "naics2022",
    columns: ["code", "title"],
    urls: [`${CORRESPONDENCE}/NAICS2022.csv`, `${CENSUS}/2022NAICS/2-6%20digit_2022_Codes.xlsx`],
    convert: codesAndTitles,
    provider: censusClassifications,
  },
  naicsItems,
);

/** Contains only the codes that 2022 lacks; others may be missing. */
const naics2017File = list(
  {
    name: "naics2017-only",
    columns: ["code", "title"],
    urls: [`${CORRESPONDENCE}/NAICS2017.csv`, `${CENSUS}/2017NAICS/2-6%20digit_2017_Codes.xlsx`],
    convert: codesAndTitles,
  },
  naicsItems,
);

const naics2017to2022File = naicsVersions(
  "naics2017-naics2022",
  `${FLOWSA}/2017_to_2022_NAICS.csv`,
  `${CENSUS}/concordances/2017_to_2022_NAICS.xlsx`,
);

const isicFile = list(
  { name: "isic4", columns: ["code", "title"], urls: [`${CORRESPONDENCE}/ISIC4.csv`], convert: codesAndTitles },
  isicItems,
);

const NACE_FACTS: TableFacts = {
  name: "nace2",
  columns: ["level", "code", "parent", "title", "isic4"],
  urls: ["https://raw.githubusercontent.com/data-cleaning/validate/master/pkg/data/nace_rev2.csv"],
  convert: naceExport,
};

/** NACE lists for each class the class of ISIC that contains it, so it is a concordance, too. */
const naceFile = tableFile(NACE_FACTS, (rows) => ({
  classification: indexItems(naceItems(rows)),
  toIsic: indexConcordance(
    rows.flatMap(([level, from = "", , , to = ""]) =>
      level === "4" && to ? [{ from, to, partial: false, note: null }] : [],
    ),
  ),
}));

const LINKS = [
  { left: "NAICS 2017", right: "NAICS 2022", file: naics2017to2022File },
  {
    left: "NAICS 2012",
    right: "NAICS 2017",
    file: naicsVersions(
      "naics2012-naics2017",
      `${FLOWSA}/2012_to_2017_NAICS.csv`,
      `${CENSUS}/concordances/2012_to_2017_NAICS.xlsx`,
    ),
  },
  {
    left: "NAICS 2007",
    right: "NAICS 2012",
    file: naicsVersions("naics2007-naics2012", `${FLOWSA}/2007_to_2012_NAICS.csv`, `${NREL}/2007_to_2012_NAICS.csv`),
  },
  {
    left: "NAICS 2002",
    right: "NAICS 2007",
    file: naicsVersions("naics2002-naics2007", `${FLOWSA}/2002_to_2007_NAICS.csv`, `${NREL}/2002_to_2007_NAICS.csv`),
  },
  {
    left: "NAICS 2017",
    right: "ISIC Rev. 4",
    file: concordance(
      {
        name: "naics2017-isic4",
        columns: ["naics2017", "partOfNaics", "isic4", "partOfIsic", "note"],
        urls: [
          `${CENSUS}/concordances/2017_NAICS_to_ISIC_4.xlsx`,
          "https://raw.githubusercontent.com/insongkim/concordance/master/data-raw/2017_NAICS_to_ISIC_4.xlsx",
        ],
        convert: linkedIsic,
      },
      ([from = "", partOfNaics, to = "", partOfIsic, note = ""]) => ({
        from,
        to,
        // A link to a group, as in four rows, does not cover a whole class.
        partial: partOfNaics === "*" || partOfIsic === "*" || to.length < 4,
        note: note || null,
      }),
    ),
  },
  {
    left: "NAICS 2017",
    right: "NACE Rev. 2",
    file: concordance(
      {
        name: "naics2017-nace2",
        columns: ["naics2017", "nace2", "note"],
        urls: [`${CORRESPONDENCE}/NAICS2017_NACE.csv`],
        convert: linkedNace,
      },
      // 00 stands for all of NAICS.
      ([from = "", to = "", note = ""]) =>
        from.length === 6 ? { from, to, partial: to.length < 5, note: note || null } : undefined,
    ),
  },
] as const;

/** The editions that concordances connect. */
export type Version = (typeof LINKS)[number]["left" | "right"] | "SIC 1987";

export const loadNaics2022 = (ctx: Context): Promise<Classification> => load(ctx, naics2022File);

/** Successors in 2022 of codes of NAICS 2017. */
export const loadNaicsSuccessors = (ctx: Context): Promise<Concordance> => load(ctx, naics2017to2022File);

export interface IndustryTables {
  lists: {
    naics2022: Classification;
    naics2017: Classification;
    sic: Classification;
    isic: Classification;
    nace: Classification;
  };
  links: Table<Version>[];
}

/**
 * All tables. If one cannot be loaded the call fails, because a missing link would look like a link that does not
 * exist.
 */
export async function loadIndustryTables(ctx: Context): Promise<IndustryTables> {
  const [naics2022, naics2017, isic, nace, sic, ...links] = await Promise.all([
    loadNaics2022(ctx),
    load(ctx, naics2017File),
    load(ctx, isicFile),
    load(ctx, naceFile),
    loadSic(),
    ...LINKS.map(async ({ left, right, file }): Promise<Table<Version>> => {
      return { left, right, concordance: await load(ctx, file) };
    }),
  ]);
  links.push({ left: "SIC 1987", right: "NAICS 2002", concordance: sic.toNaics2002 });
  links.push({ left: "NACE Rev. 2", right: "ISIC Rev. 4", concordance: nace.toIsic });
  return { lists: { naics2022, naics2017, sic: sic.list, isic, nace: nace.classification }, links };
}

/** Rejects with an error that names the table, and where the host can provide it. */
async function load<Index>(ctx: Context, file: BulkFile<Index>): Promise<Index> {
  try {
    return (await loadBulk(ctx, file)).index;
  } catch (cause) {
    if (!CapabilityError.is(cause)) throw cause;
    const { code, message, retryAfter } = cause;
    const wait = retryAfter === undefined ? {} : { retryAfter };
    throw new CapabilityError(code, `${message} A host can put ${file.name} into its data folder.`, { cause, ...wait });
  }
}
