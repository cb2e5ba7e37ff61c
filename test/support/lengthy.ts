/** A capability whose answers fill a store. */
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";

/** `ran` is told of each run, and counts it. */
export const lengthy = (length: number, ran: () => number) =>
  defineCapability({
    id: "test.long",
    summary: "Answers at length for little.",
    price: "0.001",
    source: { provider: "test", url: "", license: "MIT" },
    input: () => z.strictObject({ n: z.int().describe("Any number") }),
    output: one(z.object({ run: z.number(), text: z.string() })),
    example: { n: 1 },
    run: () => ({ item: { run: ran(), text: "x".repeat(length) } }),
  });
