/** The `bazaar` extension of a 402: how to call the endpoint, in the form that catalogues of paid APIs read. */

import { inputSchema, isBinary, outputSchema } from "../capability/json-schema.js";
import type { AnyCapability } from "../capability/types.js";

/**
 * `info` shows a call that works, `schema` is the JSON Schema that `info` fulfils. The compact form leaves out the
 * parameters' schemas: it travels in a header that buyers echo, and proxies cut long headers off.
 */
export function bazaar(capability: AnyCapability, form: "full" | "compact"): Record<string, unknown> {
  const { method, example } = capability;
  const query = method === "GET";
  const member = query ? "queryParams" : "body";
  const input = { type: "http", method, ...(query ? {} : { bodyType: "json" }), [member]: example };
  const output = isBinary(capability) ? { type: "binary" } : { type: "json" };
  const inputProperties = {
    type: { type: "string", const: "http" },
    method: { type: "string", enum: [method] },
    ...(query ? {} : { bodyType: { type: "string", enum: ["json"] } }),
    [member]: form === "full" ? inputSchema(capability) : { type: "object" },
  };
  const required = Object.keys(inputProperties);
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: {
      input: { type: "object", properties: inputProperties, required },
      output: {
        type: "object",
        properties: {
          type: { type: "string" },
          ...(form === "full" ? { example: outputSchema(capability) } : {}),
        },
      },
    },
    required: ["input"],
  };
  return { bazaar: { info: { input, output }, schema } };
}
