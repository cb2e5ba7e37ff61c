/** Blocks within a cell or a heading, which Markdown writes in one line: they become its text, with blanks between them. */
import type { Element, ElementContent, Nodes as HtmlNodes } from "hast";

const LINES = new Set(["td", "th", "h1", "h2", "h3", "h4", "h5", "h6", "summary", "dt"]);

/** Elements that begin a line of their own where the standard's style sheet shows them. Lists stay lists. */
const BLOCKS = new Set(
  "address article aside blockquote body caption center col colgroup dd details dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol optgroup option p plaintext search section summary table tbody td tfoot th thead tr ul xmp".split(
    " ",
  ),
);
const OWN_LINE = /(?:^|;)\s*display\s*:\s*(?:block|flex|grid|flow-root|list-item|table)/i;
const LISTS = new Set(["ul", "ol"]);
/** Their content is shown as it stands, or not at all. */
const KEPT = new Set(["code", "script", "style", "template", "svg", "math", "iframe", "noscript", "select", "dialog"]);

const MARKS = new Set(["b", "strong", "em", "i"]);

/** Changes the tree. */
export function inOneLine(node: HtmlNodes): void {
  if (!("children" in node)) return;
  node.children = (node.children as ElementContent[]).flatMap(apart) as typeof node.children;
  for (const child of node.children) {
    if (child.type !== "element") continue;
    const isCell = child.tagName === "td" || child.tagName === "th";
    if (LINES.has(child.tagName)) child.children = child.children.flatMap((inner) => ofLine(inner, isCell));
    else inOneLine(child);
  }
}

/** Takes out parts that Markdown has no place for within the element: blocks within a mark, and the caption of a table. */
function apart(child: ElementContent): ElementContent[] {
  if (child.type !== "element") return [child];
  if (MARKS.has(child.tagName) && hasBlock(child)) return markedApart(child, child.children);
  const caption = child.tagName === "table" && child.children.find((inner) => isElement(inner, "caption"));
  if (!caption) return [child];
  child.children = child.children.filter((inner) => inner !== caption);
  return [{ ...(caption as Element), tagName: "div" }, child];
}

const isElement = (node: ElementContent, name: string): boolean => node.type === "element" && node.tagName === name;

const hasBlock = (element: Element): boolean =>
  element.children.some(
    (child) => child.type === "element" && (isBlock(child) || child.tagName === "pre" || hasBlock(child)),
  );

/** Paragraphs within a mark: each of their lines gets the mark. */
function markedApart(mark: Element, children: readonly ElementContent[]): ElementContent[] {
  const parts: ElementContent[] = [];
  let line: Element | undefined;
  for (const child of children) {
    if (isElement(child, "pre") || (child.type === "text" && child.value.trim() === "" && !line)) parts.push(child);
    else if (child.type === "element" && (isBlock(child) || hasBlock(child))) {
      line = undefined;
      parts.push({ ...child, children: markedApart(mark, child.children) });
    } else if (line) line.children.push(child);
    else {
      line = { ...mark, children: [child] };
      parts.push(line);
    }
  }
  return parts;
}

function ofLine(child: ElementContent, mayList: boolean): ElementContent[] {
  if (child.type !== "element" || KEPT.has(child.tagName)) return [child];
  if (child.tagName === "pre") return [blank(), asCode(child, mayList), blank()];
  child.children = child.children.flatMap((inner) => ofLine(inner, mayList));
  if (LISTS.has(child.tagName) && mayList) return [lineBreak(), child, lineBreak()];
  // An item of a list that stays one.
  if (child.tagName === "li" && mayList) return [child];
  return isBlock(child) ? [blank(), ...child.children, blank()] : [child];
}

const isBlock = ({ tagName, properties }: Element): boolean =>
  BLOCKS.has(tagName) || (typeof properties.style === "string" && OWN_LINE.test(properties.style));

const lineBreak = (): Element => ({ type: "element", tagName: "br", properties: {}, children: [] });
const blank = (): ElementContent => ({ type: "text", value: " " });

/** Only code is written as it stands; a text whose line breaks count is otherwise a text. */
function asCode(pre: Element, mayList: boolean): Element {
  const [only] = pre.children.filter((child) => child.type !== "text" || child.value.trim() !== "");
  if (only?.type === "element" && only.tagName === "code") return only;
  return { ...pre, tagName: "span", children: pre.children.flatMap((inner) => ofLine(inner, mayList)) };
}
