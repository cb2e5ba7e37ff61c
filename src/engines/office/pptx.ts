/** Presentations (ECMA-376, part 1, PresentationML): slides in their order, each with its notes. */
import type { RootContent } from "mdast";
import type { XmlElement } from "../../lib/xml/parse.js";
import {
  attribute,
  attributeNamed,
  charactersIn,
  childAt,
  childrenNamed,
  coreFacts,
  descendants,
  elementsOf,
  localName,
  type Members,
  type Relation,
  relationsOf,
  xmlPart,
} from "../xml/parts.js";
import {
  type Block,
  heading,
  inlineOf,
  type ListLine,
  listsOf,
  type Picture,
  paragraph,
  type ReadDocument,
  type TextRun,
  table,
  textNode,
} from "./document.js";
import { safeAddress } from "./docx-runs.js";
import { chartTable } from "./pptx-chart.js";

interface Slide {
  members: Members;
  relations: ReadonlyMap<string, Relation>;
  images: Picture[];
}

export function readPptx(members: Members, part = "ppt/presentation.xml"): ReadDocument {
  const relations = relationsOf(members, part);
  const named = childrenNamed(childAt(xmlPart(members, part), "sldIdLst"), "sldId")
    .map((slide) => relations.get(attributeNamed(slide, "r:id") ?? attribute(slide, "id") ?? "")?.target)
    .filter((name): name is string => name !== undefined && members.has(name));
  // Each once: to read one again costs as much.
  const slides = [...new Set(named)];
  const images: Picture[] = [];
  const blocks: RootContent[] = slides.flatMap((name, i) => [
    ...(i > 0 ? [{ type: "thematicBreak" as const }] : []),
    ...slideBlocks(name, members, images),
  ]);
  const notes = members.has("ppt/vbaProject.bin") ? ["macros were not read"] : [];
  return { ...coreFacts(members), blocks, images, notes };
}

function slideBlocks(name: string, members: Members, images: Picture[]): Block[] {
  const relations = relationsOf(members, name);
  const root = xmlPart(members, name);
  const blocks = shapesOf(childAt(root, "cSld", "spTree"), { members, relations, images });
  const notes = [...relations.values()].find(({ type }) => type === "notesSlide");
  const said = notes ? notesOf(xmlPart(members, notes.target), { members, relations, images }) : [];
  return said.length > 0 ? [...blocks, heading(3, [textNode("Notes:")]), ...said] : blocks;
}

function shapesOf(tree: XmlElement | undefined, slide: Slide): Block[] {
  return elementsOf(tree).flatMap((shape): Block[] => {
    const name = localName(shape);
    if (name === "sp") return textShape(shape, slide);
    if (name === "grpSp") return shapesOf(shape, slide);
    if (name === "pic") return pictureOf(shape, slide);
    if (name === "graphicFrame") return frameOf(shape, slide);
    const chosen = name === "AlternateContent" ? (childAt(shape, "Choice") ?? childAt(shape, "Fallback")) : undefined;
    return chosen ? shapesOf(chosen, slide) : [];
  });
}

/** Placeholders that every slide repeats. */
const REPEATED = new Set(["sldNum", "dt", "ftr", "hdr", "sldImg"]);

function textShape(shape: XmlElement, slide: Slide): Block[] {
  const placeholder = childAt(shape, "nvSpPr", "nvPr", "ph");
  const kind = attribute(placeholder, "type") ?? (placeholder ? "body" : "box");
  if (REPEATED.has(kind)) return [];
  const paragraphs = childrenNamed(childAt(shape, "txBody"), "p");
  if (kind === "title" || kind === "ctrTitle") {
    const runs = paragraphs.flatMap((one, i) => [...(i > 0 ? [{ content: " " }] : []), ...runsIn(one, slide)]);
    const children = inlineOf(
      runs.map(({ bold: _, content, ...run }) => ({ ...run, content: content === "\n" ? " " : content })),
    );
    return children.length > 0 ? [heading(2, children)] : [];
  }
  return textBlocks(paragraphs, kind === "body" || kind === "obj", slide);
}

