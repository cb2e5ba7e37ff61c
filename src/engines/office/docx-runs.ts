/** The runs of a paragraph of a Word document: text, links, pictures, marks of notes. */
import type { XmlElement } from "../../lib/xml/parse.js";
import { attribute, charactersIn, childAt, descendants, elementsOf, localName } from "../xml/parts.js";
import type { Marks, TextRun } from "./document.js";
import type { DocxReading } from "./docx-reading.js";

export interface Runs {
  runs: TextRun[];
  /** Contents of text boxes that are anchored in the paragraph. */
  boxes: XmlElement[];
}

export function runsOf(paragraph: XmlElement, reading: DocxReading): Runs {
  const found: Runs = { runs: [], boxes: [] };
  new RunReader(reading, found).read(paragraph, {});
  return found;
}

/** Elements of the text that say nothing to its reader. */
const LEFT_OUT = new Set([
  "pPr",
  "rPr",
  "del",
  "moveFrom",
  "delText",
  "sdtPr",
  "sdtEndPr",
  "bookmarkStart",
  "bookmarkEnd",
  "proofErr",
  "commentReference",
]);
const SIGNS: Readonly<Record<string, string>> = {
  tab: " ",
  br: "\n",
  cr: "\n",
  noBreakHyphen: "\u2011",
  softHyphen: "",
};

class RunReader {
  readonly #reading: DocxReading;
  readonly #found: Runs;
  /** Fields that are open: the instruction of each, and whether its result has begun. */
  readonly #fields: { instruction: string; hasResult: boolean }[] = [];

  constructor(reading: DocxReading, found: Runs) {
    this.#reading = reading;
    this.#found = found;
  }

  read(parent: XmlElement, marks: Marks): void {
    for (const element of elementsOf(parent)) this.#readElement(element, marks);
  }

  #readElement(element: XmlElement, marks: Marks): void {
    const name = localName(element);
    const read = READERS[name];
    const sign = SIGNS[name];
    if (LEFT_OUT.has(name)) return;
    if (read) read(this, element, marks);
    else if (sign !== undefined) this.add(sign, marks);
    else this.read(element, marks);
  }

  readRun(run: XmlElement, marks: Marks): void {
    const { isHidden, ...own } = this.#reading.formats.ofRun(childAt(run, "rPr"));
    if (!isHidden) this.read(run, { ...own, href: this.#fieldLink() ?? marks.href });
  }

  add(content: TextRun["content"], marks: Marks): void {
    // The code of a field is not its result.
    if (this.#fields.every(({ hasResult }) => hasResult)) this.#found.runs.push({ ...marks, content });
  }

  addNote(kind: "footnote" | "endnote", id: string): void {
    const label = String(this.#reading.notes.push({ kind, id }));
    this.#found.runs.push({ content: { type: "footnoteReference", identifier: label, label } });
  }

  addressOf(link: XmlElement): string | undefined {
    const target = this.#reading.relations.get(attribute(link, "id") ?? "");
    const anchor = attribute(link, "anchor");
    if (target?.isExternal) return safeAddress(anchor ? `${target.target}#${anchor}` : target.target);
    return undefined;
  }

  noteField(kind: string | undefined): void {
    const open = this.#fields.at(-1);
    if (kind === "begin") this.#fields.push({ instruction: "", hasResult: false });
    else if (kind === "separate" && open) open.hasResult = true;
    else if (kind === "end") this.#fields.pop();
  }

  noteInstruction(text: string): void {
    const open = this.#fields.at(-1);
    if (open && !open.hasResult) open.instruction += text;
  }

  #fieldLink(): string | undefined {
    return this.#fields.map(({ instruction }) => linkIn(instruction)).find((address) => address !== undefined);
  }

  readDrawing(drawing: XmlElement, marks: Marks): void {
    for (const box of descendants(drawing, "txbxContent")) {
      this.#found.boxes.push(box);
      return;
    }
    const properties = [...descendants(drawing, "docPr", "shape")][0];
    const alt = (attribute(properties, "descr") ?? attribute(properties, "alt") ?? "").replace(/\s+/g, " ").trim();
    for (const blip of descendants(drawing, "blip", "imagedata")) {
      const id = attribute(blip, "embed") ?? attribute(blip, "id") ?? attribute(blip, "link") ?? "";
      const relation = this.#reading.relations.get(id);
      if (!relation) continue;
      const name = relation.target.replace(/^.*[\\/]/, "");
      const bytes = relation.isExternal ? 0 : (this.#reading.members.get(relation.target)?.length ?? 0);
      this.#reading.images.push({ name, alt, bytes });
      this.add({ type: "image", url: name, alt }, marks);
    }
  }
}

type ElementReader = (reader: RunReader, element: XmlElement, marks: Marks) => void;

const readChosen: ElementReader = (reader, element, marks) => {
  const chosen = childAt(element, "Choice") ?? childAt(element, "Fallback");
  if (chosen) reader.read(chosen, marks);
};
const readFormula: ElementReader = (reader, element, marks) =>
  reader.add([...descendants(element, "t")].map(charactersIn).join(""), marks);
const readDrawing: ElementReader = (reader, element, marks) => reader.readDrawing(element, marks);
const addNote =
  (kind: "footnote" | "endnote"): ElementReader =>
  (reader, element) =>
    reader.addNote(kind, attribute(element, "id") ?? "");

const READERS: Readonly<Record<string, ElementReader>> = {
  r: (reader, element, marks) => reader.readRun(element, marks),
  t: (reader, element, marks) => reader.add(charactersIn(element), marks),
  sym: (reader, element, marks) => reader.add(symbolOf(attribute(element, "char")), marks),
  hyperlink: (reader, element, marks) =>
    reader.read(element, { ...marks, href: reader.addressOf(element) ?? marks.href }),
  fldSimple: (reader, element, marks) =>
    reader.read(element, { ...marks, href: linkIn(attribute(element, "instr") ?? "") ?? marks.href }),
  fldChar: (reader, element) => reader.noteField(attribute(element, "fldCharType")),
  instrText: (reader, element) => reader.noteInstruction(charactersIn(element)),
  AlternateContent: readChosen,
  oMath: readFormula,
  oMathPara: readFormula,
  drawing: readDrawing,
  pict: readDrawing,
  object: readDrawing,
  footnoteReference: addNote("footnote"),
  endnoteReference: addNote("endnote"),
};

/** The address of a field such as `HYPERLINK "https://example.com" \o "Title"`. */
function linkIn(instruction: string): string | undefined {
  const [, address] = /^\s*HYPERLINK\s+"([^"]{1,2000})"/i.exec(instruction) ?? [];
  return address === undefined ? undefined : safeAddress(address);
}

/** Undefined for an address that is a script. */
export const safeAddress = (address: string): string | undefined =>
  /^\s*(?:javascript|vbscript|data|file):/i.test(address) ? undefined : address.trim();

/** A character of a symbol font, which stands in Unicode's private part. */
function symbolOf(code: string | undefined): string {
  const number = Number.parseInt(code ?? "", 16);
  return Number.isInteger(number) && number > 0x1f && number < 0xd800 ? String.fromCharCode(number) : "";
}
