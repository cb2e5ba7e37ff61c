import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import {
  clamped,
  codeList,
  codePoints,
  countryCode,
  currencyCode,
  digits,
  identifier,
  isoDate,
  isoDateTime,
  latitude,
  lazySchema,
  limit,
  listOf,
  longitude,
  offset,
  text,
  type textList,
  ticker,
  uri,
  usState,
  usStateOrName,
  words,
  zipCode,
} from "../../src/capability/fields.js";

test("fields of text give text, whatever they check", () => {
  const fields = z.object({
    text: text(1, 10),
    words: words(1, 10),
    digits: digits(5),
    isoDate: isoDate(),
    isoDateTime: isoDateTime(),
    uri: uri(200),
    countryCode: countryCode(),
    currencyCode: currencyCode(),
    ticker: ticker(),
    usState: usState({ islandAreas: false }),
    usStateOrName: usStateOrName(),
    zipCode: zipCode(),
    identifier: identifier((given) => given || undefined, "a register's number", [1, 20]),
  });
  expectTypeOf<z.output<typeof fields>[keyof z.output<typeof fields>]>().toEqualTypeOf<string>();
  expectTypeOf<z.input<typeof fields>[keyof z.input<typeof fields>]>().toEqualTypeOf<string>();
  expectTypeOf(codePoints("two")).toBeNumber();
});

test("fields with a default may be left out, and are there when the work begins", () => {
  const fields = z.object({ limit: limit(10, 100), offset: offset(1000) });
  expectTypeOf<z.input<typeof fields>>().toEqualTypeOf<{ limit?: number | undefined; offset?: number | undefined }>();
  expectTypeOf<z.output<typeof fields>>().toEqualTypeOf<{ limit: number; offset: number }>();
  const places = z.object({ latitude: latitude(), longitude: longitude(), clamped: clamped(0, 10) });
  expectTypeOf<z.output<typeof places>>().toEqualTypeOf<{ latitude: number; longitude: number; clamped: number }>();
});

test("lists are taken as a list or as text", () => {
  const colours = listOf(["red", "blue"]);
  expectTypeOf<z.output<typeof colours>>().toEqualTypeOf<("red" | "blue")[]>();
  const codes = codeList({ pattern: /^[A-Z]{3}$/, what: "codes", max: 5, maxLength: 40 });
  expectTypeOf<z.output<typeof codes>>().toEqualTypeOf<string[]>();
  expectTypeOf<z.input<ReturnType<typeof textList>>>().toEqualTypeOf<string | string[]>();
});

test("a schema that is made on first use keeps its type", () => {
  const lazy = lazySchema(() => z.object({ a: z.number() }));
  expectTypeOf<z.output<ReturnType<typeof lazy>>>().toEqualTypeOf<{ a: number }>();
});
