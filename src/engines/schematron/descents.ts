/**
 * `//cac:Name` in expressions, answered by an index. The official rules look through the whole document some five hundred
 * times, most of them for elements that few invoices have.
 */
import { EXACT } from "./remainders.js";

/** Signs and words before an absolute path; after anything else `//` goes on from there. */
const BEFORE = /(?:^|[(,|=<>+[]|\s-|\b(?:and|or|in|return|then|else|satisfies|union|to|div|mod|eq|ne|lt|le|gt|ge))\s*$/;
/** Conditions that count places mean those among the children of each element. */
const COUNTED = /\[\s*\d+\s*\]|\b(?:position|last)\s*\(/;
const NAME = "([A-Za-z_][\\w.-]*):([A-Za-z_][\\w.-]*)(?![\\w.:(-])";
const DESCENT = new RegExp(
  `//(?:@([A-Za-z_][\\w.-]*)(?![\\w.:(-])|${NAME}|\\(\\s*((?:[\\w.-]+:[\\w.-]+)(?:\\s*\\|\\s*[\\w.-]+:[\\w.-]+){0,20})\\s*\\))`,
  "g",
);

/** The namespace of a prefix; undefined for one that is not declared. */
type Resolve = (prefix: string) => string | undefined;

/** Elements whose text no earlier one has: as many as there are different texts, found without comparing each with each. */
const FIRST = /\/\/([\w.-]+:[\w.-]+)\[not\(preceding::\1\/\. = \.\)\]/g;

/** Puts the function `elements` in the place of each descent from the root to elements of a name. */
export function withIndexedDescents(given: string, namespaceOf: Resolve): string {
  if (!given.includes("//") || COUNTED.test(given)) return given;
  const expression = given.replace(FIRST, "distinct-values(//$1/string(.))");
  // The same length, so that places agree.
  const plain = expression.replace(/'[^']*'|"[^"]*"/g, (text) => "x".repeat(text.length));
  let written = "";
  let from = 0;
  for (const { 0: whole, 1: attribute, 2: prefix, 3: name, 4: union, index } of plain.matchAll(DESCENT)) {
    if (!BEFORE.test(plain.slice(Math.max(0, index - 40), index))) continue;
    const call =
      attribute === undefined ? ofElements(union ?? `${prefix}:${name}`, namespaceOf) : ofAttributes(attribute);
    if (call === undefined) continue;
    written += expression.slice(from, index) + call;
    from = index + whole.length;
  }
  return written + expression.slice(from);
}

const ofAttributes = (name: string) => `Q{${EXACT}}attributes('${name}')`;

/** Of names with prefixes, as a union. */
function ofElements(names: string, namespaceOf: Resolve): string | undefined {
  const calls: string[] = [];
  for (const one of names.split("|")) {
    const [prefix = "", local = ""] = one.trim().split(":");
    const namespace = namespaceOf(prefix);
    if (namespace === undefined) return undefined;
    calls.push(`Q{${EXACT}}elements('${namespace}', '${local}')`);
  }
  return `(${calls.join(" | ")})`;
}
