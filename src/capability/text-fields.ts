/** Fields of any JSON that stay text where they are long, since a thread parses them. */
import type { z } from "zod";
import type { AnyCapability } from "./types.js";

const takers = /* @__PURE__ */ new WeakSet<object>();

/** Marks the schema of a field that takes an `UnreadJson`. */
export function takesText<Schema extends z.ZodType>(schema: Schema): Schema {
  takers.add(schema);
  return schema;
}

const known = /* @__PURE__ */ new WeakMap<AnyCapability, readonly string[]>();

export function textFields(capability: AnyCapability): readonly string[] {
  let names = known.get(capability);
  if (!names) {
    const { shape = {} } = capability.input as { shape?: Record<string, object> };
    names = Object.keys(shape).filter((name) => isTaker(shape[name]));
    known.set(capability, names);
  }
  return names;
}

/** A field may be left out. */
function isTaker(schema: object | undefined): boolean {
  if (!schema) return false;
  const inner = "unwrap" in schema && typeof schema.unwrap === "function" ? (schema.unwrap() as object) : schema;
  return takers.has(schema) || takers.has(inner);
}
