/** The `bazaar` extension of x402: how to call an endpoint, in the format of catalogues of paid APIs. */

import { inputSchema, isBinary, type JsonSchema, outputSchema } from "../capability/json-schema.js";
import type { AnyCapability } from "../capability/types.js";

/** Level of detail of the schemas: levels of nesting, without descriptions; `whole` is everything. */
export interface Detail {
  input: number | "whole";
  output: number | "whole";
}

/** The minimum for a call: the parameters with their types. */
export const LEANEST: Detail = { input: 1, output: 0 };

/** From the most to the least. */
export const DETAILS: readonly Detail[] = [
  { input: "whole", output: "whole" },
  { input: "whole", output: 4 },
  { input: "whole", output: 2 },
  { input: "whole", output: 0 },
  { input: 8, output: 0 },
  LEANEST,
];

/**
 * `info` shows a call that works, `schema` is the JSON Schema that `info` fulfils. It always contains the parameters'
 * own schema: buyers prefer it to the OpenAPI document, so an empty one would hide the real one.
 */
export function bazaar(capability: AnyCapability, detail: Detail): Record<string, unknown> {
  const { method, example } = capability;
  const query = method === "GET";
  const member = query ? "queryParams" : "body";
  const input = {
    type: "http",
    method,
    ...(query ? {} : { bodyType: "json" }),
    [member]: detail === LEANEST ? abridged(example) : example,
  };
  const inputProperties = {
    type: { type: "string", const: "http" },
    method: { type: "string", enum: [method] },
    ...(query ? {} : { bodyType: { type: "string", enum: ["json"] } }),
    [member]: outline(inputSchema(capability), detail.input),
  };
  const schema = {
    // The dialect that is taken where none is named.
    ...(detail === LEANEST ? {} : { $schema: "https://json-schema.org/draft/2020-12/schema" }),
    type: "object",
    properties: {
      input: { type: "object", properties: inputProperties, required: Object.keys(inputProperties) },
      output: { type: "object", properties: outputProperties(capability, detail.output), required: ["type"] },
    },
    required: ["input"],
  };
  return { info: { input, output: { type: typeOf(capability) } }, schema };
}

const MAX_TEXT = 60;

/** An example whose documents are cut, where the whole would not fit: the body has it whole. */
function abridged(example: unknown): unknown {
  if (typeof example !== "object" || example === null || Array.isArray(example)) return example;
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => [
      name,
      typeof value === "string" && value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value,
    ]),
  );
}

const typeOf = (capability: AnyCapability) => (isBinary(capability) ? "binary" : "json");

function outputProperties(capability: AnyCapability, detail: Detail["output"]): Record<string, JsonSchema> {
  const type = { type: "string", const: typeOf(capability) };
  return { type, example: outline(bodySchema(capability, outputSchema(capability)), detail) };
}

/** Schema of the body of a 200. */
function bodySchema(capability: AnyCapability, result: JsonSchema): JsonSchema {
  if (isBinary(capability) || capability.shape === "legacy") return result;
  return { type: "object", properties: { data: result, meta: { type: "object" } }, required: ["data", "meta"] };
}

/**
 * A schema that allows everything that the complete one does, and perhaps more: deeper levels are reduced to their
 * type.
 */
function outline(schema: JsonSchema, levels: number | "whole"): JsonSchema {
  if (levels === "whole") return schema;
  const { description, properties, items, anyOf, oneOf, additionalProperties, ...facts } = schema;
  if (levels === 0) return facts.type === undefined ? {} : { type: facts.type };
  const inner = (one: JsonSchema) => outline(one, levels - 1);
  return {
    ...facts,
    ...(properties
      ? { properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, inner(one)])) }
      : {}),
    ...(items ? { items: inner(items) } : {}),
    ...(anyOf ? { anyOf: anyOf.map(inner) } : {}),
    // Simplified alternatives may no longer exclude each other.
    ...(oneOf ? { anyOf: oneOf.map(inner) } : {}),
    ...(additionalProperties === false ? { additionalProperties } : {}),
  };
}