/** Paragraphs of a body are bullets, unless they say otherwise; those of a box are if they say so. */
function textBlocks(paragraphs: readonly XmlElement[], areBullets: boolean, slide: Slide): Block[] {
  const blocks: Block[] = [];
  let lines: ListLine[] = [];
  const endList = () => {
    blocks.push(...listsOf(lines));
    lines = [];
  };
  for (const one of paragraphs) {
    const children = inlineOf(runsIn(one, slide));
    if (children.length === 0) continue;
    const properties = childAt(one, "pPr");
    const isOrdered = childAt(properties, "buAutoNum") !== undefined;
    const isBullet =
      !childAt(properties, "buNone") && (areBullets || isOrdered || childAt(properties, "buChar") !== undefined);
    const level = Math.min(8, Math.max(0, Number(attribute(properties, "lvl")) || 0));
    if (isBullet) lines.push({ level, isOrdered, blocks: [paragraph(children)] });
    else {
      endList();
      blocks.push(paragraph(children));
    }
  }
  endList();
  return blocks;
}

function runsIn(one: XmlElement, { relations }: Slide): TextRun[] {
  return elementsOf(one).flatMap((element): TextRun[] => {
    const name = localName(element);
    if (name === "br") return [{ content: "\n" }];
    if (name !== "r" && name !== "fld") return [];
    const properties = childAt(element, "rPr");
    const link = relations.get(attribute(childAt(properties, "hlinkClick"), "id") ?? "");
    const isOn = (value: string | undefined) => value === "1" || value === "true";
    return [
      {
        content: charactersIn(childAt(element, "t")),
        bold: isOn(attribute(properties, "b")),
        italic: isOn(attribute(properties, "i")),
        struck: /Strike$/.test(attribute(properties, "strike") ?? "") && attribute(properties, "strike") !== "noStrike",
        href: link?.isExternal ? safeAddress(link.target) : undefined,
      },
    ];
  });
}

function pictureOf(shape: XmlElement, { relations, members, images }: Slide): Block[] {
  const properties = childAt(shape, "nvPicPr", "cNvPr");
  const alt = (attribute(properties, "descr") ?? "").replace(/\s+/g, " ").trim();
  const target = relations.get(attribute(childAt(shape, "blipFill", "blip"), "embed") ?? "");
  if (!target) return alt ? [paragraph([textNode(alt)])] : [];
  const extension = /\.\w{1,5}$/.exec(target.target)?.[0] ?? "";
  // Members of the archive have numbers for names; the author named the picture.
  const name = `${(attribute(properties, "name") ?? "picture").replace(/[^\p{L}\p{N}_-]/gu, "")}${extension}`;
  images.push({ name, alt, bytes: target.isExternal ? 0 : (members.get(target.target)?.length ?? 0) });
  return [paragraph([{ type: "image", url: name, alt }])];
}

function frameOf(frame: XmlElement, slide: Slide): Block[] {
  const [grid] = [...descendants(frame, "tbl")];
  if (grid) return [gridOf(grid, slide)];
  const [chart] = [...descendants(frame, "chart")];
  const part = slide.relations.get(attribute(chart, "id") ?? "");
  return part ? chartTable(xmlPart(slide.members, part.target)) : [];
}

function gridOf(grid: XmlElement, slide: Slide): Block {
  return table(
    childrenNamed(grid, "tr").map((row) =>
      childrenNamed(row, "tc").map((cell) =>
        inlineOf(
          childrenNamed(childAt(cell, "txBody"), "p").flatMap((one, i) => [
            ...(i > 0 ? [{ content: " " }] : []),
            ...runsIn(one, slide),
          ]),
        ),
      ),
    ),
  );
}

function notesOf(root: XmlElement | undefined, slide: Slide): Block[] {
  return childrenNamed(childAt(root, "cSld", "spTree"), "sp")
    .filter((shape) => attribute(childAt(shape, "nvSpPr", "nvPr", "ph"), "type") === "body")
    .flatMap((shape) => textBlocks(childrenNamed(childAt(shape, "txBody"), "p"), false, slide));
}
