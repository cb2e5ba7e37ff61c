/**
 * A page as browsers read it, written so that the reader of `parse.ts`, which knows fewer rules of the standard, reads the same: rows
 * and bodies of tables that were left out, paragraphs that end where another begins, text that stands in a table outside of its cells.
 */
import type { Element, Nodes } from "hast";
import { fromHtml } from "hast-util-from-html";

/** A deeper or larger page is read as it stands: elements that are not closed are begun again in each block that follows. */
const MAX_DEPTH = 150;
const MAX_ELEMENTS = 50_000;
const MAX_LENGTH = 8_000_000;

/** The page itself, if it is too deep or too large to be read so. */
export function standardHtml(html: string): string {
  if (!isBounded(html)) return html;
  const writer = new PageWriter(html);
  // Browsers that run scripts take it for nothing; read as elements, it would end the head. Both names are as long.
  const quiet = html.replace(/<(\/?)noscript(?=[\s/>])/gi, "<$1template");
  writer.write(fromHtml(quiet, { fragment: false, verbose: true }));
  return writer.text() ?? html;
}

const VOID = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));
/** Their end tag may be left out: what is open at a time is less than what was begun. */
const ENDLESS = new Set("p li option td tr th dt dd tbody thead tfoot optgroup rt rp colgroup".split(" "));
const RAW = new Set("script style xmp iframe noembed noframes plaintext".split(" "));

function isBounded(html: string): boolean {
  let [depth, deepest, elements] = [0, 0, 0];
  for (const [tag, slash, name = ""] of html.matchAll(/<(\/?)([a-zA-Z][^\s/<>]*)[^<>]*>/g)) {
    if (!slash) elements++;
    if (VOID.has(name.toLowerCase()) || ENDLESS.has(name.toLowerCase()) || tag.endsWith("/>")) continue;
    depth = Math.max(0, depth + (slash ? -1 : 1));
    deepest = Math.max(deepest, depth);
  }
  return deepest <= MAX_DEPTH && elements <= MAX_ELEMENTS;
}

type Place = { start?: { offset?: number | undefined }; end?: { offset?: number | undefined } };

class PageWriter {
  readonly #html: string;
  readonly #parts: string[] = [];
  #left = MAX_LENGTH;

  constructor(html: string) {
    this.#html = html;
  }

  /** Undefined if there is too much of it. */
  text(): string | undefined {
    return this.#left < 0 ? undefined : this.#parts.join("");
  }

  write(node: Nodes, isRaw = false, isForeign = false): void {
    if (this.#left < 0) return;
    if (node.type === "element") this.#element(node, isForeign);
    else if (node.type === "doctype") this.#add("<!doctype html>");
    else if (node.type === "comment") this.#add(`<!--${node.value}-->`);
    else if (node.type === "root") for (const child of node.children) this.write(child);
    else if (node.type === "text") this.#add(isRaw ? (this.#source(node.position) ?? node.value) : escaped(node.value));
  }

  #element(node: Element, isForeign: boolean): void {
    const tag = this.#source((node.data?.position as { opening?: Place } | undefined)?.opening);
    const isNoscript = node.tagName === "template" && /^<noscript/i.test(tag ?? "");
    const name = isNoscript ? "noscript" : node.tagName;
    const isDrawing = name === "svg" || name === "math" || (isForeign && name !== "foreignObject");
    this.#add(startTag(name, tag, isDrawing));
    if (VOID.has(name)) return;
    const inner = node.tagName === "template" && node.content ? node.content.children : node.children;
    for (const child of inner) this.write(child, RAW.has(name), isDrawing);
    this.#add(`</${name}>`);
  }

  /** The page's own characters at a place. */
  #source(place: Place | undefined): string | undefined {
    const [from, to] = [place?.start?.offset, place?.end?.offset];
    return from === undefined || to === undefined ? undefined : this.#html.slice(from, to);
  }

  #add(part: string): void {
    this.#left -= part.length;
    this.#parts.push(part);
  }
}

/** As the page has it, whose values stay as they were written; an element that it does not begin has none. */
function startTag(name: string, tag = "", isDrawing = false): string {
  if (!/^<[^/].*>$/s.test(tag)) return `<${name}>`;
  const rest = tag
    .slice(1, -1)
    .replace(/^[^\s/>]+/, "")
    // An element that closed itself has its end tag now.
    .replace(/(^|[\s"'])\/$/, "$1");
  const seen = new Set<string>();
  const attributes = [...rest.matchAll(ATTRIBUTE)].flatMap(([, written = "", value = ""]) => {
    const attribute = isDrawing ? written : written.toLowerCase();
    if (seen.has(attribute)) return [];
    seen.add(attribute);
    return [` ${attribute}${value}`];
  });
  return `<${name}${attributes.join("")}>`;
}

/** Names end where the standard ends them; of a value only the quotation marks bound what may stand in it. */
const ATTRIBUTE = /([^\s/>=][^\s/>=]*)(\s{0,99}=\s{0,99}(?:"[^"]*"|'[^']*'|[^\s"'>][^\s>]*))?/g;

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
