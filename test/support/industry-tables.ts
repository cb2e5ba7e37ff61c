/** Small tables of industry codes in a data folder, in the form of the real ones. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Exchange } from "./upstream.js";
import { zipOf } from "./zip.js";

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

/** A few rows of each table under the header lines that its publisher, or the public copy of it, gives them. */
export const PUBLISHED = {
  naics2022:
    '\ufeffNAICS 2022,2022 NAICS US Title,Seq. No.\n51,InformationT,1\n513,"Publishing Industries, Broad",2\n' +
    "5132,Software PublishersT,3\n51321,Software PublishersT,4\n513210,Software Publishers,5\n,,\n",
  naics2017: "\ufeffNAICS 2017,2017 NAICS US Title,Seq. No.\n511210,Software Publishers ,1\n",
  naicsYears: (from: number, to: number) =>
    `\ufeff${from} NAICS U.S. Matched to ${to} NAICS U.S. (Full Concordance),,,\n"(Note:  codes, in bold)",,,\n` +
    `${from} NAICS Code,"${from} NAICS Title\n(and specific piece) ",${to} NAICS Code,${to} NAICS Title\n` +
    `511210,Software Publishers,${to === 2022 ? 513210 : 511210},Software Publishers\n` +
    "519130,Portals - web games,519130,Portals\n519130,Portals - the rest,513199,Others\n",
  isic4: `ISIC Rev. 4,"Description"\n"J","Information"\n"58","Publishing"\n"582","Software"\n"5820","Software publishing"\n`,
  nace2:
    '"Order";"Level";"Code";"Parent";"Description";"This_item_includes";"Rulings";"Reference_to_ISIC_Rev._4"\n' +
    '1;1;"J";"";"INFORMATION";"";"";"J"\n2;2;"58";"J";"Publishing";"Of books.\n Of maps; of lists.";"";"58"\n' +
    '3;3;"58.2";"58";"Software";"";"";"582"\n4;4;"58.29";"58.2";"Other software publishing";"";"";"5820"\n',
  naicsNace:
    "\ufeffNAICS 2017,NACE Rev. 2,NACE Rev. 2,US NAICS 2017,Notes\n511210,58.29,Other software publishing,Software Publishers,\n" +
    "111998,01.29,Growing of other crops,Other Crop Farming,Natural latex; maple sap\n00,98.10,Goods,All,To all of NAICS\n",
  naicsIsic: [
    [
      "Part of NAICS US",
      "2017\r\nNAICS\r\nUS",
      "2017 NAICS US TITLE",
      "Part of ISIC",
      "ISIC 4.0",
      "Title",
      "Notes:  link",
    ],
    [null, 0, "Multiple NAICS industries", null, 9810, "Own use", "one to many links"],
    [null, 111110, "Soybean Farming", "*", 111, "Growing of cereals", null],
    [null, 111336, "Combination Farming", "*", 12, "Growing of perennial crops", "ISIC group level link - combination"],
    [null, 511210, "Software Publishers", null, 5820, "Software publishing", null],
  ],
};

/** All of them, where they are published. */
export const publishedTables = (): Exchange[] => [
  { url: "/NAICS2022.csv", body: PUBLISHED.naics2022 },
  { url: "/NAICS2017.csv", body: PUBLISHED.naics2017 },
  { url: "/ISIC4.csv", body: PUBLISHED.isic4 },
  { url: "/nace_rev2.csv", body: PUBLISHED.nace2 },
  { url: "/NAICS2017_NACE.csv", body: PUBLISHED.naicsNace },
  { url: "/2017_NAICS_to_ISIC_4.xlsx", body: new Uint8Array(workbookOf(PUBLISHED.naicsIsic)) },
  ...[2002, 2007, 2012, 2017].map((year) => ({
    url: `/${year}_to_${year + 5}_NAICS.csv`,
    body: PUBLISHED.naicsYears(year, year + 5),
  })),
];

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** An .xlsx workbook of one sheet: the fewest parts that one has (ISO/IEC 29500). */
export function workbookOf(rows: readonly (readonly (string | number | null)[])[], name = "Links"): Buffer {
  const cell = (value: string | number | null, at: string) =>
    value === null
      ? ""
      : typeof value === "number"
        ? `<c r="${at}"><v>${value}</v></c>`
        : `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
  const sheet = rows.map((row, y) => {
    const cells = row.map((value, x) => cell(value, `${String.fromCharCode(65 + x)}${y + 1}`)).join("");
    return `<row r="${y + 1}">${cells}</row>`;
  });
  return zipOf({
    "xl/workbook.xml": `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="${name}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    "xl/worksheets/sheet1.xml": `<worksheet xmlns="${MAIN}"><sheetData>${sheet.join("")}</sheetData></worksheet>`,
  });
}
