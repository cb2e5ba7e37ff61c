/** Converts JSON schemas to the "strict" subset that all vendors of models accept. */
import { z } from "zod";

export type JsonSchema = Record<string, unknown>;

/** Keywords of strict mode; ranges, patterns and formats are checked by us afterwards. */
const KEPT = ["type", "description", "enum", "const", "anyOf", "$ref", "$defs", "definitions"] as const;

/** The strict form of a zod schema of answers. */
export const strictSchemaOf = (schema: z.ZodType): JsonSchema => tighten(z.toJSONSchema(schema, { io: "input" }));

/**
 * Every object lists all its members as required and allows no others; an optional member may be null instead. Other
 * keywords are dropped, so the answer must still be checked against the schema itself.
 */
export function tighten(schema: JsonSchema): JsonSchema {
  const kept: JsonSchema = {};
  for (const keyword of KEPT) if (schema[keyword] !== undefined) kept[keyword] = schema[keyword];
  if (isArray(schema.anyOf)) kept.anyOf = schema.anyOf.map(tightenAny);
  if (isArray(schema.oneOf)) kept.anyOf = schema.oneOf.map(tightenAny);
  if (isSchema(schema.items)) kept.items = tighten(schema.items);
  for (const name of ["$defs", "definitions"] as const)
    if (isSchema(schema[name])) kept[name] = mapValues(schema[name], tightenAny);
  if (schema.type === "object" || isSchema(schema.properties)) {
    const properties = isSchema(schema.properties) ? schema.properties : {};
    const required = new Set(isArray(schema.required) ? schema.required : []);
    kept.type ??= "object";
    kept.properties = mapValues(properties, (inner, name) => {
      const strict = tightenAny(inner);
      return required.has(name) ? strict : orNull(strict);
    });
    kept.required = Object.keys(properties);
    kept.additionalProperties = false;
  }
  return kept;
}

const tightenAny = (schema: unknown): unknown => (isSchema(schema) ? tighten(schema) : schema);

function orNull(schema: unknown): unknown {
  if (!isSchema(schema)) return schema;
  const { type } = schema;
  if (typeof type === "string" && !("enum" in schema))
    return type === "null" ? schema : { ...schema, type: [type, "null"] };
  if (isArray(type) && !("enum" in schema))
    return type.includes("null") ? schema : { ...schema, type: [...type, "null"] };
  return { anyOf: [schema, { type: "null" }] };
}

const isArray = (value: unknown): value is unknown[] => Array.isArray(value);
const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const mapValues = (object: JsonSchema, map: (value: unknown, name: string) => unknown): JsonSchema =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value, name)]));
