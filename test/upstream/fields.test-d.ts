import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import * as upstream from "../../src/upstream/index.js";

/** The type that a field gives, whatever an upstream sends. */
type Gives<Make extends (...args: never[]) => z.ZodType> = z.output<ReturnType<Make>>;

test("fields of one value give it, or null where an upstream may leave it out", () => {
  expectTypeOf<Gives<typeof upstream.label>>().toEqualTypeOf<string | null>();
  expectTypeOf<Gives<typeof upstream.number>>().toEqualTypeOf<number | null>();
  expectTypeOf<Gives<typeof upstream.figure>>().toEqualTypeOf<number>();
  expectTypeOf<Gives<typeof upstream.integer>>().toEqualTypeOf<bigint | null>();
  expectTypeOf<Gives<typeof upstream.key>>().toEqualTypeOf<string>();
  expectTypeOf<Gives<typeof upstream.flag>>().toEqualTypeOf<boolean | null>();
  expectTypeOf<Gives<typeof upstream.day>>().toEqualTypeOf<string | null>();
  expectTypeOf<Gives<typeof upstream.usDay>>().toEqualTypeOf<string | null>();
  expectTypeOf<Gives<typeof upstream.instant>>().toEqualTypeOf<string | null>();
  expectTypeOf(upstream.unixTime("s").parse(0)).toEqualTypeOf<string>();
});

test("fields of several values keep the type of their members", () => {
  const size = () => z.object({ size: upstream.number() });
  const many = upstream.oneOrMany(size());
  expectTypeOf<z.output<typeof many>>().toEqualTypeOf<{ size: number | null }[]>();
  const perhaps = upstream.maybe(size());
  expectTypeOf<NonNullable<z.output<typeof perhaps>>>().toEqualTypeOf<{ size: number | null }>();
  const part = upstream.part({ size: upstream.number() });
  expectTypeOf<NonNullable<z.output<typeof part>>>().toEqualTypeOf<{ size: number | null }>();
  const none = upstream.wholeOrNone({ size: upstream.number() });
  expectTypeOf<NonNullable<z.output<typeof none>>>().toEqualTypeOf<{ size: number | null }>();
});
