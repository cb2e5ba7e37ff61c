/** Texts of OpenDocument (ISO/IEC 26300, OASIS ODF 1.3): what a reader sees of them. */
import type { PhrasingContent, RootContent } from "mdast";
import { invalid } from "../../errors.js";
import type { XmlElement } from "../../lib/xml/parse.js";
import { CellRoom } from "../markdown/cells.js";
import {
  attribute,
  attributeNamed,
  charactersIn,
  childAt,
  childrenNamed,
  descendants,
  elementsOf,
  localName,
  type Members,
  xmlPart,
} from "../xml/parts.js";
import {
  type Block,
  heading,
  inlineOf,
  type Marks,
  type Picture,
  paragraph,
  type ReadDocument,
  type TextRun,
  table,
} from "./document.js";
import { safeAddress } from "./docx-runs.js";

interface OdtReading {
  members: Members;
  styles: ReadonlyMap<string, Marks>;
  /** Names of list styles that number their items. */
  numbered: ReadonlySet<string>;
  images: Picture[];
  notes: XmlElement[];
  room: CellRoom;
}

/** Repeated cells mostly fill the rest of a sheet. */
const MAX_REPEATED = 50;

export function readOdt(members: Members): ReadDocument {
  const root = xmlPart(members, "content.xml");
  const body = childAt(root, "body", "text");
  if (!body) throw invalid("", "has no text: content.xml has no office:text");
  const automatic = childAt(root, "automatic-styles");
  const styles = [
    ...childrenNamed(automatic, "style"),
    ...childrenNamed(childAt(xmlPart(members, "styles.xml"), "styles"), "style"),
  ];
  const reading: OdtReading = {
    members,
    styles: new Map(styles.reverse().map((style) => [attribute(style, "name") ?? "", marksOf(style)])),
    numbered: new Set(
      childrenNamed(automatic, "list-style")
        .filter((style) => localName(elementsOf(style)[0] ?? style) === "list-level-style-number")
        .map((style) => attribute(style, "name") ?? ""),
    ),
    images: [],
    notes: [],
    room: new CellRoom(),
  };
  const blocks: RootContent[] = blocksOf(body, reading);
  for (let i = 0; i < reading.notes.length; i++) {
    const children = blocksOf(childAt(reading.notes[i], "note-body") ?? body, reading);
    blocks.push({ type: "footnoteDefinition", identifier: String(i + 1), label: String(i + 1), children });
  }
  const meta = childAt(xmlPart(members, "meta.xml"), "meta");
  const fact = (...names: string[]) =>
    names.map((name) => charactersIn(childAt(meta, name)).trim()).find(Boolean) ?? null;
  const notes = [...members.keys()].some((name) => name.startsWith("Basic/")) ? ["macros were not read"] : [];
  return { title: fact("title"), author: fact("initial-creator", "creator"), blocks, images: reading.images, notes };
}

function marksOf(style: XmlElement): Marks {
  const properties = childAt(style, "text-properties");
  const struck = attribute(properties, "text-line-through-style");
  return {
    bold: /^(?:bold|[6-9]00)$/.test(attributeNamed(properties, "fo:font-weight") ?? ""),
    italic: /^(?:italic|oblique)$/.test(attributeNamed(properties, "fo:font-style") ?? ""),
    struck: struck !== undefined && struck !== "none",
  };
}

function blocksOf(parent: XmlElement, reading: OdtReading): Block[] {
  return elementsOf(parent).flatMap((element): Block[] => {
    const name = localName(element);
    if (name === "h")
      return filled(element, reading, (children) =>
        heading(Number(attribute(element, "outline-level")) || 1, children),
      );
    if (name === "p") return filled(element, reading, paragraph);
    if (name === "list") return listOf(element, reading);
    if (name === "table") return [tableOf(element, reading)];
    // Drafts of what was deleted stand before the text.
    if (name === "tracked-changes" || name === "sequence-decls" || name === "forms") return [];
    return blocksOf(element, reading);
  });
}

