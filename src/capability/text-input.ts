/** Input that arrives as text, from a query string or a command line, decoded once by the type in the JSON Schema. */
import type { JsonSchema } from "./json-schema.js";

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

export type TextType = "number" | "boolean" | "string";

/** A parameter that accepts text stays text; a parameter is decoded only if all its types are numbers or booleans. */
export function textType({ type, anyOf }: JsonSchema): TextType {
  if (Array.isArray(type))
    return textType({ anyOf: type.filter((name) => name !== "null").map((name) => ({ type: name })) });
  if (anyOf) {
    const types = new Set(anyOf.map(textType));
    return types.size === 1 ? ([...types][0] ?? "string") : "string";
  }
  if (type === "number" || type === "integer") return "number";
  return type === "boolean" ? "boolean" : "string";
}

/** Text that does not match the type stays as it is, so that the schema reports the error. */
export function decodeText(text: string, type: TextType): unknown {
  if (type === "number") return JSON_NUMBER.test(text) ? Number(text) : text;
  if (type === "boolean") return text === "true" ? true : text === "false" ? false : text;
  return text;
}
