import { expect, test } from "vitest";
import { z } from "zod";
import {
  amount,
  day,
  figure,
  flag,
  id,
  instant,
  integer,
  key,
  label,
  list,
  maybe,
  noneRenamed,
  number,
  oneOrMany,
  part,
  reaching,
  sparseRows,
  unixTime,
  usDay,
  whole,
  wholeOrNone,
} from "../../src/upstream/fields.js";

test.each<[string, z.ZodType, unknown, unknown]>([
  ["a label without its blanks", label(), " Ada ", "Ada"],
  ["an empty label", label(), "  ", null],
  ["a number in a text", number(), " 12.5 ", 12.5],
  ["a number with thousands", number(), "-1,234,567.5", -1234567.5],
  ["commas that divide no thousands", number(), "1,2", null],
  ["a code for a missing number", number(), "(D)", null],
  ["an empty number", number(), "", null],
  ["an endless number", number(), "Infinity", null],
  ["zero", number(), 0, 0],
  ["dollars", amount(), "$1,234.50", 1234.5],
  ["a loss in brackets", amount(), "($0.29)", -0.29],
  ["no amount", amount(), "N/A", null],
  ["an id of digits", id(), 42, "42"],
  ["an empty id", id(), "", null],
  ["a flag in a letter", flag(), "Y", true],
  ["a flag in a digit", flag(), 0, false],
  ["an odd flag", flag(), "perhaps", null],
  ["a day of digits", day(), "20231226", "2023-12-26"],
  ["the day of a time", day(), "2023-12-26T00:00:00", "2023-12-26"],
  ["an American day", usDay(), "6/3/2026", "2026-06-03"],
  ["a day of another form", usDay(), "2026-06-03", null],
  ["one member without brackets", oneOrMany(z.string()), "a", ["a"]],
  ["several members", oneOrMany(z.string()), ["a", "b"], ["a", "b"]],
])("%s", (_, schema, value, expected) => {
  expect(schema.parse(value)).toEqual(expected);
});

test.each<[string, () => z.ZodType, unknown]>([
  ["label", label, null],
  ["number", number, null],
  ["amount", amount, null],
  ["id", id, null],
  ["flag", flag, null],
  ["day", day, null],
  ["usDay", usDay, null],
  ["instant", instant, null],
  ["list", () => list(z.string()), []],
  ["oneOrMany", () => oneOrMany(z.string()), []],
  ["maybe", () => maybe(z.boolean()), null],
  ["part", () => part({ name: label(), inner: part({ all: list(z.string()) }) }), { name: null, inner: { all: [] } }],
])("%s may be missing, in an object too, or null", (_, make, expected) => {
  expect([undefined, null].map((value) => make().parse(value))).toEqual([expected, expected]);
  expect(z.object({ field: make() }).parse({})).toEqual({ field: expected });
});

test("a figure or a time that a result cannot do without may not be missing", () => {
  expect([figure().parse("-0.5"), figure().parse(3)]).toEqual([-0.5, 3]);
  expect(unixTime("s").parse("1639958400")).toBe("2021-12-20T00:00:00.000Z");
  expect(unixTime("ms").parse(1_639_958_400_123)).toBe("2021-12-20T00:00:00.123Z");
  for (const nothing of [undefined, null, "", "NaN", "soon"]) {
    expect(figure().safeParse(nothing).success).toBe(false);
    expect(unixTime("s").safeParse(nothing).success).toBe(false);
  }
  for (const never of [-1, 1e15, Number.POSITIVE_INFINITY]) expect(unixTime("s").safeParse(never).success).toBe(false);
});

test.each([
  ["2026-06-19T16:43:33.016274911Z", "2026-06-19T16:43:33.016Z"],
  ["2026-06-19T18:43:33+02:00", "2026-06-19T16:43:33.000Z"],
  // Without a zone it is no point in time.
  ["2026-06-19T16:43:33", null],
  ["2026-06-19", null],
  ["2026-13-19T16:43:33Z", null],
])("the instant %s is %s", (text, expected) => {
  expect(instant().parse(text)).toBe(expected);
});

