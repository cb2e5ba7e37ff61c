/** The input of a call, from `name=value` arguments and from JSON. */
import { readFile } from "node:fs/promises";
import { text as readAll } from "node:stream/consumers";
import { inputSchema, type JsonSchema } from "../capability/json-schema.js";
import { decodeText, textType } from "../capability/text-input.js";
import type { AnyCapability } from "../capability/types.js";
import { didYouMean, UsageError } from "./usage.js";

/**
 * Arguments override `json`, which is JSON, `-` for standard input, or `@file`. A field of base64 takes `@file`, too.
 * Throws a UsageError.
 */
export async function readInput(
  capability: AnyCapability,
  words: readonly string[],
  json: string | undefined,
): Promise<Record<string, unknown>> {
  const input = json === undefined ? {} : parseObject(await textOf(json));
  const given = new Map<string, string[]>();
  for (const word of words) {
    const at = word.indexOf("=");
    if (at < 1) throw new UsageError(`"${word}" must be name=value. For JSON use --input.`);
    const name = word.slice(0, at);
    given.set(name, [...(given.get(name) ?? []), word.slice(at + 1)]);
  }
  for (const [name, values] of given) put(input, name, await toValue(capability, name, values));
  return input;
}

async function textOf(json: string): Promise<string> {
  if (json === "-") return readAll(process.stdin);
  if (!json.startsWith("@")) return json;
  return readFile(json.slice(1), "utf8").catch((cause: unknown) => {
    throw new UsageError(`--input: ${json.slice(1)} cannot be read.`, { cause });
  });
}

function parseObject(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // The error below reports it.
  }
  throw new UsageError(`--input takes a JSON object, such as '{"value":1,"from":"kg","to":"lb"}'.`);
}

/** A dot names a member: `style.modules=rounded`. */
async function toValue(capability: AnyCapability, name: string, values: readonly string[]): Promise<unknown> {
  const { id } = capability;
  let schemas = [inputSchema(capability)];
  for (const part of name.split(".")) {
    const known = schemas.flatMap(variants).flatMap(({ properties = {} }) => Object.entries(properties));
    const found = known.filter(([field]) => field === part).map(([, schema]) => schema);
    if (found.length === 0) {
      const names = [...new Set(known.map(([field]) => field))];
      const fields = names.length > 0 ? ` Its fields: ${names.join(", ")}.` : "";
      throw new UsageError(`${id} has no field "${name}".${didYouMean(part, names)}${fields}`);
    }
    schemas = found;
  }
  const shapes = schemas.flatMap(variants);
  const lists = shapes.filter(({ type }) => type === "array");
  const isOne = values.length === 1 && (values[0]?.startsWith("[") || accepts({ anyOf: shapes }, "string"));
  if (lists.length > 0 && !isOne)
    return values.map((value) => decode(value, { anyOf: lists.flatMap(({ items }) => (items ? [items] : [])) }));
  if (values.length > 1) throw new UsageError(`${name} is given more than once.`);
  const [file = ""] = values;
  if (file.startsWith("@") && shapes.some(({ contentEncoding }) => contentEncoding === "base64"))
    return base64Of(name, file.slice(1));
  return decode(values[0] ?? "", { anyOf: shapes });
}

/** The bytes of a file, for a field whose own text cannot begin with @. */
async function base64Of(name: string, path: string): Promise<string> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new UsageError(`${name}: the file ${path} cannot be read.`, { cause });
  });
  return bytes.toString("base64");
}

const variants = (schema: JsonSchema): JsonSchema[] => [
  schema,
  ...(schema.anyOf ?? []).flatMap(variants),
  ...(schema.oneOf ?? []).flatMap(variants),
];

/** Objects and lists are written as JSON; text is taken as it is, also where it could have been one of them and is not JSON. */
function decode(text: string, schema: JsonSchema): unknown {
  const [, sign] = /^\s*([[{])/.exec(text) ?? [];
  if (sign !== undefined && (accepts(schema, sign === "[" ? "array" : "object") || !accepts(schema, "string"))) {
    try {
      return JSON.parse(text);
    } catch {
      if (!accepts(schema, "string")) throw new UsageError(`"${text}" is not JSON.`);
    }
  }
  const { anyOf = [] } = schema;
  return decodeText(text, textType({ anyOf: anyOf.filter(({ anyOf, oneOf }) => !anyOf && !oneOf) }));
}

const accepts = ({ anyOf = [] }: JsonSchema, kind: string): boolean =>
  anyOf.some(({ type }) => [type].flat().includes(kind));

function put(input: Record<string, unknown>, path: string, value: unknown): void {
  const parts = path.split(".");
  const last = parts.pop() ?? path;
  let at = input;
  for (const part of parts) {
    const inner = Object.hasOwn(at, part) ? at[part] : undefined;
    const next = typeof inner === "object" && inner !== null ? (inner as Record<string, unknown>) : {};
    at[part] = next;
    at = next;
  }
  at[last] = value;
}
