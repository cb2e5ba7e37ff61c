/**
 * Contexts of rules, as patterns that are matched from an element upwards. So only elements of the right name are looked at, where
 * evaluating `//context` would go through the whole document for every rule.
 */

/** A step of a path: a name, and conditions as XPath. */
interface Step {
  prefix: string | null;
  /** `*` for any. */
  name: string;
  conditions: string[];
  /** Whether only the parent may be the step before, or any ancestor. */
  isAnywhere: boolean;
}

export interface ContextPath {
  /** The last one is that of the element itself. */
  steps: Step[];
  isAbsolute: boolean;
}

const OPEN = "([{";
const CLOSE = ")]}";

/** Cuts an expression where `sign` stands outside of brackets and quotation marks. */
function cut(text: string, sign: string): string[] {
  const hidden = withoutInner(text);
  const parts: string[] = [];
  let from = 0;
  for (let at = hidden.indexOf(sign); at >= 0; at = hidden.indexOf(sign, from)) {
    parts.push(text.slice(from, at));
    from = at + sign.length;
  }
  return [...parts, text.slice(from)];
}

/** The same length, with a letter for each character inside brackets and quotation marks. */
function withoutInner(text: string): string {
  const plain = text.replace(/'[^']*'|"[^"]*"/g, (quoted) => "x".repeat(quoted.length));
  let depth = 0;
  let outer = "";
  for (const next of plain.split("")) {
    if (CLOSE.includes(next)) depth--;
    outer += depth === 0 && !OPEN.includes(next) && !CLOSE.includes(next) ? next : "x";
    if (OPEN.includes(next)) depth++;
  }
  return outer;
}

const STEP = /^(?:([\w.-]+):)?([\w.-]+|\*)\s*(\[[\s\S]*\])?$/;

/** Undefined for a context that is not a union of plain paths of elements: it has to be evaluated. */
export function contextPaths(context: string): ContextPath[] | undefined {
  const paths = cut(context, "|").map((path) => contextPath(path.trim()));
  return paths.every((path) => path !== undefined) ? paths : undefined;
}

function contextPath(text: string): ContextPath | undefined {
  const parts = cut(text, "/").map((part) => part.trim());
  const isAbsolute = parts.length > 1 && parts[0] === "" && parts[1] !== "";
  const steps: Step[] = [];
  let isAnywhere = false;
  for (const [place, part] of parts.entries()) {
    if (part === "") {
      isAnywhere ||= place > 0;
      continue;
    }
    const step = readStep(part, isAnywhere);
    if (!step) return undefined;
    steps.push(step);
    isAnywhere = false;
  }
  return steps.length > 0 ? { steps, isAbsolute } : undefined;
}

function readStep(text: string, isAnywhere: boolean): Step | undefined {
  const [whole, prefix = null, name = "", conditions = ""] = STEP.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const inner = conditions === "" ? [] : cut(conditions.replaceAll("][", "]\0["), "\0").map((one) => one.slice(1, -1));
  // A condition that counts places cannot be asked of the element alone.
  if (inner.some((one) => /^\s*\d+\s*$|\b(?:position|last)\s*\(/.test(one))) return undefined;
  return { prefix, name, conditions: inner.flatMap((one) => cut(one, " and ")), isAnywhere };
}

/** Whether a condition looks at names alone, so that it holds for all elements at the same path. */
export const isOfNames = (condition: string): boolean =>
  /^(?:'[^']{0,100}'|[ ,()]|ends-with\(|name\(\)|not[ (]|or |(?:self|ancestor)::[\w.-]{1,60}:[\w.-]{1,60})*$/.test(
    condition,
  );

/** Parts of which one has to hold. Behind `satisfies`, `return` and `else` an `or` belongs to that. */
export const alternatives = (test: string): string[] =>
  /\b(?:satisfies|return|then)\b/.test(test) ? [test] : cut(test, " or ").map((part) => part.trim());

const known = new Map<string, boolean>();

/** Whether an expression asks only the document, by absolute paths, so that its answer is the same for every element. */
export function isOfDocument(expression: string): boolean {
  const found =
    known.get(expression) ?? /^(?:[\s(),]|\b(?:not|exists|and|or|boolean)\b)*$/.test(withoutPaths(expression));
  known.set(expression, found);
  return found;
}

/** Without texts, conditions and absolute paths. */
function withoutPaths(expression: string): string {
  let rest = expression.replace(/'[^']*'|"[^"]*"/g, "");
  for (let before = ""; before !== rest; ) {
    before = rest;
    rest = rest.replace(/\[[^[\]]*\]/g, "");
  }
  return rest.replace(/(^|[\s(])(?:\/\/?@?[\w:.*-]+)+/g, "$1");
}
