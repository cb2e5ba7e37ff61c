/** What the tests of billing by usage sell: each says what a run does and reports. */
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import type { Context } from "../../src/capability/types.js";

/** Up to two cents. `work` meters what it used, and may give the run its number. */
export const billedByUsage = (work: (ctx: Context) => number | undefined, estimate?: string) =>
  defineCapability({
    id: "test.model",
    summary: "Is billed by usage, up to two cents.",
    price: "0.02",
    billing: "upto",
    source: { provider: "test", url: "", license: "MIT" },
    input: () => z.strictObject({ n: z.int().describe("Any number") }),
    output: one(z.object({ run: z.number().optional() })),
    example: { n: 1 },
    ...(estimate ? { estimate: () => estimate } : {}),
    run(_, ctx) {
      const run = work(ctx);
      return { item: run === undefined ? {} : { run } };
    },
  });
