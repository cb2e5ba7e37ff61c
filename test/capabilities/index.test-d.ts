import { expectTypeOf, test } from "vitest";
import { convertUnit } from "../../src/capabilities/convert/index.js";
import type { capabilities } from "../../src/capabilities/index.js";
import type { Input, Output } from "../../src/capability/types.js";

test("a function from a group index has the types of its own schemas", () => {
  expectTypeOf<Input<typeof convertUnit>>().toEqualTypeOf<{ value: number; from: string; to: string }>();
  expectTypeOf<Output<typeof convertUnit>["items"][number]["result"]>().toEqualTypeOf<number>();
  expectTypeOf(convertUnit({ value: 1, from: "kg", to: "lb" })).resolves.toHaveProperty("source");
  // @ts-expect-error: a field that the schema does not know.
  convertUnit({ value: 1, from: "kg", to: "lb", precision: 2 });
});

test("the catalogue keeps each capability's own type", () => {
  expectTypeOf<typeof convertUnit>().toExtend<(typeof capabilities)[number]>();
  expectTypeOf<unknown>().not.toExtend<Input<(typeof capabilities)[number]>>();
});
