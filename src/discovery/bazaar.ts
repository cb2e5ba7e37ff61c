/** The `bazaar` extension of x402: how to call an endpoint, in the form that catalogues of paid APIs read. */

import { inputSchema, isBinary, type JsonSchema, outputSchema } from "../capability/json-schema.js";
import type { AnyCapability } from "../capability/types.js";

export interface BazaarOptions {
  /** Also what comes out. */
  output: boolean;
}

/**
 * `info` shows a call that works, `schema` is the JSON Schema that `info` fulfils. The parameters' own schema is always
 * in it: buyers take what they find here before the OpenAPI document, so an empty one would hide the real one.
 */
export function bazaar(capability: AnyCapability, { output }: BazaarOptions): Record<string, unknown> {
  const { method, example } = capability;
  const query = method === "GET";
  const member = query ? "queryParams" : "body";
  const input = { type: "http", method, ...(query ? {} : { bodyType: "json" }), [member]: example };
  const inputProperties = {
    type: { type: "string", const: "http" },
    method: { type: "string", enum: [method] },
    ...(query ? {} : { bodyType: { type: "string", enum: ["json"] } }),
    [member]: inputSchema(capability),
  };
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: {
      input: { type: "object", properties: inputProperties, required: Object.keys(inputProperties) },
      ...(output ? { output: { type: "object", properties: outputProperties(capability), required: ["type"] } } : {}),
    },
    required: ["input"],
  };
  return { info: { input, ...(output ? { output: { type: typeOf(capability) } } : {}) }, schema };
}

const typeOf = (capability: AnyCapability) => (isBinary(capability) ? "binary" : "json");

function outputProperties(capability: AnyCapability): Record<string, JsonSchema> {
  const type = { type: "string", const: typeOf(capability) };
  return isBinary(capability) ? { type } : { type, example: bodySchema(capability) };
}

/** What stands in the body of a 200. */
function bodySchema(capability: AnyCapability): JsonSchema {
  const result = outputSchema(capability);
  if (capability.shape === "legacy") return result;
  return { type: "object", properties: { data: result, meta: { type: "object" } }, required: ["data", "meta"] };
}
