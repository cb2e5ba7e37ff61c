/** Tables of workbooks and of CSV. */
import type { RootContent } from "mdast";
import { invalid } from "../../errors.js";
import { readCsvRecords } from "../data/tables.js";
import { readWorkbook } from "../data/xlsx.js";
import { coreFacts, type Members } from "../xml/parts.js";
import { heading, type ReadDocument, textNode, textTable } from "./document.js";

/** More cells are data, which data.convert gives as such. */
const MAX_CELLS = 200_000;

export function readWorkbookText(members: Members): ReadDocument {
  const { sheets, notes: lost } = readWorkbook(members);
  let cells = 0;
  const blocks = sheets.flatMap(({ sheet, rows }): RootContent[] => {
    const filled = rows.filter((row) => row.some((cell) => cell !== null && cell !== ""));
    cells += filled.length * filled.reduce((most, { length }) => Math.max(most, length), 0);
    assertCells(cells);
    const texts = filled.map((row) => row.map((cell) => (cell === null ? "" : String(cell))));
    return [heading(2, [textNode(sheet)]), ...(texts.length > 0 ? [textTable(texts)] : [])];
  });
  const images = [...members]
    .filter(([name]) => name.startsWith("xl/media/"))
    .map(([name, { length }]) => ({ name: name.replace(/^.*\//, ""), alt: "", bytes: length }));
  const notes = members.has("xl/vbaProject.bin") ? ["macros were not read"] : [];
  return { ...coreFacts(members), blocks, images, notes: [...notes, ...lost] };
}

export async function readCsvText(text: string): Promise<ReadDocument> {
  const records = await readCsvRecords(text);
  assertCells(records.length * records.reduce((most, { length }) => Math.max(most, length), 0));
  const blocks = records.length > 0 ? [textTable(records)] : [];
  return { title: null, author: null, blocks, images: [], notes: [] };
}

function assertCells(count: number): void {
  if (count > MAX_CELLS) throw invalid("", `has more than ${MAX_CELLS} cells: data.convert reads tables of that size`);
}
