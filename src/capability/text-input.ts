/** Input that arrives as text, in a query string or on a command line: decoded once, by the type that the schema gives it. */
import type { JsonSchema } from "./json-schema.js";

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

export type TextType = "number" | "boolean" | "string";

/** A parameter that may be text stays text; only one that is a number or a truth value throughout is decoded. */
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

/** Text that is not of the type is passed on as it is: the schema then says what it should have been. */
export function decodeText(text: string, type: TextType): unknown {
  if (type === "number") return JSON_NUMBER.test(text) ? Number(text) : text;
  if (type === "boolean") return text === "true" ? true : text === "false" ? false : text;
  return text;
}
