/** The parts of an XLSX workbook: its sheets by name, their texts and styles. */
import { invalid } from "../../../errors.js";
import { decodePage } from "../../../lib/text/charset.js";
import { scanXml } from "../../../lib/xml/scan.js";
import {
  attribute,
  childAt,
  childrenNamed,
  type Members,
  type Relation,
  relationsOf,
  xmlPart,
} from "../../xml/parts.js";
import { type Book, unescaped } from "./cells.js";
import { Losses } from "./losses.js";
import { MAX_PLACES, readRows, tooLarge } from "./sheet.js";
import { shownByStyle } from "./styles.js";

export interface OpenBook {
  names: string[];
  /** The rows of a sheet by its number from 0. */
  rows(index: number): unknown[][];
  /** Losses of the sheets read so far. */
  notes(): string[];
}

/** Throws INVALID_INPUT for an archive without a workbook. `number` makes a cell of a number's text. */
export function openBook(members: Members, number: (text: string) => unknown): OpenBook {
  const main = [...relationsOf(members, "").values()].find(({ type }) => type === "officeDocument")?.target;
  const name = main && members.has(main) ? main : "xl/workbook.xml";
  const workbook = xmlPart(members, name);
  if (!workbook) throw invalid("", "is not a workbook that can be read: xl/workbook.xml is missing");
  const relations = relationsOf(members, name);
  const sheets = childrenNamed(childAt(workbook, "sheets"), "sheet")
    .map((sheet) => ({ name: attribute(sheet, "name") ?? "", part: relations.get(relationOf(sheet)) }))
    // A sheet that is one chart has no cells.
    .filter(({ part }) => part === undefined || part.type === "worksheet");
  const ofType = (type: string) =>
    textOf(
      members,
      [...relations.values()].find((one) => one.type === type),
    );
  const losses = new Losses();
  let current = "";
  const book: Book = {
    strings: sharedStrings(ofType("sharedStrings")),
    shown: shownByStyle(ofType("styles")),
    is1904: /^(?:1|true|on)$/.test(attribute(childAt(workbook, "workbookPr"), "date1904") ?? ""),
    lose: (loss, place) => losses.add(loss, `${current}${place}`),
    number,
  };
  let places = 0;
  return {
    names: sheets.map((sheet) => sheet.name),
    rows(index) {
      current = sheets.length > 1 ? `${sheets[index]?.name}!` : "";
      const rows = readRows(textOf(members, sheets[index]?.part), book);
      places += rows.length * (rows[0]?.length ?? 0);
      if (places > MAX_PLACES) throw tooLarge(rows.length, rows[0]?.length ?? 0);
      return rows;
    },
    notes: () => [...losses.notes(), ...notRead(members)],
  };
}

const relationOf = (sheet: Parameters<typeof attribute>[0]): string =>
  sheet?.attributes.find(([key]) => /:id$/i.test(key))?.[1] ?? "";

/** Empty if the workbook does not have the part. */
function textOf(members: Members, part: Relation | undefined): string {
  const bytes = part && !part.isExternal ? members.get(part.target) : undefined;
  return bytes ? decodePage(bytes, "") : "";
}

/** Texts that cells name by number: runs are one text, without the readings of East Asian characters. */
function sharedStrings(xml: string): string[] {
  const strings: string[] = [];
  let [isText, phonetic, text] = [false, 0, ""];
  scanXml(xml, {
    open(name) {
      if (name === "si") text = "";
      else if (name === "rPh") phonetic++;
      else if (name === "t") isText = phonetic === 0;
    },
    close(name) {
      if (name === "si") strings.push(unescaped(text));
      else if (name === "rPh") phonetic--;
      else if (name === "t") isText = false;
    },
    text(part) {
      if (isText) text += part;
    },
  });
  return strings;
}

/** Parts of a workbook beside its cells. */
function notRead(members: Members): string[] {
  const names = [...members.keys()];
  return [
    ...(names.some((name) => /^xl\/(?:comments|threadedComments)/.test(name))
      ? ["comments of cells were not read"]
      : []),
    ...(names.some((name) => /^xl\/(?:charts|chartsheets)\//.test(name)) ? ["charts were not read"] : []),
  ];
}
