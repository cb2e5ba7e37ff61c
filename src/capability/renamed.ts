import type { z } from "zod";
import { assertId } from "./define.js";
import type { Capability } from "./types.js";

/**
 * The same capability under another id, and so at another path and under another tool name.
 *
 * @example
 * ```ts
 * renamed(cryptoPerpvenueFunding, "crypto.hyperliquid-funding"); // a venue by its real name
 * ```
 */
export function renamed<I extends z.ZodType, Result, const Id extends string>(
  capability: Capability<I, Result>,
  id: Id,
): Capability<I, Result, Id> {
  if (typeof capability !== "function" || !("invoke" in capability))
    throw new TypeError("renamed: the first argument must be a capability, as defineCapability makes it.");
  assertId(id);
  const [group = "", name = ""] = id.split(".");
  const copy: unknown = Object.defineProperties((...call: Parameters<typeof capability>) => capability(...call), {
    // Copies property descriptors, because reading a schema here would build it.
    ...Object.getOwnPropertyDescriptors(capability),
    id: { value: id, enumerable: true },
    group: { value: group, enumerable: true },
    path: { value: `/api/${group}/${name}`, enumerable: true },
  });
  return copy as Capability<I, Result, Id>;
}
