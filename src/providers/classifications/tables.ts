/**
 * The tables of industry codes, each a file `tables/<name>.tsv` in the data folder: its header line, then a row a line. A host
 * may put them there; otherwise they are made of what the publishers, or public copies of their workbooks, offer as CSV.
 */
import type { Readable } from "node:stream";
import type { Provider } from "../../capability/provider.js";
import type { Context } from "../../capability/types.js";
import { type Classification, type Item, indexItems } from "../../engines/industry/classification.js";
import { type Concordance, type ConcordanceRow, indexConcordance } from "../../engines/industry/concordance.js";
import type { Table } from "../../engines/industry/crosswalk.js";
import { isicItems, naceItems, naicsItems, sicItems } from "../../engines/industry/lists.js";
import { CapabilityError } from "../../errors.js";
import { DAY_MS } from "../../lib/time.js";
import { type BulkFile, loadBulk } from "../../upstream/bulk.js";
import { linesOf } from "../../upstream/lines.js";
import { census, classifications } from "./index.js";
import { codesAndTitles, linkedNace, linkedNaics, naceExport, type Published, workbook } from "./published.js";

const FLOWSA = "https://raw.githubusercontent.com/USEPA/flowsa/master/flowsa/data/external_data";
const CORRESPONDENCE = "https://raw.githubusercontent.com/eurostat/correspondenceTables/main/inst/extdata/test";

interface TableFacts {
  name: string;
  columns: readonly string[];
  published: Published;
  provider?: Provider;
}

function tableFile<Index>(
  { name, columns, published, provider = classifications }: TableFacts,
  make: (rows: string[][]) => Index,
): BulkFile<Index> {
  return {
    name: `tables/${name}.tsv`,
    provider,
    url: published.url,
    // A revision is years in the making.
    maxAgeMs: 90 * DAY_MS,
    maxBytes: 16 * 1024 * 1024,
    convert: (body) => published.convert(body, columns),
    build: async (file) => make(await readTable(file, name, columns)),
  };
}

/** Rejects with UPSTREAM_SCHEMA when the header is another one or no rows follow. */
async function readTable(file: Readable, name: string, columns: readonly string[]): Promise<string[][]> {
  const rows: string[][] = [];
  let header: string | undefined;
  for await (const line of linesOf(file)) {
    if (header === undefined) header = line;
    else if (line !== "") rows.push(line.split("\t"));
    if (header !== columns.join("\t")) break;
  }
  if (rows.length > 0) return rows;
  throw new CapabilityError("UPSTREAM_SCHEMA", `The table ${name} has a form that is not known.`);
}

const list = (facts: TableFacts, toItems: (rows: readonly string[][]) => Item[]): BulkFile<Classification> =>
  tableFile(facts, (rows) => indexItems(toItems(rows)));

const concordance = (
  facts: TableFacts,
  toRow: (row: readonly string[]) => ConcordanceRow | undefined,
): BulkFile<Concordance> => tableFile(facts, (rows) => indexConcordance(rows.flatMap((row) => toRow(row) ?? [])));

const naicsVersions = (name: string, file: string) =>
  concordance(
    { name, columns: ["from", "to", "piece"], published: linkedNaics(`${FLOWSA}/${file}`) },
    ([from = "", to = "", piece = ""]) => ({ from, to, partial: piece !== "", note: null }),
  );

/** NAICS 2022, which alone is enough to look a code of it up. */
const naics2022File = list(
  {
    name: "naics2022",
    columns: ["code", "title"],
    published: codesAndTitles(`${CORRESPONDENCE}/NAICS2022.csv`),
    provider: census,
  },
  naicsItems,
);

const naics2017File = list(
  { name: "naics2017-only", columns: ["code", "title"], published: codesAndTitles(`${CORRESPONDENCE}/NAICS2017.csv`) },
  naicsItems,
);

const naics2017to2022File = naicsVersions("naics2017-naics2022", "2017_to_2022_NAICS.csv");

