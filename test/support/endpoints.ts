/** Endpoints of any names that do as they are told. */
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import type { AnyCapability } from "../../src/capability/types.js";

export const endpoints = (
  ids: string[],
  work: (id: string) => Promise<void> | void,
  price = "0.001",
): AnyCapability[] =>
  ids.map((id) =>
    defineCapability({
      id,
      summary: `Does what the test says, under ${id}.`,
      price,
      source: { provider: "test", url: "", license: "MIT" },
      input: () => z.strictObject({ n: z.int().min(0).max(1000).describe("Any number") }),
      output: one(z.object({ n: z.number() })),
      example: { n: 1 },
      async run({ n }) {
        await work(id);
        return { item: { n } };
      },
    }),
  );