test("an id that a result cannot do without may not be missing", () => {
  expect(key().parse(7)).toBe("7");
  for (const nothing of [undefined, null, ""]) expect(key().safeParse(nothing).success).toBe(false);
});

test("a part of another form is no part", () => {
  expect(part({ name: label() }).safeParse("text").success).toBe(false);
});

test("whole numbers keep all their digits", () => {
  for (const [sent, value] of [
    ["115792089237316195423570985008687907853269984665640564039457584007913129639935", 2n ** 256n - 1n],
    ["-7", -7n],
    [42, 42n],
    ["", null],
    ["1.5", null],
    ["0x10", null],
    [1e21, null],
    [null, null],
  ] as const)
    expect(integer().parse(sent)).toBe(value);
});

const bank = () => whole({ name: label() }, { sales: number(), day: day(), web: label() }, ["sales", "day"]);

test.each<[string, z.ZodType, unknown]>([
  ["a whole object with nulls", bank(), { name: null }],
  ["an optional field beside it", bank(), { name: "A", web: "x" }],
  ["a group that came together", bank(), { name: "A", sales: 1, day: null }],
  ["a whole that is none", wholeOrNone({ city: label() }), undefined],
  ["one that is null", wholeOrNone({ city: label() }), null],
  ["one that is empty", wholeOrNone({ city: label() }), {}],
  ["a whole object without such a part", whole({}, { at: wholeOrNone({ city: label() }) }), {}],
  ["two rows without a field", sparseRows(z.object({ year: number() }), ["year"]), [{}, {}]],
  ["three rows, of which one has it", sparseRows(z.object({ year: number() }), ["year"]), [{}, {}, { year: null }]],
  ["a path into rows", sparseRows(z.object({}), ["a.b"]), [{}, {}, { a: { b: null } }]],
  ["rows that are excused", sparseRows(z.object({}), ["year"], 1, () => true), [{}]],
  ["a closed object without a field", z.unknown().check(noneRenamed(["a"], ["b"])), { b: 1 }],
  ["a closed object with one more", z.unknown().check(noneRenamed(["a"], ["b"])), { a: 1, c: 2 }],
  ["no rows of all that there are", sparseRows(z.object({}), ["year"], 1), []],
  ["paths that are there", z.unknown().check(reaching(["a.b"])), { a: { b: null } }],
  ["paths that are excused", z.unknown().check(reaching(["a.b"], () => true)), {}],
])("%s is in order", (_, schema, value) => expect(schema.safeParse(value).error).toBeUndefined());

test.each<[string, z.ZodType, unknown, string]>([
  ["a whole object without a field", bank(), { web: "x" }, "name"],
  ["half a group", bank(), { name: "A", sales: 1 }, "day"],
  ["something else than an object", bank(), "A", ""],
  ["a part without its field", wholeOrNone({ city: label() }), { town: "x" }, "city"],
  ["three rows without a field", sparseRows(z.object({ year: number() }), ["year"]), [{}, {}, {}], "year"],
  ["one row of all without it", sparseRows(z.object({ year: number() }), ["year"], 1), [{}], "year"],
  ["rows without a path", sparseRows(z.object({}), ["a.b"], 1), [{ a: {} }, { a: { c: 1 } }], "a.b"],
  [
    "one row of two that is not excused",
    sparseRows(z.object({}), ["year"], 1, (row) => "old" in row),
    [{ old: 1 }, {}],
    "year",
  ],
  ["null, which nothing excuses", sparseRows(z.object({}), ["year"], 1, ({ year }) => year === 1), [null], "0"],
  ["a field of a closed object under a new name", z.unknown().check(noneRenamed(["a"], ["b"])), { b: 1, c: 2 }, "c"],
  ["no list", sparseRows(z.object({}), ["year"]), {}, ""],
  ["a path that is not there", z.unknown().check(reaching(["a.b"])), { a: {} }, "a.b"],
])("%s has another form", (_, schema, value, where) =>
  expect(schema.safeParse(value).error?.issues[0]?.path.join("/")).toBe(where),
);
