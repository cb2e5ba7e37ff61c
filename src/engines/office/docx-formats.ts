/** Styles and numbering of a Word document: which paragraphs are headings, quotes and lines of lists. */
import type { XmlElement } from "../../lib/xml/parse.js";
import { attribute, childAt, childrenNamed, type Members, xmlPart } from "../xml/parts.js";
import type { ListLine, Marks } from "./document.js";

export interface ParagraphFormat {
  /** From 1; undefined for text. */
  headingLevel?: number | undefined;
  isQuote: boolean;
  numbering?: Omit<ListLine, "blocks"> | undefined;
}

export interface Formats {
  ofParagraph(properties: XmlElement | undefined): ParagraphFormat;
  /** The formatting that a run has of its own, or by its style. */
  ofRun(properties: XmlElement | undefined): Marks & { isHidden: boolean };
}

interface Style {
  name: string;
  basedOn: string | undefined;
  outline: number | undefined;
  numbering: XmlElement | undefined;
  run: XmlElement | undefined;
}

/** Styles may be based on each other in a circle. */
const MAX_BASES = 12;
/** Number of the outline level that stands for text. */
const TEXT_LEVEL = 9;

export function formatsOf(members: Members): Formats {
  const styles = stylesOf(members);
  const levels = levelsOf(members);

  /** A fact of a style, or of those that it is based on. */
  function inherited<Fact>(id: string | undefined, fact: (style: Style) => Fact | undefined): Fact | undefined {
    let style = id === undefined ? undefined : styles.get(id);
    for (let i = 0; style && i < MAX_BASES; i++) {
      const found = fact(style);
      if (found !== undefined) return found;
      style = style.basedOn === undefined ? undefined : styles.get(style.basedOn);
    }
    return undefined;
  }

  function headingLevel(properties: XmlElement | undefined, id: string | undefined): number | undefined {
    const own = numberOf(childAt(properties, "outlineLvl"));
    if (own !== undefined) return own < TEXT_LEVEL ? own + 1 : undefined;
    return inherited(id, ({ name, outline }) => {
      const [, level] = /^heading (\d)$/i.exec(name) ?? [];
      if (level) return Number(level);
      if (/^title$/i.test(name)) return 1;
      return outline !== undefined && outline < TEXT_LEVEL ? outline + 1 : undefined;
    });
  }

  function numbering(properties: XmlElement | undefined, id: string | undefined): ParagraphFormat["numbering"] {
    const own = childAt(properties, "numPr");
    const found = own ?? inherited(id, (style) => style.numbering);
    const list = attribute(childAt(found, "numId"), "val");
    // Number 0 takes a paragraph out of its style's list.
    if (list === undefined || list === "0") return undefined;
    const level = Math.min(8, Math.max(0, numberOf(childAt(found, "ilvl")) ?? 0));
    return { level, ...(levels.get(list)?.[level] ?? { isOrdered: false }) };
  }

  return {
    ofParagraph(properties) {
      const id = attribute(childAt(properties, "pStyle"), "val");
      return {
        headingLevel: headingLevel(properties, id),
        isQuote: inherited(id, ({ name }) => (/quote$/i.test(name) ? true : undefined)) ?? false,
        numbering: numbering(properties, id),
      };
    },
    ofRun(properties) {
      const id = attribute(childAt(properties, "rStyle"), "val");
      const isOn = (...names: string[]) =>
        names.some(
          (name) =>
            switchOf(childAt(properties, name)) ?? inherited(id, ({ run }) => switchOf(childAt(run, name))) ?? false,
        );
      return { bold: isOn("b"), italic: isOn("i"), struck: isOn("strike", "dstrike"), isHidden: isOn("vanish") };
    },
  };
}

/** Undefined where the property is not stated. */
function switchOf(property: XmlElement | undefined): boolean | undefined {
  return property && !["0", "false", "off", "none"].includes(attribute(property, "val") ?? "1");
}

function numberOf(element: XmlElement | undefined): number | undefined {
  const value = attribute(element, "val");
  return value !== undefined && /^\d{1,3}$/.test(value) ? Number(value) : undefined;
}

function stylesOf(members: Members): ReadonlyMap<string, Style> {
  const styles = childrenNamed(xmlPart(members, "word/styles.xml"), "style");
  return new Map(
    styles.map((style) => [
      attribute(style, "styleId") ?? "",
      {
        name: attribute(childAt(style, "name"), "val") ?? "",
        basedOn: attribute(childAt(style, "basedOn"), "val"),
        outline: numberOf(childAt(style, "pPr", "outlineLvl")),
        numbering: childAt(style, "pPr", "numPr"),
        run: childAt(style, "rPr"),
      },
    ]),
  );
}

type Level = Pick<ListLine, "isOrdered" | "start">;

/** The levels of each list, by its number. */
function levelsOf(members: Members): ReadonlyMap<string, Level[]> {
  const root = xmlPart(members, "word/numbering.xml");
  const abstracts = new Map(
    childrenNamed(root, "abstractNum").map((one) => [
      attribute(one, "abstractNumId"),
      childrenNamed(one, "lvl").map(levelOf),
    ]),
  );
  return new Map(
    childrenNamed(root, "num").map((one) => [
      attribute(one, "numId") ?? "",
      abstracts.get(attribute(childAt(one, "abstractNumId"), "val")) ?? [],
    ]),
  );
}

function levelOf(level: XmlElement): Level {
  const format = attribute(childAt(level, "numFmt"), "val") ?? "decimal";
  return { isOrdered: format !== "bullet" && format !== "none", start: numberOf(childAt(level, "start")) ?? 1 };
}
