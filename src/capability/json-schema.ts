import { z } from "zod";
import type { AnyCapability } from "./types.js";

/** The keywords of JSON Schema (draft 2020-12) that zod writes and our documents read. */
export interface JsonSchema {
  /** A list for unions of plain types: `["number", "null"]`. */
  type?: string | string[];
  description?: string;
  default?: unknown;
  format?: string;
  pattern?: string;
  /** `base64` for the bytes of a file. */
  contentEncoding?: string;
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  [keyword: string]: unknown;
}

const inputs = new WeakMap<AnyCapability, JsonSchema>();
const outputs = new WeakMap<AnyCapability, JsonSchema>();

/** The caller's input before defaults are applied: an object schema whose `properties` are the parameters. */
export function inputSchema(capability: AnyCapability): JsonSchema {
  return remember(inputs, capability, () => toJsonSchema(capability.input, "input"));
}

/** The result. A file is a string with its media type. */
export function outputSchema(capability: AnyCapability): JsonSchema {
  return remember(outputs, capability, () =>
    isBinary(capability) ? fileSchema(capability) : toJsonSchema(capability.output, "output"),
  );
}

/** Whether the answer is a file instead of JSON. */
export function isBinary(capability: Pick<AnyCapability, "contentTypes">): boolean {
  return capability.contentTypes.some((type) => type !== "application/json");
}

/** Schema of a file of type application/json; undefined if the capability has none, or declares none. */
export function jsonFileSchema(capability: AnyCapability): JsonSchema | undefined {
  return capability.json && toJsonSchema(capability.json(), "output");
}

function fileSchema(capability: AnyCapability): JsonSchema {
  const [first, ...others] = capability.contentTypes.map((contentMediaType): JsonSchema => {
    const json = contentMediaType === "application/json" ? jsonFileSchema(capability) : undefined;
    return { type: "string", contentMediaType, ...(json ? { contentSchema: json } : {}) };
  });
  return first && others.length > 0 ? { oneOf: [first, ...others] } : { ...first };
}

/** Conversion costs about a millisecond a schema, so it waits for the first document that needs it. */
function remember(
  known: WeakMap<AnyCapability, JsonSchema>,
  capability: AnyCapability,
  make: () => JsonSchema,
): JsonSchema {
  const schema = known.get(capability) ?? make();
  known.set(capability, schema);
  return schema;
}

/** Converts a zod schema to JSON Schema, for its input or its output. */
export function toJsonSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      dropNoise(jsonSchema);
      describeMembers(jsonSchema as JsonSchema);
      // Results may gain fields later, and clients that validate them must not refuse those.
      if (io === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  // zod's own type also allows `true` for a schema, which it never writes.
  return json as JsonSchema;
}

/**
 * Readers look for what is required among the properties, and for a schema in `items`: so a record of known names has them as
 * properties, and the items of a tuple are any of its parts, of which there are no more.
 */
function describeMembers(schema: JsonSchema): void {
  const { propertyNames, additionalProperties, prefixItems } = schema;
  const names = (propertyNames as JsonSchema | undefined)?.enum;
  if (names) {
    schema.properties = Object.fromEntries(names.map((name) => [name, additionalProperties]));
    delete schema.propertyNames;
    delete schema.additionalProperties;
  }
  if (prefixItems && !schema.items) schema.items = { anyOf: prefixItems as JsonSchema[] };
}

const STANDARD_FORMATS = new Set(["date", "date-time", "time", "email", "uri", "uuid", "ipv4", "ipv6"]);

/** zod writes formats as long patterns and bounds every integer by the range of a double. */
function dropNoise(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.format && STANDARD_FORMATS.has(schema.format)) delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
