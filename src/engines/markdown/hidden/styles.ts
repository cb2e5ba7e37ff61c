/** Styles of a page, as far as they decide whether its text is shown: its own sheets and its elements' attributes. */
import type { Element, Nodes } from "hast";
import { CapabilityError } from "../../../errors.js";
import { type Compound, readSelector, type Selector } from "./selector.js";

export type Declarations = ReadonlyMap<string, string>;

interface Rule extends Selector {
  declarations: Declarations;
}

/** Rules that are tried on elements, and steps to their ancestors: real pages need a tenth of it. */
const MAX_TRIED = 3_000_000;
const MAX_RULES = 50_000;
/** Of blocks for media within one another. */
const MAX_DEPTH = 5;
/** Of a window as most readers have it. */
const WIDTH = 1_280;

/** Declarations for each element, by the order of the cascade: sheets by specificity, its own attribute, important ones. */
export class Styles {
  readonly #rules = new Map<string, Rule[]>();
  #count = 0;
  #tried = 0;

  constructor(tree: Nodes) {
    for (const sheet of sheetsIn(tree)) this.#read(sheet.replace(/\/\*[\s\S]*?(?:\*\/|$)|<!--|-->/g, " "), 0);
  }

  /** Throws RESULT_TOO_LARGE where the page's rules would take too long. */
  of(element: Element, ancestors: Ancestors): Declarations {
    const cascade = new Cascade();
    const rules = this.#count === 0 ? [] : namesOf(element).flatMap((name) => this.#rules.get(name) ?? []);
    this.#tried += rules.length;
    for (const { compounds, declarations, weight } of rules) {
      if (!compounds.every(({ key }, i) => i === compounds.length - 1 || ancestors.hold(key))) continue;
      this.#tried += compounds.length - 1;
      if (this.#tried > MAX_TRIED) throw tooLarge();
      if (matches(compounds, element, ancestors.elements)) cascade.add(declarations, weight);
    }
    if (typeof element.properties.style === "string") cascade.add(readDeclarations(element.properties.style), OWN);
    return cascade.values();
  }

  #read(css: string, depth: number): void {
    let at = 0;
    while (at < css.length && depth <= MAX_DEPTH) {
      const open = css.indexOf("{", at);
      if (open < 0) return;
      const close = closingOf(css, open);
      // A semicolon before the selector ends another statement, such as an import.
      const head = css.slice(css.slice(at, open).lastIndexOf(";") + at + 1, open).trim();
      const body = css.slice(open + 1, close);
      if (/^@(?:media|supports|layer)\b/i.test(head)) {
        if (!/^@media/i.test(head) || isShown(head)) this.#read(body, depth + 1);
      } else if (!head.startsWith("@")) this.#add(head, body);
      at = close + 1;
    }
  }

  #add(head: string, body: string): void {
    const declarations = readDeclarations(body);
    if (declarations.size === 0) return;
    for (const text of head.split(",")) {
      const selector = readSelector(text);
      if (!selector) continue;
      if (++this.#count > MAX_RULES) throw tooLarge();
      const rule = { ...selector, declarations, weight: selector.weight + this.#count / MAX_RULES / 2 };
      const known = this.#rules.get(selector.key);
      if (known) known.push(rule);
      else this.#rules.set(selector.key, [rule]);
    }
  }
}

function tooLarge(): CapabilityError {
  const message = "has styles that take too long to apply: send a part of the page, or one without them";
  return new CapabilityError("RESULT_TOO_LARGE", `The page ${message}.`, { issues: [{ path: "", message }] });
}

/** Elements around one, from the outermost, with how many of them have a name. */
export class Ancestors {
  readonly elements: Element[] = [];
  readonly #names = new Map<string, number>([["*", 1]]);

  enter(element: Element): void {
    this.elements.push(element);
    for (const name of namesOf(element)) this.#names.set(name, (this.#names.get(name) ?? 0) + 1);
  }

  leave(): void {
    const element = this.elements.pop();
    if (element) for (const name of namesOf(element)) this.#names.set(name, (this.#names.get(name) ?? 0) - 1);
  }

  hold(name: string): boolean {
    return (this.#names.get(name) ?? 0) > 0;
  }
}

/** Heavier than any selector. */
const OWN = 1e9;
const IMPORTANT = /\s*!\s*important$/;

/** The last of the most specific declarations of each property; those that are important win. */
class Cascade {
  readonly #all = new Map<string, { value: string; weight: number }>();

