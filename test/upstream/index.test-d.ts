import { expectTypeOf, it } from "vitest";
import { z } from "zod";
import { type Context, defineCapability, rows } from "../../src/index.js";
import {
  defineProvider,
  label,
  list,
  number,
  type Provider,
  segments,
  type Terms,
  upstream,
  whole,
} from "../../src/upstream/index.js";

const terms: Terms = { resale: "allowed", attribution: null, note: "", url: "https://a.example", checkedAt: null };
const provider = defineProvider({
  ...{ name: "A", url: "https://a.example", license: "MIT", baseUrl: "https://a.example", terms },
  perSecond: 2,
});

it("a provider keeps its own type, and a read has that of its schema", () => {
  expectTypeOf(provider).toExtend<Provider>();
  expectTypeOf(provider.perSecond).toEqualTypeOf<number>();
  const schema = z.object({ rows: list(whole({ name: label(), size: number() })) });
  const read = (ctx: Context) => upstream(ctx, provider).get("/a", { schema });
  expectTypeOf<Awaited<ReturnType<typeof read>>>().toEqualTypeOf<{
    rows: { name: string | null; size: number | null }[];
  }>();
  const perhaps = (ctx: Context) => upstream(ctx, provider).get("/a", { schema, absent: [404] });
  expectTypeOf<undefined>().toExtend<Awaited<ReturnType<typeof perhaps>>>();
  expectTypeOf(segments).parameters.toEqualTypeOf<(string | number)[]>();
});

it("a capability names its provider instead of a source", () => {
  const own = defineCapability({
    ...{ id: "own.read", summary: "Reads.", price: "0.001", provider, example: { a: 1 } },
    input: () => z.strictObject({ a: z.int().describe("Any") }),
    output: rows(() => z.object({ name: z.string().nullable() })),
    async run(_, ctx) {
      const { rows: items } = await upstream(ctx, provider).get("/a", {
        schema: z.object({ rows: list(whole({ name: label() })) }),
      });
      return { items, total: items.length };
    },
  });
  expectTypeOf(own.id).toEqualTypeOf<"own.read">();
  expectTypeOf<Awaited<ReturnType<typeof own>>["items"]>().toEqualTypeOf<{ name: string | null }[]>();
});
