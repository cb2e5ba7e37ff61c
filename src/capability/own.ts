/** What hosts define themselves: as ours, with a check of each result that ours have in their tests. */
import type { z } from "zod";
import { defineCapability } from "./define.js";
import type { OutputKind } from "./output.js";
import type { Capability, Definition } from "./types.js";

/**
 * Declares a capability: an async function that validates, runs and returns, with its facts as properties. Throws a
 * TypeError for an id, price or source that cannot work. A result that is not what `output` promises fails the call, which
 * then costs nothing, and the log says where it differs.
 */
export function defineOwnCapability<const Id extends string, I extends z.ZodType, Raw, Result, Query = z.output<I>>(
  definition: Definition<I, Raw, Result, Query, Id>,
): Capability<I, Result, Id> {
  return defineCapability({ ...definition, output: checked(definition.id, definition.output) });
}

function checked<Raw, Result>(id: string, output: OutputKind<Raw, Result>): OutputKind<Raw, Result> {
  return {
    ...output,
    finish(raw, source) {
      const result = output.finish(raw, source);
      const { error } = output.schema().safeParse(result);
      if (error) {
        const differences = error.issues.map(({ path, message }) => `${path.join(".") || "result"}: ${message}`);
        throw new TypeError(`The result of ${id} is not what its output promises: ${differences.join("; ")}`);
      }
      return result;
    },
  };
}
