/** Reads HTML, as the standard says how browsers read it, into a document of Markdown's parts. */
import type { Element, ElementContent, Nodes as HtmlNodes, Root as HtmlRoot } from "hast";
import { fromHtml } from "hast-util-from-html";
import { type Handle, type Options, toMdast } from "hast-util-to-mdast";
import type { Html, Image, Link, List, ListItem, PhrasingContent, Root } from "mdast";
import { CellRoom } from "./cells.js";
import { flattenHtml } from "./flatten.js";
import { withoutNoscript } from "./hidden/noscript.js";
import { inOneLine } from "./one-line.js";
import { tidy } from "./tidy.js";

export type Links = "keep" | "text" | "none";

export interface HtmlOptions {
  /** Links with their addresses, their text alone, or neither. */
  links?: Links | undefined;
  /** Address that relative ones are resolved against. */
  baseUrl?: string | undefined;
}

/** Parsed HTML, of which one element may be taken. Tags deeper than 150 elements are left out. Throws RESULT_TOO_LARGE. */
export const parseHtml = (html: string): HtmlRoot => fromHtml(flattenHtml(withoutNoscript(html)), { fragment: false });

/** A document of what a page shows. Its scripts, styles and frames are left out. */
export function toDocument(tree: HtmlRoot | Element, { links = "keep", baseUrl }: HtmlOptions = {}): Root {
  boundSpans(tree);
  inOneLine(tree);
  keepBlanksOfCode(tree);
  const resolve = resolver(baseOf(tree, baseUrl));
  const handlers: Options["handlers"] = {
    a: (state, node: Element) => linkOf(state, node, links, resolve),
    img: (_state, node: Element) => imageOf(node, resolve),
    ul: (state, node: Element) => listOf(state, node),
    ol: (state, node: Element) => listOf(state, node),
    // A closed one is not shown.
    dialog: (state, node: Element) => (node.properties.open === undefined ? undefined : state.all(node)),
    [CODE]: (_state, node: Element) => ({ type: "inlineCode", value: String(node.properties.text) }),
    ...Object.fromEntries(LEFT_OUT.map((name) => [name, () => undefined])),
  };
  const converted = toMdast(tree, { handlers, nodeHandlers: { comment: commentOf } });
  const root: Root = converted.type === "root" ? (converted as Root) : { type: "root", children: [converted as never] };
  return tidy(root);
}

/** Comments are for authors; an empty one keeps two lists apart, as CommonMark has it. */
// guard: comments of a page are not shown | .trim() === -> !== | html/to-markdown
const commentOf = (_state: unknown, { value }: { value: string }): Html | undefined =>
  value.trim() === "" ? { type: "html", value: `<!--${value}-->` } : undefined;

const LEFT_OUT = ["iframe", "object", "embed", "svg", "canvas", "template", "noscript", "math"];

/** Columns and rows that a cell may reach over: the converter makes a cell for each. */
const MAX_SPAN = 50;

function boundSpans(node: HtmlNodes, room = new CellRoom()): void {
  if (!("children" in node)) return;
  for (const child of node.children) {
    if (child.type !== "element") continue;
    if (child.tagName === "table") room.take(placesOf(child));
    boundSpans(child, room);
  }
}

/** Cells that the converter makes of a table: all rows are as wide as the widest, and cells reach into rows below theirs. */
function placesOf(table: Element): number {
  const rows = rowsOf(table);
  /** Columns that cells of rows above take, by how many rows are left to them. */
  let hanging: { wide: number; left: number }[] = [];
  let [widest, own] = [0, 0];
  for (const row of rows) {
    hanging = hanging.flatMap(({ wide, left }) => (left > 1 ? [{ wide, left: left - 1 }] : []));
    let width = hanging.reduce((sum, { wide }) => sum + wide, 0);
    for (const cell of row.children) {
      if (cell.type !== "element" || (cell.tagName !== "td" && cell.tagName !== "th")) continue;
      const [wide, high] = [spanOf(cell, "colSpan"), spanOf(cell, "rowSpan")];
      own += wide * high;
      width += wide;
      if (high > 1) hanging.push({ wide, left: high });
    }
    widest = Math.max(widest, width);
  }
  return Math.max(own, widest * rows.length);
}

/** Not those of tables within it. */
const rowsOf = (parent: Element): Element[] =>
  parent.children.flatMap((child) => {
    if (child.type !== "element" || child.tagName === "table") return [];
    return child.tagName === "tr" ? [child] : rowsOf(child);
  });

