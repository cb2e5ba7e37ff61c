import { expect, it, vi } from "vitest";
import { isKnownWide, parseInTurns, shapeOf } from "../../../src/lib/text/json.js";
import { UnreadJson } from "../../../src/lib/text/unread-json.js";

it.each([
  ["[]", 1],
  ['{"a":[1,{"b":2}]}', 3],
  ['"[[[["', 0],
  ['{"a\\"[":1}', 1],
  ['{"a\\\\":[1]}', 2],
  ['"never ends [[[', 0],
  ["[".repeat(1000), 1000],
])("nesting of %s is %d", (json, depth) => expect(shapeOf(json).depth).toBe(depth));

it.each([
  ['{"a":1,"b":{"c":[{"d":":"}]}}', 4],
  ['{":":"\\":{"}', 1],
  ["[1,2,3]", 0],
])("%s has %d members", (json, members) => expect(shapeOf(json).members).toBe(members));

it.each([
  ["[1,true,false,null,12.5,-3]", false],
  ['["1e999","9e9"]', false],
  ["1e999", true],
  ["[-1.5E+400]", true],
  ["9".repeat(309), true],
  ["9".repeat(308), false],
])("%s may be beyond a number's range: %s", (json, mayOverflow) => expect(shapeOf(json).mayOverflow).toBe(mayOverflow));

it.each<[string, string | undefined]>([
  ["[9007199254740993]", "9007199254740993"],
  ['{"a":{"b":-18446744073709551615},"c":9007199254740993}', "18446744073709551615"],
  ["[9007199254740992,18446744073709551616,100000000000000000000]", undefined],
  ["[0.30000000000000004,1.7976931348623157e308,12345678901234567e5,1e1234567890123457]", undefined],
  ['["9007199254740993",{"9007199254740993":1}]', undefined],
  [`[${"9".repeat(300)}]`, "9".repeat(300)],
])("ATK-18 %.60s has the number that JavaScript rounds", (json, rounded) =>
  expect(shapeOf(json).rounded).toBe(rounded),
);

const parsed = (json: string) => parseInTurns(json, shapeOf(json));
const pad = "x".repeat(1000);

it("parses what is long in slices, and others have their turn between them", async () => {
  const names = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`n${i % 15_000}`, { i, pad: [i, "]}"] }]));
  const hostile = `{"a":1,"__proto__":{"x":${JSON.stringify(Array(400).fill(pad))}},"7":[[[${JSON.stringify(names)}]], {} ] , "a":2}`;
  for (const json of [
    JSON.stringify({ ns: "n", body: names, last: null }),
    JSON.stringify(Array.from({ length: 90_000 }, (_, i) => (i % 3 ? [] : i))),
    JSON.stringify([1, { deep: { deeper: [names, [names], "end"] } }, names]),
    hostile,
    ` { "only" : [ ${Array(40_000).fill(" 0 ").join(",")} ] } `,
    `{"list":[${" ".repeat(100_000)}],"none":{${" ".repeat(100_000)}}}`,
  ]) {
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const value = await parsed(json);
    isOver = true;
    expect(value).toEqual(JSON.parse(json));
    expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(json)));
    expect(turns).toBeGreaterThanOrEqual(Math.floor(json.length / 300_000));
  }
  expect(Object.keys((await parsed(hostile)) as object)).toContain("__proto__");
  expect(isKnownWide(names)).toBe(false);
  const { few } = (await parsed(JSON.stringify({ few: { names } }))) as { few: { names: object } };
  expect([isKnownWide(few), isKnownWide(few.names)]).toEqual([false, true]);
});

it.each([
  [[], 0],
  [[1], 1],
  [[[], [1, 2]], 4],
  [{ a: 1, b: [{ c: {} }] }, 4],
  [["a,b", "c:d"], 2],
])("counts the elements and members of %j", (value, parts) => {
  for (const blanks of ["", " \n\t "]) {
    const json = JSON.stringify([value, pad.repeat(20)]).replaceAll(/(?<=[[{])|(?=[\]}])/g, blanks);
    expect(shapeOf(json).long.map(({ parts }) => parts)).toEqual([parts + 2]);
  }
});

it("leaves long members of the whole unread, and parses nothing of them", async () => {
  const names = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`n${i}`, [i]]));
  const value = { small: [1], list: [names, names], "a\nb": names, deep: { names }, end: 1 };
  const json = JSON.stringify(value);
  const offered: [string, UnreadJson][] = [];
  const parse = vi.spyOn(JSON, "parse");
  const read = await parseInTurns(json, shapeOf(json), { leaves: (...one) => offered.push(one) < 3 });
  const texts = parse.mock.calls.map(([text]) => text);
  parse.mockRestore();
  const [list, names0, deep] = [
    new UnreadJson(true, 80_002),
    new UnreadJson(false, 40_000),
    new UnreadJson(false, 40_001),
  ];
  expect(offered).toEqual([
    ["list", list],
    ["a\nb", names0],
    ["deep", deep],
  ]);
  expect(read).toEqual({ ...value, list, "a\nb": names0 });
  expect(texts.filter((text) => text.includes('"n7":')).length).toBe(1);
});

it("refuses what is long and no JSON, wherever its slices end", async () => {
  const long = JSON.stringify(Array(100).fill(pad));
  const elements = Array(40_000).fill("10").join(",");
  for (const json of [
    ...[
      `[${elements},]`,
      `[,${elements}]`,
      `[${elements},,1]`,
      `[${elements}}`,
      `[${elements}`,
      `[${elements}]]`,
      `[${elements}] 1`,
    ],
    ...[`{"a":${long},}`, `{"a" ${long}}`, `{"a":1 "b":${long}}`, `{"a":${long} 1}`, `[${long}${long}]`, `[1 ${long}]`],
    ...[
      `{${long}}`,
      `{"a":${long.slice(0, -1)}}}`,
      `[{"a":${long}]`,
      `{"a":${long},,"b":1}`,
      `[${long},${long},]`,
      `${long},${long}`,
    ],
  ]) {
    expect(() => JSON.parse(json)).toThrow(SyntaxError);
    await expect(parsed(json)).rejects.toThrow(SyntaxError);
  }
});
