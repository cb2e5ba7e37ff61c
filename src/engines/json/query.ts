/** Queries of JSON documents: JSONPath (RFC 9535), JMESPath, JSON Pointer. */
import type { JSONValue } from "json-p3";
import { CapabilityError, invalid, without } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { named } from "../../lib/packages/named.js";
import { jsonObjection, MAX_NODES } from "./bounds.js";
import { openPatterns } from "./i-regexp.js";
import { jmesPath } from "./jmespath.js";
import { compareExactly } from "./jsonpath-comparisons.js";
import { charactersIn, Leaves } from "./leaves.js";
import { readPointer, valueAt } from "./pointer.js";
import { lengthOf, Sizes } from "./size.js";
import { parseJson, plainValue } from "./text.js";

const jsonPath = lazy(() => import("json-p3").catch(without("json-p3")).then(named));

export interface QueryTask {
  language: "jsonpath" | "jmespath" | "pointer";
  query: string;
  document?: unknown;
  /** JSON text, instead of the document. */
  text?: string | undefined;
  limit: number;
}

export interface QueryAnswer {
  result: unknown;
  count: number;
  paths: string[] | null;
}

/** Nodes that a query may find: a few wildcards and descents multiply. */
const MAX_FOUND = 1_000_000;
/** Nodes that it may visit on its way: what it finds, and what its descents and filters look at. */
const MAX_VISITED = 4 * MAX_FOUND;
/** Characters of the paths of all results together. */
const MAX_PATHS = 2_000_000;

/** Values and characters of all results together, of which a descent finds those within others again. */
const MAX_RESULT = MAX_NODES + 3_000_000;

function visitCounter(): (values: number) => void {
  let visited = 0;
  return (values) => {
    visited += values;
    // guard: offline: a query visits so many values | gone | query
    if (visited > MAX_VISITED) throw tooLarge(`visits more than ${MAX_VISITED} values`);
  };
}

export async function query(task: QueryTask): Promise<QueryAnswer> {
  const exact = task.text === undefined ? task.document : parseJson(task.text, "text");
  const answer = await ANSWERS[task.language](task, exact);
  const objection = jsonObjection(answer.result);
  if (objection) throw tooLarge(`finds a result that ${objection}`);
  return answer;
}

type Answer = (task: QueryTask, exact: unknown) => Promise<QueryAnswer> | QueryAnswer;

const ANSWERS: Record<QueryTask["language"], Answer> = {
  pointer({ query }, exact) {
    const names = readPointer(query);
    if (!names) throw invalid("query", "must be a JSON Pointer, such as /orders/0/total, with ~1 for / and ~0 for ~");
    const found = valueAt(exact, names);
    return { result: found ? plainValue(found.value) : null, count: found ? 1 : 0, paths: found ? [query] : [] };
  },

  async jsonpath({ query, limit }, exact) {
    const library = await jsonPath();
    const environment = new library.JSONPathEnvironment({ maxRecursionDepth: 1_000 });
    const leaves = new Leaves();
    const count = visitCounter();
    setLength(environment, library, count);
    if (/match|search/.test(query)) await setPatterns(environment, library);
    const compiled = compiledBy(() => environment.compile(query));
    countVisits(compiled, count);
    compareExactly(compiled, leaves);
    const sizes = new Sizes();
    const rows: unknown[] = [];
    const paths: string[] = [];
    let [found, length, size] = [0, 0, 0];
    for (const node of compiled.lazyQuery(leaves.hidden(exact) as JSONValue)) {
      // guard: offline: a query finds so many values | gone | query
      if (++found > MAX_FOUND) throw tooLarge(`finds more than ${MAX_FOUND} values`);
      if (rows.length >= limit) continue;
      const value = valueAt(exact, node.location.map(String))?.value;
      size += sizes.of(value);
      // guard: offline: results within one another are as large as they are written | gone | query
      if (size > MAX_RESULT) throw tooLarge(`finds more than ${MAX_RESULT} values and characters: set a limit`);
      rows.push(plainValue(value));
      const path = node.getPath({ form: "canonical" });
      length += path.length;
      if (length > MAX_PATHS) throw tooLarge("finds values whose paths are longer than 2 MB: set a limit");
      paths.push(path);
    }
    return { result: rows, count: found, paths };
  },

  async jmespath({ query, limit }, exact) {
    const leaves = new Leaves();
    const { compile, search } = await jmesPath(leaves);
    const tree = compiledBy(() => compile(query));
    const document = leaves.hidden(exact);
    const hidden = compiledBy(() => search(tree, document, visitCounter()));
    if (new Sizes().of(hidden) > MAX_RESULT)
      throw tooLarge(`finds a result of more than ${MAX_RESULT} values and characters`);
    const found = leaves.shown(hidden);
    if (Array.isArray(found)) return { result: plainValue(found.slice(0, limit)), count: found.length, paths: null };
    const isNothing = found === null || found === undefined;
    return { result: isNothing ? null : plainValue(found), count: isNothing ? 0 : 1, paths: null };
  },
};

type Library = Awaited<ReturnType<typeof jsonPath>>;

/** The library runs patterns on an engine that backtracks. */
async function setPatterns(
  { functionRegister }: InstanceType<Library["JSONPathEnvironment"]>,
  { FunctionExpressionType: { ValueType, LogicalType } }: Library,
): Promise<void> {
  const patterns = await openPatterns(() => {
    throw tooLarge("matches patterns against too much text");
  });
  for (const name of ["match", "search"] as const)
    functionRegister.set(name, { argTypes: [ValueType, ValueType], returnType: LogicalType, call: patterns[name] });
}

/** RFC 9535 counts Unicode scalar values, the library UTF-16 units. */
function setLength(
  { functionRegister }: InstanceType<Library["JSONPathEnvironment"]>,
  { FunctionExpressionType: { ValueType }, Nothing }: Library,
  count: (values: number) => void,
): void {
  const call = (value: unknown) => {
    if (typeof value === "object" && value !== null) return lengthOf(value);
    if (typeof value !== "string") return Nothing;
    count(value.length);
    return charactersIn(value);
  };
  functionRegister.set("length", { argTypes: [ValueType], returnType: ValueType, call });
}

interface Selector {
  resolve(from: { value: unknown }): unknown[];
}

/** Makes the selectors of a compiled JSONPath, also those within filters, tell how many nodes they look at. */
function countVisits(part: unknown, count: (nodes: number) => void): void {
  if (typeof part !== "object" || part === null) return;
  if ("resolve" in part && !("selectors" in part)) {
    const selector = part as Selector;
    const resolve = selector.resolve.bind(part);
    selector.resolve = (from) => {
      // A filter tests every member; its expression has selectors of its own.
      count("expression" in part ? 1 + sizeOf(from.value) : 1);
      const found = resolve(from);
      count(found.length);
      return found;
    };
  }
  for (const [name, inner] of Object.entries(part)) if (!OUTSIDE.includes(name)) countVisits(inner, count);
}

/** Members of a selector that lead out of the query. */
const OUTSIDE = ["environment", "token", "resolve"];

function sizeOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}

/** Libraries name what is wrong, and where, in the error that they throw. */
function compiledBy<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw refusedBy(error);
  }
}

function refusedBy(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof RangeError || CapabilityError.is(error)) return error;
  return invalid("query", error.message.slice(0, 300));
}

function tooLarge(what: string): CapabilityError {
  return new CapabilityError("RESULT_TOO_LARGE", `The query ${what}.`, { issues: [{ path: "query", message: what }] });
}