const isicFile = list(
  { name: "isic4", columns: ["code", "title"], published: codesAndTitles(`${CORRESPONDENCE}/ISIC4.csv`) },
  isicItems,
);

const sicFile = list(
  {
    name: "sic1987",
    columns: ["division", "majorGroup", "group", "code", "title", "titleFrom"],
    published: workbook("https://www.osha.gov/data/sic-manual"),
  },
  sicItems,
);

const NACE_FACTS: TableFacts = {
  name: "nace2",
  columns: ["level", "code", "parent", "title", "isic4"],
  published: naceExport("https://raw.githubusercontent.com/data-cleaning/validate/master/pkg/data/nace_rev2.csv"),
};

/** The list of NACE says of each class which one of ISIC it is a part of, so it is a concordance, too. */
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
  { left: "NAICS 2012", right: "NAICS 2017", file: naicsVersions("naics2012-naics2017", "2012_to_2017_NAICS.csv") },
  { left: "NAICS 2007", right: "NAICS 2012", file: naicsVersions("naics2007-naics2012", "2007_to_2012_NAICS.csv") },
  { left: "NAICS 2002", right: "NAICS 2007", file: naicsVersions("naics2002-naics2007", "2002_to_2007_NAICS.csv") },
  {
    left: "SIC 1987",
    right: "NAICS 2002",
    file: concordance(
      {
        name: "sic1987-naics2002",
        columns: ["sic", "naics2002", "sicTitleAndNote"],
        published: workbook("https://www.census.gov/naics/concordances/1987_SIC_to_2002_NAICS.xls"),
      },
      // Auxiliaries have no code.
      ([from = "", to = ""]) => (/^\d{4}$/.test(from) ? { from, to, partial: false, note: null } : undefined),
    ),
  },
  {
    left: "NAICS 2017",
    right: "ISIC Rev. 4",
    file: concordance(
      {
        name: "naics2017-isic4",
        columns: ["naics2017", "partOfNaics", "isic4", "partOfIsic", "note"],
        published: workbook("https://www.census.gov/naics/concordances/2017_NAICS_to_ISIC_4.xlsx"),
      },
      ([from = "", partOfNaics, to = "", partOfIsic, note = ""]) => ({
        from,
        to,
        // A link to a group, which four rows have, is none to a whole class.
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
        published: linkedNace(`${CORRESPONDENCE}/NAICS2017_NACE.csv`),
      },
      // 00 stands for all of NAICS.
      ([from = "", to = "", note = ""]) =>
        from.length === 6 ? { from, to, partial: to.length < 5, note: note || null } : undefined,
    ),
  },
] as const;

export type Version = (typeof LINKS)[number]["left" | "right"];

export const loadNaics2022 = async (ctx: Context): Promise<Classification> =>
  (await loadBulk(ctx, naics2022File)).index;

/** What codes of NAICS 2017 became in 2022. */
export const loadNaicsSuccessors = async (ctx: Context): Promise<Concordance> =>
  (await loadBulk(ctx, naics2017to2022File)).index;

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

/** All tables. One that cannot be loaded ends the call: links that are missing would look like links that do not exist. */
export async function loadIndustryTables(ctx: Context): Promise<IndustryTables> {
  const [naics2022, naics2017, sic, isic, nace, ...concordances] = await Promise.all([
    loadNaics2022(ctx),
    loadBulk(ctx, naics2017File).then(({ index }) => index),
    loadBulk(ctx, sicFile).then(({ index }) => index),
    loadBulk(ctx, isicFile).then(({ index }) => index),
    loadBulk(ctx, naceFile).then(({ index }) => index),
    ...LINKS.map(({ file }) => loadBulk(ctx, file).then(({ index }) => index)),
  ]);
  const links = LINKS.flatMap(({ left, right }, place): Table<Version>[] => {
    const concordance = concordances[place];
    return concordance ? [{ left, right, concordance }] : [];
  });
  links.push({ left: "NACE Rev. 2", right: "ISIC Rev. 4", concordance: nace.toIsic });
  return { lists: { naics2022, naics2017, sic, isic, nace: nace.classification }, links };
}