  add(declarations: Declarations, weight: number): void {
    for (const [name, text] of declarations) {
      const isImportant = IMPORTANT.test(text);
      const value = isImportant ? text.replace(IMPORTANT, "") : text;
      const own = isImportant ? weight + 2 * OWN : weight;
      const known = this.#all.get(name);
      if (!known || known.weight <= own) this.#all.set(name, { value, weight: own });
    }
  }

  values(): Declarations {
    const values = new Map<string, string>();
    for (const [name, { value, weight }] of this.#all) {
      // A shorthand that is heavier resets its parts.
      const whole = this.#all.get(name.slice(0, Math.max(0, name.lastIndexOf("-"))));
      if (!whole || whole.weight <= weight) values.set(name, value);
    }
    return values;
  }
}

const namesOf = (element: Element): string[] => [
  ...(element.properties.id === undefined ? [] : [`#${element.properties.id}`]),
  ...classesOf(element).map((one) => `.${one}`),
  element.tagName,
  "*",
];

const classesOf = ({ properties: { className } }: Element): string[] =>
  Array.isArray(className) ? className.map(String) : [];

function* sheetsIn(node: Nodes): Generator<string> {
  if (!("children" in node)) return;
  for (const child of node.children)
    if (child.type === "element" && child.tagName === "style" && isShown(`@media ${child.properties.media ?? "all"}`))
      yield child.children.map((text) => ("value" in text ? text.value : "")).join("");
    else yield* sheetsIn(child);
}

/** Place of the brace that closes. */
function closingOf(css: string, open: number): number {
  let depth = 0;
  const braces = /[{}]/g;
  braces.lastIndex = open;
  for (let brace = braces.exec(css); brace; brace = braces.exec(css)) {
    depth += brace[0] === "{" ? 1 : -1;
    if (depth === 0) return brace.index;
  }
  return css.length;
}

/** Whether a screen of usual width is meant; other features count as not there. */
function isShown(media: string): boolean {
  return media
    .replace(/^@media/i, "")
    .split(",")
    .some((query) => {
      if (/\bprint\b|\bspeech\b|\bnot\b/i.test(query)) return false;
      return [...query.matchAll(/\(([^()]{0,200})\)/g)].every(([, feature = ""]) => {
        const [, edge, amount, unit] = /^\s*(min|max)-width\s*:\s*([\d.]{1,10})(px|em|rem)?\s*$/i.exec(feature) ?? [];
        if (edge === undefined) return false;
        const pixels = Number(amount) * (unit === undefined || /px/i.test(unit) ? 1 : 16);
        return /min/i.test(edge) ? WIDTH >= pixels : WIDTH <= pixels;
      });
    });
}

/** Properties that decide whether a text is shown. */
const DECIDING =
  /^(?:display|visibility|opacity|zoom|filter|content-visibility|position|left|right|top|bottom|inset(?:-inline-start)?|margin(?:-left|-top)?|text-indent|transform|scale|clip|clip-path|-webkit-clip-path|overflow(?:-[xy])?|(?:max-)?(?:width|height)|block-size|inline-size|color|-webkit-text-fill-color|background(?:-color|-image|-clip)?|-webkit-background-clip|font(?:-size)?)$/;

function readDeclarations(text: string): Declarations {
  const declarations = new Map<string, string>();
  for (const part of text.split(";")) {
    const colon = part.indexOf(":");
    if (colon < 0) continue;
    const name = part.slice(0, colon).trim().toLowerCase();
    if (!DECIDING.test(name)) continue;
    const value = part
      .slice(colon + 1, colon + 500)
      .trim()
      .toLowerCase();
    if (IMPORTANT.test(value) || !IMPORTANT.test(declarations.get(name) ?? "")) declarations.set(name, value);
  }
  return declarations;
}

/** The last compound is the element's; others are found among its ancestors. */
function matches(compounds: readonly Compound[], element: Element, ancestors: readonly Element[]): boolean {
  let at = ancestors.length;
  for (let i = compounds.length - 1; i >= 0; i--) {
    const compound = compounds[i] as Compound;
    if (i === compounds.length - 1) {
      if (!compound.fits(element)) return false;
      continue;
    }
    const isParent = compounds[i + 1]?.isChild === true;
    do at--;
    while (at >= 0 && !isParent && !compound.fits(ancestors[at] as Element));
    if (at < 0 || !compound.fits(ancestors[at] as Element)) return false;
  }
  return true;
}
