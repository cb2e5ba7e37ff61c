/** JSON Schemas of foreign documents: read with bounds, without references, and turned into checks of an input. */
import { z } from "zod";
import type { JsonSchema } from "../capability/json-schema.js";
import { flawsOf } from "./judge.js";

/** Schemas of one operation, its share of all of them, and what it has in any case. */
const INPUT = { most: 2000, all: 60_000, least: 60 };
const ANSWER = { most: 300, all: 30_000, least: 20 };
const MAX_DEPTH = 24;
const MAX_REFERENCES = 32;
const MAX_WORDS = 1000;
const MAX_VALUES = 500;

type Members = Record<string, unknown>;
const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The place of a document that a reference names; undefined for one outside it, or none. */
function resolve(document: unknown, reference: string): unknown {
  if (!reference.startsWith("#")) return undefined;
  let at = document;
  for (const part of reference.slice(1).split("/").slice(1)) {
    const name = unescaped(part);
    if ((!isObject(at) && !Array.isArray(at)) || !Object.hasOwn(at, name)) return undefined;
    at = (at as Members)[name];
  }
  return at;
}

function unescaped(part: string): string {
  let text = part;
  try {
    text = decodeURIComponent(part);
  } catch {
    // As it is written.
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** A value of the document, or what it refers to. */
export function followed(document: unknown, value: unknown): unknown {
  let at = value;
  for (let hops = 0; hops < MAX_REFERENCES && isObject(at) && typeof at.$ref === "string"; hops++)
    at = resolve(document, at.$ref);
  return isObject(at) && typeof at.$ref === "string" ? undefined : at;
}

const NUMBERS = ["minimum", "maximum", "multipleOf", "minLength", "maxLength", "minItems", "maxItems"] as const;
const TYPES: ReadonlySet<unknown> = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);

interface Reading {
  document: unknown;
  /** Left for the operation. */
  nodes: number;
  open: Set<string>;
  /** True for what callers send: without what only answers have. */
  isInput: boolean;
}

/** How many schemas the input and the answer of each operation may have. */
export interface SchemaRoom {
  input: number;
  answer: number;
}

/**
 * A document that refers to itself often would unfold without end, and the host's own documents carry the schemas of all
 * operations: so those of many have less.
 */
export function roomFor(operations: number): SchemaRoom {
  const share = ({ most, all, least }: typeof INPUT) =>
    Math.max(least, Math.min(most, Math.floor(all / Math.max(1, operations))));
  return { input: share(INPUT), answer: share(ANSWER) };
}

/** Reads the schemas of one operation: the plain words of JSON Schema, with all references replaced. */
export function schemaReader(
  document: unknown,
  { isInput, nodes = INPUT.most }: { isInput: boolean; nodes?: number },
): (schema: unknown) => JsonSchema {
  const reading: Reading = { document, nodes, open: new Set(), isInput };
  return (schema) => read(schema, reading, 0);
}

function read(schema: unknown, reading: Reading, depth: number): JsonSchema {
  if (!isObject(schema) || depth > MAX_DEPTH || reading.nodes < 1) return {};
  reading.nodes -= weightOf(schema);
  if (typeof schema.$ref !== "string") return plain(schema, reading, depth);
  const { $ref: reference } = schema;
  // A schema within itself: anything, from there on.
  if (reading.open.has(reference)) return {};
  reading.open.add(reference);
  const found = read(resolve(reading.document, reference), reading, depth + 1);
  reading.open.delete(reference);
  return typeof schema.description === "string" ? { ...found, description: cut(schema.description) } : found;
}

/** Long words and lists of values count as schemas do. */
function weightOf({ description, enum: values }: Members): number {
  const words = typeof description === "string" ? Math.min(description.length, MAX_WORDS) / 200 : 0;
  return 1 + words + (Array.isArray(values) ? Math.min(values.length, MAX_VALUES) / 20 : 0);
}

const cut = (text: string): string => text.replace(/[\p{Cc}]+/gu, " ").slice(0, MAX_WORDS);

function plain(schema: Members, reading: Reading, depth: number): JsonSchema {
  const inner = (one: unknown) => read(one, reading, depth + 1);
  const { description, additionalProperties, items, allOf } = schema;
  // "one of" is for the origin to judge: variants of foreign documents often overlap.
  const choices = [schema.anyOf, schema.oneOf].find(Array.isArray);
  const out: JsonSchema = {
    ...typesIn(schema),
    ...(typeof description === "string" ? { description: cut(description) } : {}),
    ...numbers(schema),
    ...exclusive(schema),
    ...words(schema),
    ...(isObject(schema.properties) ? members(schema, reading, inner) : {}),
    ...(additionalProperties === false ? { additionalProperties } : {}),
    ...(isObject(additionalProperties) ? { additionalProperties: inner(additionalProperties) } : {}),
    ...(isObject(items) ? { items: inner(items) } : {}),
    ...(choices ? { anyOf: choices.slice(0, MAX_VALUES).map(inner) } : {}),
  };
  return Array.isArray(allOf) ? merged([out, ...allOf.slice(0, MAX_VALUES).map(inner)]) : out;
}

/** Version 3.0 of OpenAPI writes null as a flag. */
function typesIn({ type, nullable }: Members): Pick<JsonSchema, "type"> {
  const types = [type ?? []].flat().filter((one) => TYPES.has(one)) as string[];
  if (nullable === true && types.length > 0 && !types.includes("null")) types.push("null");
  const [only] = types;
  return only === undefined ? {} : { type: types.length === 1 ? only : types };
}

const numbers = (schema: Members): JsonSchema =>
  Object.fromEntries(NUMBERS.filter((name) => typeof schema[name] === "number").map((name) => [name, schema[name]]));

/** Exclusive bounds are flags in OpenAPI 3.0. */
function exclusive({ exclusiveMinimum, exclusiveMaximum, minimum, maximum }: Members): JsonSchema {
  const above = exclusiveMinimum === true ? minimum : exclusiveMinimum;
  const below = exclusiveMaximum === true ? maximum : exclusiveMaximum;
  return {
    ...(typeof above === "number" ? { exclusiveMinimum: above } : {}),
    ...(typeof below === "number" ? { exclusiveMaximum: below } : {}),
  };
}

function words({ format, pattern, enum: values, const: only, default: byDefault, nullable }: Members): JsonSchema {
  return {
    ...(typeof format === "string" ? { format: cut(format) } : {}),
    ...(typeof pattern === "string" && pattern.length <= MAX_WORDS ? { pattern } : {}),
    ...(Array.isArray(values) && values.length > 0 && values.length <= MAX_VALUES
      ? { enum: nullable === true && !values.includes(null) ? [...values, null] : values }
      : {}),
    ...(only === undefined ? {} : { const: only }),
    ...(byDefault === undefined ? {} : { default: byDefault }),
  };
}

function members(
  { properties, required }: Members,
  { isInput }: Reading,
  inner: (one: unknown) => JsonSchema,
): JsonSchema {
  const hidden = isInput ? "readOnly" : "writeOnly";
  const all = Object.entries(properties as Members).filter(
    ([name, one]) => name !== "__proto__" && !(isObject(one) && one[hidden] === true),
  );
  const names = new Set(all.map(([name]) => name));
  const needed = Array.isArray(required) ? required.filter((name) => names.has(name)) : [];
  return {
    properties: Object.fromEntries(all.map(([name, one]) => [name, inner(one)])),
    ...(needed.length > 0 ? { required: needed } : {}),
  };
}

/** All of them at once: objects have the members of all, and of other words the last one counts. */
function merged(parts: readonly JsonSchema[]): JsonSchema {
  const properties = Object.assign({}, ...parts.map((part) => part.properties ?? {})) as Record<string, JsonSchema>;
  const required = [...new Set(parts.flatMap((part) => part.required ?? []))];
  const { additionalProperties: _, ...all } = Object.assign({}, ...parts) as JsonSchema;
  const hasMembers = Object.keys(properties).length > 0;
  return {
    ...all,
    ...(hasMembers ? { type: all.type ?? "object", properties } : {}),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** The check of a schema, which documents show as it is. Defaults are the origin's, and are not filled in here. */
export function checkOf(schema: JsonSchema): z.ZodType {
  return judged(schema, (value) => value).meta(documented(schema));
}

/** The value that a caller's is read as, if the schema takes it. */
export function judged(schema: JsonSchema, read: (value: unknown) => unknown): z.ZodType {
  return z.unknown().transform((given, context) => {
    const value = read(given);
    for (const { path, message } of flawsOf(value, schema)) context.addIssue({ code: "custom", path, message });
    return value;
  });
}

/** zod tells defaults by itself. */
function documented({ default: _, ...schema }: JsonSchema): Record<string, unknown> {
  return schema;
}

/** A value that a schema takes, for documents. */
export function exampleOf(schema: JsonSchema, depth = 0): unknown {
  const [told] = [schema.const, schema.default, schema.enum?.[0]].filter((value) => value !== undefined);
  if (told !== undefined) return told;
  const { anyOf, properties } = schema;
  const [type] = [schema.type ?? (properties ? "object" : [])].flat().filter((one) => one !== "null");
  const [choice] = anyOf ?? [];
  if (choice && type === undefined) return exampleOf(choice, depth + 1);
  return (EXAMPLES[type ?? "object"] ?? (() => null))(schema, depth);
}

const EXAMPLES: Readonly<Record<string, (schema: JsonSchema, depth: number) => unknown>> = {
  object: ({ properties = {}, required = [] }, depth) =>
    Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => depth < MAX_DEPTH && required.includes(name))
        .map(([name, one]) => [name, exampleOf(one, depth + 1)]),
    ),
  array: ({ minItems, items = {} }, depth) =>
    Array.from({ length: Math.min(countOf(minItems), 3) }, () => exampleOf(items, depth + 1)),
  string: textLike,
  number: numberLike,
  integer: numberLike,
  boolean: () => true,
};

const countOf = (value: unknown): number => (typeof value === "number" && value > 0 ? Math.floor(value) : 0);

const SAMPLES: Readonly<Record<string, string>> = {
  date: "2026-01-31",
  "date-time": "2026-01-31T12:00:00Z",
  uuid: "00000000-0000-4000-8000-000000000000",
  email: "someone@example.com",
  uri: "https://example.com/",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
};

function textLike({ format = "", minLength, maxLength }: JsonSchema): string {
  const sample = Object.hasOwn(SAMPLES, format) ? SAMPLES[format] : undefined;
  const most = typeof maxLength === "number" ? maxLength : MAX_WORDS;
  return sample ?? "text".padEnd(Math.min(countOf(minLength), MAX_WORDS), "x").slice(0, Math.max(most, 0));
}

function numberLike({ minimum, exclusiveMinimum, maximum, multipleOf }: JsonSchema): number {
  const step = typeof multipleOf === "number" && multipleOf > 0 ? multipleOf : 1;
  if (typeof minimum === "number") return Math.ceil(minimum / step) * step;
  if (typeof exclusiveMinimum === "number") return Math.floor(exclusiveMinimum / step) * step + step;
  return typeof maximum === "number" && maximum < step ? Math.floor(maximum / step) * step : step;
}
