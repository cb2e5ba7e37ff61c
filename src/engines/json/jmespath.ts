/** JMESPath with counted steps: chains of its expressions multiply lists, and its functions read what they are given. */
import { without } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { calculated, type Operator, ownFunctions } from "./jmespath-functions.js";
import type { Leaves } from "./leaves.js";
import { isEqual } from "./members.js";
import { compareNumbers, ExactNumber } from "./numbers.js";
import { lengthOf, Sizes } from "./size.js";
import { parseJson, writeJson } from "./text.js";

const library = lazy(() => import("@jmespath-community/jmespath").catch(without("@jmespath-community/jmespath")));
type Library = Awaited<ReturnType<typeof library>>;
type Interpreter = Library["TreeInterpreter"];
type Tree = ReturnType<Library["compile"]>;

export interface JmesPath {
  compile(query: string): Tree;
  /** `count` is told how many values are looked at, and ends the search by an error. */
  search(tree: Tree, document: unknown, count: (values: number) => void): unknown;
}

export async function jmesPath(leaves: Leaves): Promise<JmesPath> {
  const { compile, TreeInterpreter, TYPE_NUMBER } = await library();
  const create = TreeInterpreter.constructor as new () => Interpreter;
  return {
    compile: (query) => compiled(compile, query, leaves),
    search(tree, document, count) {
      const rules: Rules = { leaves, count, sizes: new Sizes(), numberType: TYPE_NUMBER };
      return ruled(new create(), rules).search(tree, document as never);
    },
  };
}

/** Functions and comparisons that read all of a value. */
const WHOLE: ReadonlySet<string> = new Set(["contains", "to_string"]);

interface Rules {
  leaves: Leaves;
  count: (values: number) => void;
  sizes: Sizes;
  numberType: number;
}

/** The interpreter and those that it makes for the scopes of its variables, with our own comparisons and functions. */
function ruled(interpreter: Interpreter, rules: Rules): Interpreter {
  const { leaves, count, sizes, numberType } = rules;
  const { runtime } = interpreter;
  const visit = interpreter.visit.bind(interpreter);
  const withScope = interpreter.withScope.bind(interpreter);
  const callFunction = runtime.callFunction.bind(runtime);
  const operation = (operator: string, left: unknown, right: unknown): unknown => {
    count(Math.min(sizes.of(left), sizes.of(right)));
    return calculated(operator as Operator, left, right, leaves);
  };
  interpreter.visit = (node, value) => {
    count(1);
    // Only lists have slices.
    if (node.type === "Slice" && typeof value === "string") return null;
    if (node.type === "Unary") {
      const operand = interpreter.visit(node.operand, value);
      return (operation(node.operator, 0, operand) ?? visit({ ...node, operand: literal(operand) }, value)) as never;
    }
    if (node.type === "Comparator" || node.type === "Arithmetic") {
      const [left, right] = [interpreter.visit(node.left, value), interpreter.visit(node.right, value)];
      if (node.type === "Arithmetic")
        return (operation(node.operator, left, right) ??
          visit({ ...node, left: literal(left), right: literal(right) }, value)) as never;
      // guard: offline: JMESPath's comparisons count what they read | gone | query
      count(Math.min(sizes.of(left), sizes.of(right)));
      return comparison(node.name, left, right, leaves) as never;
    }
    const found = visit(node, value);
    if (Array.isArray(found)) count(found.length);
    return found;
  };
  // guard: offline: JMESPath's scopes count as the rest does | gone | query
  interpreter.withScope = (scope) => ruled(withScope(scope), rules);
  const types = runtime as unknown as { getTypeName(value: unknown): number };
  const typeOf = types.getTypeName.bind(runtime);
  types.getTypeName = (value) => (typeof value === "symbol" ? numberType : typeOf(value));
  for (const [name, run] of Object.entries(
    ownFunctions(leaves, (node, value) => interpreter.visit(node as never, value as never)),
  )) {
    const known = runtime._functionTable[name];
    if (known) runtime._functionTable[name] = { ...known, _func: run as never };
  }
  runtime.callFunction = (name, given) => {
    // guard: offline: JMESPath's functions count what they read | gone | query
    // guard: offline: JMESPath's functions that read all of a value count all of it | never | query
    for (const one of given) count(WHOLE.has(name) ? sizes.of(one) : lengthOf(one));
    const found = callFunction(name, given);
    // guard: offline: JMESPath's functions count what they make | gone | query
    count(lengthOf(found));
    return found;
  };
  return interpreter;
}

const literal = (value: unknown) => ({ type: "Literal", value: value as never }) as const;

/** Equality of any values; an order of numbers alone. */
function comparison(name: string, left: unknown, right: unknown, leaves: Leaves): boolean | null {
  if (name === "EQ" || name === "NE") return isEqual(left, right) === (name === "EQ");
  const [a, b] = [leaves.numberOf(left), leaves.numberOf(right)];
  if (a === undefined || b === undefined) return null;
  const order = compareNumbers(a, b);
  if (order === 0) return name === "GTE" || name === "LTE";
  return name.startsWith(order > 0 ? "GT" : "LT");
}

/** Texts, names and literals of JMESPath, each with its escapes. */
const QUOTED = /'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"|`(?:[^`\\]|\\[\s\S])*`/g;

/**
 * In raw texts two backslashes are two, which the library takes as an escape. Literals of numbers that JavaScript cannot hold go
 * through the library as marked texts.
 */
function compiled(compile: Library["compile"], query: string, leaves: Leaves): Tree {
  let mark = "exact:";
  while (query.includes(mark)) mark += ":";
  const read = query.replace(QUOTED, (part) => {
    if (part.startsWith("'")) return part.replaceAll("\\\\", "\\\\\\\\");
    return part.startsWith("`") && /\d/.test(part) ? markedLiteral(part, mark) : part;
  });
  const tree = compile(read);
  return read === query ? tree : (unmarked(tree, mark, leaves) as Tree);
}

function markedLiteral(part: string, mark: string): string {
  try {
    let isMarked = false;
    const marked = (value: unknown): unknown => {
      if (value instanceof ExactNumber) {
        isMarked = true;
        return mark + value.text;
      }
      if (Array.isArray(value)) return value.map(marked);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, marked(one)]));
    };
    const value = marked(parseJson(part.slice(1, -1).replaceAll("\\`", "`")));
    return isMarked ? `\`${writeJson(value).replaceAll("`", "\\`")}\`` : part;
  } catch {
    // The library tells what is wrong with it.
    return part;
  }
}

function unmarked(part: unknown, mark: string, leaves: Leaves): unknown {
  if (typeof part === "string" && part.startsWith(mark))
    return leaves.symbolOf(new ExactNumber(part.slice(mark.length)));
  if (typeof part !== "object" || part === null) return part;
  for (const [name, inner] of Object.entries(part))
    (part as Record<string, unknown>)[name] = unmarked(inner, mark, leaves);
  return part;
}
