/** Selectors of names, classes, identifiers and attributes, of descendants and children. Others match nothing. */
import type { Element } from "hast";

export interface Compound {
  /** Whether it is the child of the one before, and not any descendant. */
  isChild: boolean;
  fits(element: Element): boolean;
}

export interface Selector {
  compounds: Compound[];
  /** Specificity. */
  weight: number;
  /** A name by which elements that may match are found. */
  key: string;
}

const MAX_LENGTH = 500;
const SIMPLE =
  /([#.])((?:[\w-]|[^\0-\x7f]|\\.)+)|\[\s*([\w-]+)\s*(?:([~^$*|]?=)\s*["']?([^"'\]]*)["']?\s*(?:[is]\s*)?)?\]|(\*|[a-z][\w-]*)|(:(?:root|link|any-link))/giy;

export function readSelector(text: string): Selector | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const parts = text
    .trim()
    .replace(/\s*>\s*/g, " >")
    .split(/\s+/);
  const compounds: Compound[] = [];
  let [weight, key] = [0, "*"];
  for (const part of parts) {
    const read = readCompound(part);
    if (!read) return undefined;
    compounds.push(read);
    weight += read.weight;
    key = read.key;
  }
  return { compounds, weight, key };
}

type Test = (element: Element) => boolean;

function readCompound(part: string): (Compound & { weight: number; key: string }) | undefined {
  const isChild = part.startsWith(">");
  const text = isChild ? part.slice(1) : part;
  const tests: Test[] = [];
  let [weight, key, at] = [0, "*", 0];
  while (at < text.length) {
    SIMPLE.lastIndex = at;
    const simple = SIMPLE.exec(text);
    if (!simple) return undefined;
    at = SIMPLE.lastIndex;
    const [, sign, name = "", attribute, comparison, value = "", tag] = simple;
    if (sign) {
      const plain = name.replace(/\\(.)/g, "$1");
      tests.push(sign === "#" ? ({ properties: { id } }) => id === plain : (element) => hasClass(element, plain));
      weight += sign === "#" ? 10_000 : 100;
      key = `${sign}${plain}`;
    } else if (attribute) {
      tests.push((element) => hasAttribute(element, attribute.toLowerCase(), comparison, value));
      weight += 100;
    } else if (tag && tag !== "*") {
      const wanted = tag.toLowerCase();
      tests.push(({ tagName }) => tagName === wanted);
      weight += 1;
      if (key === "*") key = wanted;
    }
  }
  return at === 0 ? undefined : { isChild, weight, key, fits: (element) => tests.every((test) => test(element)) };
}

const hasClass = ({ properties: { className } }: Element, name: string): boolean =>
  Array.isArray(className) && className.includes(name);

function hasAttribute({ properties }: Element, name: string, comparison = "", wanted: string): boolean {
  const found = Object.entries(properties).find(([key]) => attributeName(key) === name)?.[1];
  if (found === undefined || found === null || found === false) return false;
  const value = Array.isArray(found) ? found.join(" ") : found === true ? "" : String(found);
  if (comparison === "") return true;
  if (wanted === "") return comparison === "=" && value === "";
  const tests: Record<string, () => boolean> = {
    "=": () => value === wanted,
    "~=": () => value.split(/\s+/).includes(wanted),
    "^=": () => value.startsWith(wanted),
    "$=": () => value.endsWith(wanted),
    "*=": () => value.includes(wanted),
    "|=": () => value === wanted || value.startsWith(`${wanted}-`),
  };
  return tests[comparison]?.() ?? false;
}

/** Trees name attributes as scripts do. */
function attributeName(key: string): string {
  if (key === "className") return "class";
  return /^(?:aria|data)[A-Z]/.test(key)
    ? key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    : key.toLowerCase();
}
