import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  codeList,
  countryCode,
  currencyCode,
  digits,
  isoDate,
  isoDateTime,
  limit,
  listOf,
  text,
  ticker,
  usState,
  usStateOrName,
  words,
  zipCode,
} from "../../src/capability/fields.js";

const read = (schema: z.ZodType, value: unknown) => {
  const { success, data, error } = schema.safeParse(value);
  return success ? data : { refused: error?.issues[0]?.message };
};
const refused = (message: string) => ({ refused: message });

describe("what callers send", () => {
  test("text is counted in characters, and its schema says the bounds", () => {
    expect(read(text(1, 2), "👍👍")).toBe("👍👍");
    expect(read(text(1, 2), "👍👍👍")).toEqual(refused("must be 1 to 2 characters long"));
    expect(z.toJSONSchema(text(1, 2))).toMatchObject({ type: "string", minLength: 1, maxLength: 2 });
  });

  test("words lose the blanks around them, and there must be some", () => {
    expect(read(words(1, 9), "  a b ")).toBe("a b");
    for (const nothing of [" \t", "a\u0000b", "a\nb"])
      expect(read(words(1, 9), nothing)).toEqual(refused("must not be blank or contain control characters"));
  });

  test("codes come in any case and reach the capability in capitals", () => {
    expect(read(countryCode(), "de")).toBe("DE");
    expect(read(usState(), "tx")).toBe("TX");
    expect(read(currencyCode(), "usd")).toBe("USD");
    expect(read(ticker(), "brk.b")).toBe("BRK.B");
    expect(read(usStateOrName(), "new york")).toBe("NY");
  });

  test("what looks like a code and is none is refused, with an example of one that works", () => {
    expect(read(countryCode(), "ZZ")).toEqual(refused("must be a two-letter ISO 3166-1 country code, such as DE"));
    expect(read(usState(), "ZZ")).toEqual(refused("must be a two-letter US state code, such as CA"));
    expect(read(usState(), "06")).toEqual(refused("must be a two-letter US state code, such as CA"));
    expect(read(usStateOrName(), "ZZ")).toEqual(refused("must be a US state, such as CA or California"));
    expect(read(currencyCode(), "US")).toEqual(refused("must be a currency code of three letters, such as USD"));
    expect(read(ticker(), "1A")).toEqual(refused("must be a ticker symbol, such as AAPL or BRK.B"));
    expect(read(zipCode(), "1234")).toEqual(refused("must be a ZIP code of 5 digits, such as 90210"));
    expect(read(isoDate(), "2026-02-30")).toEqual(refused("must be a real date in the form YYYY-MM-DD"));
    expect(read(isoDateTime(), "2026-02-03T10:00")).toHaveProperty("refused");
  });

  test("the island areas are states only where the upstream knows them, and other codes only where it has them", () => {
    expect(read(usState(), "gu")).toBe("GU");
    expect(read(usState({ islandAreas: false }), "gu")).toHaveProperty("refused");
    expect(read(usState({ islandAreas: false }), "pr")).toBe("PR");
    expect(read(usState({ also: ["US"] }), "us")).toBe("US");
  });

  test("digits keep their leading zeros", () => {
    expect(read(digits(1, 3), "007")).toBe("007");
    expect(read(digits(1, 3), "1234")).toEqual(refused("must be 1 to 3 digits"));
    expect(read(digits(3), "12")).toEqual(refused("must be 3 digits"));
  });

  test("a limit has its default in the schema", () => {
    expect(read(limit(10, 50), undefined)).toBe(10);
    expect(z.toJSONSchema(limit(10, 50), { io: "input" })).toMatchObject({ default: 10, minimum: 1, maximum: 50 });
  });
});

describe("lists in a text", () => {
  const sizes = listOf(["Small", "Large"]);
  const options = { pattern: /^[A-Z]{2}$/, what: "codes of two letters", max: 2, maxLength: 20 };
  const ids = codeList(options);

  test("of known names come in their own order, each once, in any case and with blanks", () => {
    expect(read(sizes, "large, SMALL,large")).toEqual(["Small", "Large"]);
    for (const none of ["small,huge", "small,", ",", " "])
      expect(read(sizes, none)).toEqual(refused("must be one or more of Small, Large, divided by commas"));
  });

  test("of codes come in the caller's order, each once, in capitals", () => {
    expect(read(ids, "bb, aa,,BB ,")).toEqual(["BB", "AA"]);
    expect(read(codeList({ ...options, blanksDivide: true }), "bb aa,bb")).toEqual(["BB", "AA"]);
    for (const wrong of [",", "aa,bb,cc", "aa,b1", "aa bb"])
      expect(read(ids, wrong)).toEqual(refused("must be 1 to 2 codes of two letters, divided by commas"));
  });

  test("a default is shown as the text that a caller would send", () => {
    const schema = z.toJSONSchema(sizes.prefault("Small"), { io: "input" });
    expect(schema).toMatchObject({ type: "string", default: "Small", maxLength: 200 });
    expect(read(sizes.prefault("Small"), undefined)).toEqual(["Small"]);
  });
});
