/** A capability of somebody else's, as resellers buy it. */
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import { CapabilityError } from "../../src/errors.js";

/** There is none for 13, nor where `meanwhile` says so. */
export const doubled = (meanwhile: (n: number) => unknown = () => true) =>
  defineCapability({
    id: "their.work",
    method: "POST",
    summary: "Doubles a number, somewhere else.",
    price: "0.001",
    source: { provider: "test", url: "", license: "MIT" },
    input: () => z.strictObject({ n: z.int().min(0).describe("Any number") }),
    output: one(z.object({ twice: z.number() })),
    example: { n: 1 },
    async run({ n }) {
      const isThere = await meanwhile(n);
      if (n === 13 || isThere === false) throw new CapabilityError("NOT_FOUND", "There is no such number.");
      return { item: { twice: 2 * n } };
    },
  });
