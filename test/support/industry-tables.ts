/** Small tables of industry codes in a data folder, in the form of the real ones. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const TABLES: Record<string, string[]> = {
  naics2022: [
    "code title",
    "31-33 Making",
    "334 Machines",
    "513 Publishing",
    "5132 Programs",
    "51321 Software",
    "513210 Software-Publishers",
  ],
  "naics2017-only": ["code title", "511210 Old-Software-Publishers"],
  "naics2017-naics2022": ["from to piece", "511210 513210 ", "519130 513210 web-games"],
  "naics2012-naics2017": ["from to piece", "511210 511210 ", "519999 519130 "],
  "naics2007-naics2012": ["from to piece", "511210 511210 "],
  "naics2002-naics2007": ["from to piece", "511210 511210 "],
  "sic1987-naics2002": ["sic naics2002 sicTitleAndNote", "7372 511210 Packaged", "Aux 511210 Auxiliaries"],
  sic1987: [
    "division majorGroup group code title titleFrom",
    "I    Services list",
    "I 73 730 7300 Business list",
    "I 73 737 7370 Computing list",
    "I 73 737 7372 Packaged list",
  ],
  "naics2017-isic4": ["naics2017 partOfNaics isic4 partOfIsic note", "511210  5820  ", "519130 * 5820 * games"],
  "naics2017-nace2": ["naics2017 nace2 note", "511210 58.21 ", "511210 58.29 ", "00 98.10 all-of-NAICS"],
  isic4: [
    "code title",
    "J Information",
    "58 Publishing",
    "582 Software",
    "5820 Software",
    "T Households",
    "98 Own",
    "981 Goods",
    "9810 Goods",
  ],
  nace2: [
    "level code parent title isic4",
    "1 J  INFORMATION J",
    "2 58 J Publishing 58",
    "3 58.2 58 Software 582",
    "4 58.21 58.2 Games 5820",
    "4 58.29 58.2 Other-software 5820",
    "1 T  HOUSEHOLDS T",
    "2 98 T Own 98",
    "3 98.1 98 Goods 981",
    "4 98.10 98.1 Goods 9810",
  ],
};

/** A data folder with the tables, those of `without` left out. */
export function industryTables(...without: string[]): string {
  const dataDir = mkdtempSync(join(tmpdir(), "industry-"));
  mkdirSync(join(dataDir, "tables"));
  for (const [name, rows] of Object.entries(TABLES))
    if (!without.includes(name))
      writeFileSync(
        join(dataDir, "tables", `${name}.tsv`),
        `${rows.map((row) => row.replaceAll(" ", "\t")).join("\n")}\n`,
      );
  return dataDir;
}
