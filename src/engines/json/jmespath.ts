/** JMESPath with counted steps: chains of its expressions multiply lists, and its functions read what they are given. */
import { without } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { lengthOf, Sizes } from "./size.js";

const library = lazy(() => import("@jmespath-community/jmespath").catch(without("@jmespath-community/jmespath")));
type Library = Awaited<ReturnType<typeof library>>;
type Interpreter = Library["TreeInterpreter"];
type Tree = ReturnType<Library["compile"]>;

export interface JmesPath {
  compile(query: string): Tree;
  /** `count` is told how many values are looked at, and ends the search by an error. */
  search(tree: Tree, document: unknown, count: (values: number) => void): unknown;
}

export async function jmesPath(): Promise<JmesPath> {
  const { compile, TreeInterpreter } = await library();
  const create = TreeInterpreter.constructor as new () => Interpreter;
  return {
    compile: (query) => compile(withRawBackslashes(query)),
    search: (tree, document, count) => counted(new create(), count, new Sizes()).search(tree, document as never),
  };
}

/** Functions and comparisons that read all of a value. */
const WHOLE: ReadonlySet<string> = new Set(["contains", "to_string"]);

/** The interpreter and those that it makes for the scopes of its variables. */
function counted(interpreter: Interpreter, count: (values: number) => void, sizes: Sizes): Interpreter {
  const { runtime } = interpreter;
  const visit = interpreter.visit.bind(interpreter);
  const withScope = interpreter.withScope.bind(interpreter);
  const callFunction = runtime.callFunction.bind(runtime);
  interpreter.visit = (node, value) => {
    count(1);
    if (node.type === "Comparator") {
      const [left, right] = [interpreter.visit(node.left, value), interpreter.visit(node.right, value)];
      count(Math.min(sizes.of(left), sizes.of(right)));
      return visit({ ...node, left: literal(left), right: literal(right) }, value);
    }
    const found = visit(node, value);
    if (Array.isArray(found)) count(found.length);
    return found;
  };
  interpreter.withScope = (scope) => counted(withScope(scope), count, sizes);
  runtime.callFunction = (name, given) => {
    for (const one of given) count(WHOLE.has(name) ? sizes.of(one) : lengthOf(one));
    const found = callFunction(name, given);
    count(lengthOf(found));
    return found;
  };
  return interpreter;
}

const literal = (value: unknown) => ({ type: "Literal", value: value as never }) as const;

/** Texts, names and literals of JMESPath, each with its escapes. */
const QUOTED = /'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"|`(?:[^`\\]|\\[\s\S])*`/g;

/** In raw texts two backslashes are two, which the library takes as an escape. */
const withRawBackslashes = (query: string): string =>
  query.replace(QUOTED, (part) => (part.startsWith("'") ? part.replaceAll("\\\\", "\\\\\\\\") : part));
