import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import {
  limitField,
  listField,
  offsetField,
  text,
  textField,
  usStateField,
} from "../../src/capability/published-fields.js";
import { defineCapability, legacy } from "../../src/index.js";
import { labelValue, listValue, numberValue, pathSegments, wholeObject } from "../../src/upstream/index.js";

test("fields keep their types under the names that hosts import, and stand beside variables of the shorter ones", () => {
  const input = z.strictObject({
    ...{ text: textField(1, 10), limit: limitField(10, 100), offset: offsetField(1000) },
    ...{ state: usStateField(), colours: listField(["red", "blue"]) },
  });
  expectTypeOf<z.output<typeof input>>().toEqualTypeOf<{
    text: string;
    limit: number;
    offset: number;
    state: string;
    colours: ("red" | "blue")[];
  }>();
  expectTypeOf<z.input<typeof input>["limit"]>().toEqualTypeOf<number | undefined>();
  expectTypeOf(textField).toEqualTypeOf(text);
  // @ts-expect-error a length as text
  textField("1", 10);
});

test("values and objects of upstreams keep theirs", () => {
  const answer = z.object({ rows: listValue(wholeObject({ label: labelValue(), number: numberValue() })) });
  expectTypeOf<z.output<typeof answer>>().toEqualTypeOf<{ rows: { label: string | null; number: number | null }[] }>();
  expectTypeOf(pathSegments).returns.toBeString();
});

test("a capability's run gets what its fields give", () => {
  defineCapability({
    ...{ id: "own.echo", summary: "Echoes.", price: "0.001", example: { text: "a" } },
    source: { provider: "built-in", url: "", license: "MIT" },
    input: () => z.strictObject({ text: textField(1, 10).describe("Any"), limit: limitField(1, 9).describe("Most") }),
    output: legacy(() => z.object({ text: z.string() })),
    run({ text, limit }) {
      expectTypeOf(text).toBeString();
      expectTypeOf(limit).toBeNumber();
      return { text };
    },
  });
});