/** As the converter reads it: digits count, whatever follows them. */
function spanOf({ properties }: Element, name: "colSpan" | "rowSpan"): number {
  const span = Number.parseInt(String(properties[name]), 10);
  if (span > MAX_SPAN) properties[name] = MAX_SPAN;
  return span > 1 ? Math.min(span, MAX_SPAN) : 1;
}

/** The converter collapses blanks, which code keeps; its own element stands for code until then. */
const CODE = "code-text";

function keepBlanksOfCode(node: HtmlNodes, isPre = false): void {
  if (!("children" in node)) return;
  for (const child of node.children) {
    if (child.type !== "element") continue;
    if (child.tagName === "code" && !isPre && onlyText(child)) {
      child.properties = { text: onlyText(child).replace(/[\n\r\t]/g, " ") };
      child.tagName = CODE;
      child.children = [{ type: "text", value: "x" }];
    } else keepBlanksOfCode(child, isPre || child.tagName === "pre");
  }
}

function onlyText(element: Element): string {
  return element.children.map((child) => ("value" in child ? child.value : onlyText(child as Element))).join("");
}

type ToState = Parameters<Handle>[0];

function linkOf(state: ToState, node: Element, links: Links, resolve: Resolve): Link | PhrasingContent[] | undefined {
  if (links === "none") return undefined;
  const children = state.all(node) as PhrasingContent[];
  const href = typeof node.properties.href === "string" ? resolve(node.properties.href) : undefined;
  // An anchor without an address marks a place.
  if (links === "text" || href === undefined) return children;
  const title = typeof node.properties.title === "string" ? node.properties.title : null;
  const link: Link = { type: "link", url: href, title, children };
  state.patch(node, link);
  return link;
}

function imageOf({ properties }: Element, resolve: Resolve): Image | PhrasingContent | undefined {
  const alt = typeof properties.alt === "string" ? properties.alt.trim() : "";
  const source = typeof properties.src === "string" && properties.src ? properties.src : properties.dataSrc;
  const url = typeof source === "string" ? resolve(source) : undefined;
  if (url !== undefined) {
    const title = typeof properties.title === "string" ? properties.title : null;
    return { type: "image", url, alt, title };
  }
  return alt ? { type: "text", value: alt } : undefined;
}

/** A list is loose if a paragraph of one of its own items is marked as such, not if one further down is. */
function listOf(state: ToState, node: Element): List {
  const items = node.children.filter((child): child is Element => child.type === "element");
  const children = items.map((item) => itemOf(state, item));
  const isOrdered = node.tagName === "ol";
  const start = typeof node.properties.start === "number" ? node.properties.start : 1;
  const spread = children.some((item) => item.spread);
  return { type: "list", ordered: isOrdered, start: isOrdered ? Math.max(0, start) : null, spread, children };
}

function itemOf(state: ToState, item: Element): ListItem {
  if (item.tagName !== "li") return itemOf(state, { ...item, tagName: "li", children: [item] });
  const checkbox = item.children.find((child) => isElement(child, "input"));
  const isTask = checkbox?.type === "element" && checkbox.properties.type === "checkbox";
  const shown = isTask ? { ...item, children: item.children.filter((child) => child !== checkbox) } : item;
  const children = state.toFlow(state.all(shown)) as ListItem["children"];
  const spread = item.children.some((child) => isElement(child, "p"));
  return { type: "listItem", spread, checked: isTask ? checkbox.properties.checked === true : null, children };
}

const isElement = (node: ElementContent, name: string): boolean => node.type === "element" && node.tagName === name;

type Resolve = (address: string) => string | undefined;

/** Of addresses only those that lead somewhere: scripts and embedded data are none. */
function resolver(base: string | undefined): Resolve {
  return (address) => {
    const trimmed = address.trim();
    if (/^(?:javascript|vbscript|data|blob|file):/i.test(trimmed.replace(/[\0-\x20]/g, ""))) return undefined;
    if (base === undefined) return address;
    try {
      return new URL(trimmed, base).href;
    } catch {
      return trimmed;
    }
  };
}

function baseOf(tree: HtmlNodes, given: string | undefined): string | undefined {
  const href = findElement(tree, "base")?.properties.href;
  if (typeof href !== "string") return given;
  try {
    return new URL(href, given).href;
  } catch {
    return given;
  }
}

/** The first element of a name, in the order of the text. */
export function findElement(tree: HtmlNodes, name: string): Element | undefined {
  if (tree.type === "element" && tree.tagName === name) return tree;
  if (!("children" in tree)) return undefined;
  for (const child of tree.children) {
    const found = findElement(child, name);
    if (found) return found;
  }
  return undefined;
}
