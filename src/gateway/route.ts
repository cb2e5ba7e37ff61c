/** Operations that are written by hand, and what a route changes of one that a document has. */
import type { JsonSchema } from "../capability/json-schema.js";
import { bounded } from "./openapi.js";
import { type InputField, isInputName, isOwnHeader, type OriginOperation } from "./operation.js";
import type { ProxyRoute } from "./options.js";
import { schemaReader } from "./schema.js";

const PLACES: ReadonlySet<unknown> = new Set(["path", "query", "header", "body"]);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function operationOfRoute(route: ProxyRoute): OriginOperation {
  const { method = "GET", path, input = {} } = route;
  return { method, path, keywords: [], body: "json", answers: [], ...inputFields(route, input as JsonSchema) };
}

/** The operation with what its route sets. */
export function withRoute(operation: OriginOperation, route: ProxyRoute | undefined): OriginOperation {
  if (!route) return operation;
  const { summary, answers, input } = route;
  return {
    ...operation,
    ...(summary === undefined ? {} : { summary }),
    ...(answers ? { answers: [...answers] } : {}),
    ...(input ? inputFields(route, input as JsonSchema) : {}),
  };
}

/** Throws a TypeError for an input that is not the schema of an object. */
function inputFields(
  { method = "GET", path }: ProxyRoute,
  input: JsonSchema,
): Pick<OriginOperation, "fields" | "isOpen"> {
  const where = `${method} ${path}`;
  const { properties = {}, required = [], additionalProperties } = input;
  const inPath = new Set([...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) => name));
  if (!isObject(properties) || !Array.isArray(required) || (input.type !== undefined && input.type !== "object"))
    throw new TypeError(
      `${where}: \`input\` must be the JSON Schema of an object, with \`properties\` and \`required\`.`,
    );
  const lacking = required.find((name) => !Object.hasOwn(properties, name) && !inPath.has(name));
  if (lacking !== undefined)
    throw new TypeError(`${where}: \`input\` requires "${lacking}", which is not among its properties.`);
  const usual = method === "GET" || method === "DELETE" ? "query" : "body";
  const undeclared = [...inPath].filter((name) => !Object.hasOwn(properties, name));
  const all: Record<string, unknown> = {
    ...properties,
    ...Object.fromEntries(undeclared.map((name) => [name, { type: "string", minLength: 1 }])),
  };
  const read = schemaReader(input, { isInput: true });
  const fields = Object.entries(all).map(([name, schema]): InputField => {
    if (!isInputName(name)) throw new TypeError(`${where}: "${name}" cannot be the name of an input.`);
    if (!isObject(schema)) throw new TypeError(`${where}: \`input.properties.${name}\` must be a schema.`);
    const place = inPath.has(name) ? "path" : ((schema.in as InputField["in"] | undefined) ?? usual);
    const flaw = flawOf(name, place, { method, isInPath: inPath.has(name) });
    if (flaw !== undefined) throw new TypeError(`${where}: ${flaw}`);
    const plain = read(schema);
    return {
      ...{ name, target: name, in: place, style: "repeated" },
      required: place === "path" || required.includes(name),
      schema: place === "body" ? plain : bounded(plain),
    };
  });
  return { fields, isOpen: usual === "body" && Boolean(additionalProperties) };
}

/** Undefined for a place where the value of a caller may go. */
function flawOf(
  name: string,
  place: unknown,
  { method, isInPath }: { method: string; isInPath: boolean },
): string | undefined {
  if (!PLACES.has(place) || (place === "path") !== isInPath)
    return `\`in\` of "${name}" must be "query", "header" or "body"; the path has its own.`;
  if (place === "header" && isOwnHeader(name)) return `callers cannot set the header "${name}".`;
  return place === "body" && method === "GET" ? `a GET has no body for "${name}".` : undefined;
}
