import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { one, rows } from "../../src/capability/output.js";
import type { Context, Input, Output } from "../../src/capability/types.js";

const facts = {
  summary: "Adds days to a date.",
  price: "0.001",
  source: { provider: "test", url: "", license: "MIT" },
} as const;
const input = () => z.strictObject({ date: z.string(), days: z.int().default(1) });
const example = { date: "2030-01-01" };

test("without read, run gets the input with its defaults", () => {
  const plain = defineCapability({
    ...facts,
    id: "test.plain",
    input,
    output: one(z.object({ on: z.string() })),
    example,
    check(given) {
      expectTypeOf(given).toEqualTypeOf<{ date: string; days: number }>();
    },
    run(query, ctx) {
      expectTypeOf(query).toEqualTypeOf<{ date: string; days: number }>();
      expectTypeOf(ctx).toEqualTypeOf<Context>();
      return { item: { on: query.date } };
    },
  });
  expectTypeOf(plain.id).toEqualTypeOf<"test.plain">();
  expectTypeOf<Input<typeof plain>>().toEqualTypeOf<{ date: string; days?: number | undefined }>();
  expectTypeOf<Output<typeof plain>["items"]>().toEqualTypeOf<{ on: string }[]>();
});

test("with read, run gets what read made, now or later", () => {
  const read = (given: { date: string }) => ({ time: Date.parse(given.date) });
  defineCapability({
    ...facts,
    id: "test.read",
    input,
    output: rows(z.object({ time: z.number() })),
    example,
    read,
    run(query) {
      expectTypeOf(query).toEqualTypeOf<{ time: number }>();
      return { items: [query], total: 1 };
    },
  });
  defineCapability({
    ...facts,
    id: "test.read-later",
    input,
    output: rows(z.object({ time: z.number() })),
    example,
    read: async (given) => read(given),
    run(query) {
      expectTypeOf(query).toEqualTypeOf<{ time: number }>();
      return { items: [query], total: 1 };
    },
  });
});

test("refuses what cannot work", () => {
  defineCapability({
    ...facts,
    id: "test.example",
    input,
    output: one(z.object({})),
    // @ts-expect-error: the example does not fit the input.
    example: {},
    run: () => ({ item: {} }),
  });
  defineCapability({
    ...facts,
    id: "test.result",
    input,
    output: one(z.object({ on: z.string() })),
    example,
    // @ts-expect-error: the result does not fit the output.
    run: () => ({ item: {} }),
  });
  defineCapability({
    ...facts,
    id: "test.eager",
    // @ts-expect-error: importing a hundred capabilities builds no schema, so the input is a function.
    input: input(),
    output: one(z.object({})),
    example,
    run: () => ({ item: {} }),
  });
});
