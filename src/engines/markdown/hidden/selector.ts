/** Selectors of names, classes, identifiers and attributes, of descendants and children. Others match nothing. */
import type { Element } from "hast";

export interface Compound {
  /** Whether it is the child of the one before, and not any descendant. */
  isChild: boolean;
  /** A name that every element has that fits. */
  key: string;
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

interface Simple {
  test: (element: Element) => boolean;
  weight: number;
  key: string;
}

function readCompound(part: string): (Compound & { weight: number }) | undefined {
  const isChild = part.startsWith(">");
  const text = isChild ? part.slice(1) : part;
  const simples: Simple[] = [];
  for (let at = 0; at < text.length; at = SIMPLE.lastIndex) {
    SIMPLE.lastIndex = at;
    const simple = SIMPLE.exec(text);
    if (!simple) return undefined;
    simples.push(simpleOf(simple));
  }
  if (simples.length === 0) return undefined;
  // Classes and identifiers are rarer than names of elements.
  const keys = simples.map(({ key }) => key).filter((key) => key !== "*");
  return {
    isChild,
    weight: simples.reduce((sum, { weight }) => sum + weight, 0),
    key: keys.find((key) => /^[#.]/.test(key)) ?? keys[0] ?? "*",
    fits: (element) => simples.every(({ test }) => test(element)),
  };
}

function simpleOf([, sign, name = "", attribute, comparison, value = "", tag]: RegExpExecArray): Simple {
  const plain = name.replace(/\\(.)/g, "$1");
  if (sign === "#") return { test: ({ properties: { id } }) => id === plain, weight: 10_000, key: `#${plain}` };
  if (sign) return { test: (element) => hasClass(element, plain), weight: 100, key: `.${plain}` };
  const wanted = (attribute ?? tag ?? "*").toLowerCase();
  if (attribute) return { test: (element) => hasAttribute(element, wanted, comparison, value), weight: 100, key: "*" };
  if (wanted === "*") return { test: () => true, weight: 0, key: "*" };
  return { test: ({ tagName }) => tagName === wanted, weight: 1, key: wanted };
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
