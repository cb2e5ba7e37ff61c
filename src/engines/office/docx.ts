/** Word documents (ECMA-376, part 1, WordprocessingML): what a reader sees, without headers and footers. */
import type { PhrasingContent, RootContent } from "mdast";
import { invalid } from "../../errors.js";
import type { XmlElement } from "../../lib/xml/parse.js";
import { CellRoom } from "../markdown/cells.js";
import {
  attribute,
  childAt,
  childrenNamed,
  coreFacts,
  descendants,
  elementsOf,
  localName,
  type Members,
  relationsOf,
  xmlPart,
} from "../xml/parts.js";
import {
  type Block,
  heading,
  inlineOf,
  type ListLine,
  listsOf,
  paragraph,
  type ReadDocument,
  type TextRun,
  table,
} from "./document.js";
import { formatsOf } from "./docx-formats.js";
import type { DocxReading } from "./docx-reading.js";
import { runsOf } from "./docx-runs.js";

const MAIN = "word/document.xml";

export function readDocx(members: Members): ReadDocument {
  const part = mainPart(members);
  const root = xmlPart(members, part);
  const body = childAt(root, "body");
  if (!body) throw invalid("", "has no text: word/document.xml has no body");
  const reading: DocxReading = {
    members,
    formats: formatsOf(members),
    relations: relationsOf(members, part),
    images: [],
    room: new CellRoom(),
    notes: [],
  };
  const blocks: RootContent[] = blocksOf(body, reading);
  blocks.push(...notesOf(reading));
  const notes = [
    ...(members.has("word/vbaProject.bin") ? ["macros were not read"] : []),
    ...([...members.keys()].some((name) => /^word\/(?:header|footer)\d*\.xml$/.test(name))
      ? ["headers and footers of pages are left out"]
      : []),
    ...(members.has("word/comments.xml") ? ["comments are left out"] : []),
  ];
  return { ...coreFacts(members), blocks, images: reading.images, notes };
}

/** The part that the package names as its document. */
export function mainPart(members: Members): string {
  const named = [...relationsOf(members, "").values()].find(({ type }) => type === "officeDocument");
  return named && members.has(named.target) ? named.target : MAIN;
}

/** Parts that only wrap others. */
const WRAPPERS = new Set([
  "sdt",
  "sdtContent",
  "customXml",
  "smartTag",
  "ins",
  "moveTo",
  "body",
  "txbxContent",
  "AlternateContent",
]);

function blocksOf(parent: XmlElement, reading: DocxReading): Block[] {
  const blocks: Block[] = [];
  let lines: ListLine[] = [];
  const endList = () => {
    blocks.push(...listsOf(lines));
    lines = [];
  };
  for (const element of flattened(parent)) {
    const name = localName(element);
    const line = name === "p" ? listLine(element, reading) : undefined;
    if (line) {
      lines.push(line);
      continue;
    }
    const made = name === "tbl" ? [tableOf(element, reading)] : paragraphOf(element, reading);
    if (made.length === 0) continue;
    endList();
    blocks.push(...made);
  }
  endList();
  return blocks;
}

function* flattened(parent: XmlElement): Generator<XmlElement> {
  for (const child of elementsOf(parent)) {
    const name = localName(child);
    if (name === "p" || name === "tbl") yield child;
    else if (name === "AlternateContent")
      yield* flattened(childAt(child, "Choice") ?? childAt(child, "Fallback") ?? child);
    else if (WRAPPERS.has(name)) yield* flattened(child);
  }
}

function listLine(element: XmlElement, reading: DocxReading): ListLine | undefined {
  const { numbering, headingLevel } = reading.formats.ofParagraph(childAt(element, "pPr"));
  if (!numbering || headingLevel) return undefined;
  const runs = runsOf(element, reading);
  const children = inlineOf(runs.runs);
  return children.length === 0
    ? undefined
    : { ...numbering, blocks: [paragraph(children), ...boxesOf(runs.boxes, reading)] };
}

function paragraphOf(element: XmlElement, reading: DocxReading): Block[] {
  const { headingLevel, isQuote } = reading.formats.ofParagraph(childAt(element, "pPr"));
  const { runs, boxes } = runsOf(element, reading);
  // The style of a heading is bold already.
  const children = inlineOf(headingLevel ? runs.map(({ bold: _, ...run }): TextRun => run) : runs);
  const boxed = boxesOf(boxes, reading);
  if (children.length === 0) return boxed;
  const block = headingLevel ? heading(headingLevel, children) : paragraph(children);
  return [isQuote && !headingLevel ? { type: "blockquote", children: [block] } : block, ...boxed];
}

const boxesOf = (boxes: readonly XmlElement[], reading: DocxReading): Block[] =>
  boxes.flatMap((box) => blocksOf(box, reading));

/** Cells over several columns or rows are followed by empty ones. */
function tableOf(element: XmlElement, reading: DocxReading): Block {
  const rows = [...rowsOf(element)].map((row) =>
    [...cellsOf(row)].flatMap((cell): PhrasingContent[][] => {
      const properties = childAt(cell, "tcPr");
      const merge = childAt(properties, "vMerge");
      const isContinued = merge !== undefined && attribute(merge, "val") !== "restart";
      const span = Math.min(63, Math.max(1, Number(attribute(childAt(properties, "gridSpan"), "val")) || 1));
      reading.room.take(span);
      return [isContinued ? [] : cellContent(cell, reading), ...Array.from({ length: span - 1 }, () => [])];
    }),
  );
  return table(rows);
}

const rowsOf = (element: XmlElement): Generator<XmlElement> => through(element, "tr");
const cellsOf = (element: XmlElement): Generator<XmlElement> => through(element, "tc");

function* through(parent: XmlElement, name: string): Generator<XmlElement> {
  for (const child of elementsOf(parent)) {
    if (localName(child) === name) yield child;
    else if (WRAPPERS.has(localName(child))) yield* through(child, name);
  }
}

/** A cell of Markdown is one line. */
function cellContent(cell: XmlElement, reading: DocxReading): PhrasingContent[] {
  const paragraphs = [...descendants(cell, "p")].map((one) => inlineOf(runsOf(one, reading).runs));
  return paragraphs
    .filter((children) => children.length > 0)
    .flatMap((children, i) => (i > 0 ? [{ type: "text" as const, value: " " }, ...children] : children));
}

function notesOf(reading: DocxReading): RootContent[] {
  const made: RootContent[] = [];
  // A note may hold another one, which is then met here.
  for (let i = 0; i < reading.notes.length && i < 10_000; i++) {
    const { kind, id } = reading.notes[i] as DocxReading["notes"][number];
    const part = `word/${kind}s.xml`;
    const note = childrenNamed(xmlPart(reading.members, part), kind).find((one) => attribute(one, "id") === id);
    if (!note) continue;
    const children = blocksOf(note, { ...reading, relations: relationsOf(reading.members, part) });
    made.push({ type: "footnoteDefinition", identifier: String(i + 1), label: String(i + 1), children });
  }
  return made;
}