function filled(element: XmlElement, reading: OdtReading, build: (children: PhrasingContent[]) => Block): Block[] {
  const boxes: XmlElement[] = [];
  const children = inlineOf([...runsIn(element, {}, reading, boxes)]);
  const boxed = boxes.flatMap((box) => blocksOf(box, reading));
  return children.length > 0 ? [build(children), ...boxed] : boxed;
}

function listOf(element: XmlElement, reading: OdtReading): Block[] {
  const children = childrenNamed(element, "list-item", "list-header").map((item) => ({
    type: "listItem" as const,
    spread: false,
    children: blocksOf(item, reading),
  }));
  const items = children.filter((item) => item.children.length > 0);
  if (items.length === 0) return [];
  const ordered = reading.numbered.has(attribute(element, "style-name") ?? "");
  return [{ type: "list", ordered, start: ordered ? 1 : null, spread: false, children: items }];
}

function tableOf(element: XmlElement, reading: OdtReading): Block {
  const rows = [...rowsOf(element)].map((row) =>
    childrenNamed(row, "table-cell", "covered-table-cell").flatMap((cell) => {
      const content = childrenNamed(cell, "p", "h").flatMap((one, i) => [
        ...(i > 0 ? [{ content: " " }] : []),
        ...runsIn(one, {}, reading, []),
      ]);
      const repeated = Math.min(MAX_REPEATED, Number(attribute(cell, "number-columns-repeated")) || 1);
      reading.room.take(repeated);
      return Array.from({ length: repeated }, () => inlineOf(content));
    }),
  );
  return table(rows);
}

function* rowsOf(parent: XmlElement): Generator<XmlElement> {
  for (const child of elementsOf(parent)) {
    if (localName(child) === "table-row") yield child;
    else if (localName(child).startsWith("table-")) yield* rowsOf(child);
  }
}

function* runsIn(parent: XmlElement, marks: Marks, reading: OdtReading, boxes: XmlElement[]): Generator<TextRun> {
  for (const child of parent.children) {
    // Writers indent their files.
    if (typeof child === "string") yield { ...marks, content: child.replace(/\s+/g, " ") };
    else yield* runsOfElement(child, marks, reading, boxes);
  }
}

const SIGNS: Readonly<Record<string, string>> = { tab: " ", "line-break": "\n" };
const LEFT_OUT = new Set([
  "annotation",
  "annotation-end",
  "change",
  "change-start",
  "change-end",
  "bookmark",
  "soft-page-break",
  "title",
  "desc",
]);

function* runsOfElement(child: XmlElement, marks: Marks, reading: OdtReading, boxes: XmlElement[]): Generator<TextRun> {
  const name = localName(child);
  const sign = name === "s" ? " ".repeat(Math.min(100, Number(attribute(child, "c")) || 1)) : SIGNS[name];
  if (sign !== undefined) yield { ...marks, content: sign };
  else if (LEFT_OUT.has(name)) return;
  else if (name === "span")
    yield* runsIn(
      child,
      { ...marks, ...onlyOn(reading.styles.get(attribute(child, "style-name") ?? "")) },
      reading,
      boxes,
    );
  else if (name === "a")
    yield* runsIn(child, { ...marks, href: safeAddress(attributeNamed(child, "xlink:href") ?? "") }, reading, boxes);
  else if (name === "note") {
    const label = String(reading.notes.push(child));
    yield { content: { type: "footnoteReference", identifier: label, label } };
  } else if (name === "frame") yield* runsOfFrame(child, reading, boxes);
  else yield* runsIn(child, marks, reading, boxes);
}

const onlyOn = (marks: Marks = {}): Marks => Object.fromEntries(Object.entries(marks).filter(([, value]) => value));

function* runsOfFrame(frame: XmlElement, reading: OdtReading, boxes: XmlElement[]): Generator<TextRun> {
  const [image] = childrenNamed(frame, "image");
  boxes.push(...childrenNamed(frame, "text-box"));
  const target = attributeNamed(image, "xlink:href");
  if (target === undefined) return;
  const alt = [...descendants(frame, "title", "desc")].map(charactersIn).join(" ").trim();
  const name = target.replace(/^.*[\\/]/, "");
  reading.images.push({ name, alt, bytes: reading.members.get(target)?.length ?? 0 });
  yield { content: { type: "image", url: name, alt } };
}
