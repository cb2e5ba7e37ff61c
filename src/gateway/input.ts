/** The schema of a caller's input for an operation, and an example of it. */
import { z } from "zod";
import type { JsonSchema } from "../capability/json-schema.js";
import { decodeText, textType } from "../capability/text-input.js";
import type { InputField, OriginOperation } from "./operation.js";
import { checkOf, exampleOf, judged } from "./schema.js";

const typesOf = ({ schema }: InputField): string[] => [schema.type ?? (schema.properties ? "object" : [])].flat();

/** Lists of more would be more than an address can hold. */
const MAX_LIST_TEXT = 4000;

/** Whether a query can carry the input: values and lists of values. */
export function isQuery({ method, fields }: OriginOperation): boolean {
  return method === "GET" && fields.every((field) => field.in !== "body" && !isNested(field.schema));
}

function isNested({ type, properties, items, anyOf }: JsonSchema): boolean {
  const types = [type ?? []].flat();
  if (properties || types.includes("object")) return true;
  if (types.includes("array")) return !items || isNested(items) || [items.type ?? []].flat().includes("array");
  return anyOf?.some(isNested) ?? false;
}

export function inputOf(operation: OriginOperation): z.ZodType {
  const asQuery = isQuery(operation);
  const shape = operation.fields.map((field): [string, z.ZodType] => {
    const check = asQuery && typesOf(field).includes("array") ? listIn(field.schema) : checkOf(field.schema);
    return [field.name, field.required ? check : check.optional()];
  });
  const members = Object.fromEntries(shape);
  return operation.isOpen ? z.looseObject(members) : z.strictObject(members);
}

/** A list in a query: its values divided by commas, or one value. */
function listIn(schema: JsonSchema): z.ZodType {
  const type = textType(schema.items ?? {});
  const inText = (text: string): unknown[] =>
    jsonList(text) ?? (text === "" ? [] : text.split(",").map((one) => decodeText(one.trim(), type)));
  const read = (value: unknown): unknown => {
    if (typeof value === "string") return inText(value);
    return typeof value === "number" || typeof value === "boolean" ? [value] : value;
  };
  const { description = "Values", ...list } = schema;
  const forms = [list, { type: "string", maxLength: MAX_LIST_TEXT }];
  return judged(schema, read).meta({ anyOf: forms, description: `${description}, divided by commas` });
}

/** Some clients write a list of a query as JSON. */
function jsonList(text: string): unknown[] | undefined {
  if (!text.startsWith("[")) return undefined;
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list : undefined;
  } catch {
    return undefined;
  }
}

/** The fields that are required, and those that a document gives an example for. */
export function exampleFor({ fields }: OriginOperation): Record<string, unknown> {
  const told = fields.filter(({ required, schema }) => required || "examples" in schema);
  return Object.fromEntries(told.map(({ name, schema }) => [name, exampleIn(schema)]));
}

function exampleIn(schema: JsonSchema): unknown {
  const [first] = Array.isArray(schema.examples) ? schema.examples : [];
  return first === undefined ? exampleOf(schema) : first;
}
