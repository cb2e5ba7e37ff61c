import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { jsonQuery } from "../../../src/capabilities/json/index.js";
import { query } from "../../../src/engines/json/query.js";
import { pathFromRoot } from "../../support/render-indexes.js";

type Input = Parameters<typeof jsonQuery>[0];
const ask = async (input: Input) => {
  const item = (await jsonQuery(input)).items[0];
  if (!item) throw new Error("no item");
  return item;
};

const document = {
  orders: [
    { id: "a1", total: 80 },
    { id: "a2", total: 120 },
  ],
  "a/b": { "~": 1 },
};

describe("match and search", () => {
  const of = async (expression: string, ...values: unknown[]) =>
    (await ask({ query: `$[?${expression}]`, document: values })).result;

  test("take I-Regexp, and nothing else", async () => {
    expect(await of("match(@, 'a.c')", "abc", "a\nc", "xabc")).toEqual(["abc"]);
    expect(await of("search(@, '[0-9]{2,3}')", "a12", "1", 12)).toEqual(["a12"]);
    expect(await of("match(@, '\\\\p{Lu}[^a-c\\\\-]*')", "Éd", "Eb", "e")).toEqual(["Éd"]);
    for (const pattern of [
      "(?:a)",
      "a*?",
      "(?=a)",
      "[[:alpha:]]",
      "a{,2}",
      "[a",
      "a)",
      "(a",
      "\\\\d",
      "\\\\p{Greek}",
      "a**",
      "|*",
    ])
      expect(await of(`search(@, '${pattern}')`, "a", "aa"), pattern).toEqual([]);
  });

  test("do not backtrack", async () => {
    const text = `${"a".repeat(50_000)}!`;
    expect(await of("search(@, '(a+)+$')", text)).toEqual([]);
    expect(await of("match(@, '(a|a)*(a|a)*b')", text)).toEqual([]);
  });

  test("end when they have tried too much", async () => {
    const found = ask({
      query: "$[?search(@, '(a|b|c|d|e){900}[xyz]')]",
      document: Array(100).fill("abcde".repeat(5_000)),
    });
    await expect(found).rejects.toMatchObject({ code: "RESULT_TOO_LARGE", issues: [{ path: "query" }] });
    await expect(of("search(@, 'a{9999}')", "a")).rejects.toMatchObject({ status: 400, issues: [{ path: "query" }] });
  });
});

describe("json.query", () => {
  test("finds values by JSONPath, with their normalized paths", async () => {
    expect(await ask({ query: "$.orders[?@.total > 100].id", document })).toEqual({
      result: ["a2"],
      count: 1,
      paths: ["$['orders'][1]['id']"],
    });
  });

  test("finds a value by JMESPath, and by JSON Pointer", async () => {
    expect(await ask({ language: "jmespath", query: "sum(orders[].total)", document })).toEqual({
      result: 200,
      count: 1,
      paths: null,
    });
    expect(await ask({ language: "jmespath", query: "orders[].id", document, limit: 1 })).toEqual({
      result: ["a1"],
      count: 2,
      paths: null,
    });
    expect(await ask({ language: "pointer", query: "/a~1b/~0", document })).toEqual({
      result: 1,
      count: 1,
      paths: ["/a~1b/~0"],
    });
    expect(await ask({ language: "pointer", query: "", document: [1] })).toMatchObject({ result: [1], count: 1 });
    expect(await ask({ language: "pointer", query: "/nothing", document })).toEqual({
      result: null,
      count: 0,
      paths: [],
    });
  });

  test("counts what a limit leaves out", async () => {
    expect(await ask({ query: "$[*]", document: [1, 2, 3], limit: 2 })).toEqual({
      result: [1, 2],
      count: 3,
      paths: ["$[0]", "$[1]"],
    });
  });

  test("keeps every digit of a text's numbers, by which it may filter", async () => {
    const text = '[{"id":12345678901234567890,"p":0.1},{"id":3,"p":1.00000000000000000001}]';
    expect((await ask({ query: "$[?@.id > 9007199254740993].id", text })).result).toEqual(["12345678901234567890"]);
    expect((await ask({ language: "pointer", query: "/1/p", text })).result).toBe("1.00000000000000000001");
  });

  test("treats __proto__ and constructor as names", async () => {
    const hostile = JSON.parse('{"__proto__":{"a":1}}');
    expect((await ask({ query: "$['__proto__'].a", document: hostile })).result).toEqual([1]);
    for (const query of ["$.constructor", "$.toString"]) expect((await ask({ query, document: {} })).count).toBe(0);
    expect((await ask({ language: "pointer", query: "/constructor/name", document: {} })).count).toBe(0);
    expect((await ask({ language: "jmespath", query: "constructor", document: {} })).result).toBeNull();
  });

  test("takes two backslashes of a raw text in JMESPath as two", async () => {
    expect((await ask({ language: "jmespath", query: String.raw`'\\'`, document: {} })).result).toBe(String.raw`\\`);
    expect((await ask({ language: "jmespath", query: String.raw`'it\'s'`, document: {} })).result).toBe("it's");
  });

  test.each<[Input, string]>([
    [{ query: "$.a[", document: {} }, "query"],
    [{ query: "", document: {} }, "query"],
    [{ language: "jmespath", query: "foo[", document: {} }, "query"],
    [{ language: "jmespath", query: "unknown(@)", document: {} }, "query"],
    [{ language: "pointer", query: "a", document: {} }, "query"],
    [{ query: "$" }, "document"],
    [{ query: "$", document: {}, text: "{}" }, "text"],
    [{ query: "$", text: '{"a":1,"a":2}' }, "text"],
    [{ query: "$", text: "[".repeat(50_000) }, "text"],
  ])("refuses %.60j", async (input, path) => {
    await expect(ask(input)).rejects.toMatchObject({ status: 400, issues: [{ path }] });
  });

  test("stops at a million values", async () => {
    const wide = Array.from({ length: 50 }, () => Array.from({ length: 50 }, () => 1));
    await expect(
      ask({ query: `$[${Array.from({ length: 400 }, () => "*").join()}][*]`, document: wide, limit: 1 }),
    ).resolves.toMatchObject({ count: 1_000_000 });
    await expect(
      ask({ query: `$[${Array.from({ length: 401 }, () => "*").join()}][*]`, document: wide, limit: 1 }),
    ).rejects.toMatchObject({ code: "RESULT_TOO_LARGE", issues: [{ path: "query" }] });
  });

  test.each([
    ["descents that find nothing", `$${"..*".repeat(14)}.nothing`],
    ["filters in filters", `$${"..[?@".repeat(14)}${"]".repeat(14)}`],
    ["repeated wildcards", `$${"[*,*]".repeat(150)}.nothing`],
  ])("stops %s at the values they visit, without a deadline", async (_what, text) => {
    let document: unknown = 1;
    for (let depth = 0; depth < 24; depth++) document = [document];
    await expect(query({ language: "jsonpath", query: text, document, limit: 100 })).rejects.toMatchObject({
      code: "RESULT_TOO_LARGE",
      issues: [{ path: "query", message: "visits more than 4000000 values" }],
    });
  });

  const chain = (step: string, times: number) => Array.from({ length: times }, () => step).join(" | ");
  const list = Array.from({ length: 1_000 }, (_, i) => i);
  test.each<[string, string, unknown]>([
    ["lists that double", chain("[@[], @[]][]", 60), [1, 2]],
    ["texts that double", chain("join('', [@, @])", 60), "ab"],
    ["lists within lists", "map(&map(&map(&@, $), $), $)", list],
    ["projections of the root", "[*].[$[*].[$[*]]] | length(@)", list],
    ["scopes of variables", "let $a = $ in [*].[$a[*].[$a[*]]]", list],
    ["keys made of the root", chain("sort_by(@, &to_string($))", 60), list],
    ["comparisons of large values", "[?[$, `1`] == [$, `2`]]", Array.from({ length: 3_000 }, (_, i) => i)],
    ["comparisons of long texts", "list[?$.one == $.two]", { list, one: "a".repeat(5_000), two: "a".repeat(5_000) }],
    ["texts that grow", chain("replace(@, 'a', 'aaaaaaaaaa')", 60), "a"],
    ["texts that one function fills", "length(pad_left('a', `5000000`))", 1],
    ["searches in a text", "list[*].contains($.text, 'b')", { list, text: "a".repeat(5_000) }],
    ["searches in lists of lists", "list[*].contains($.rows, $.one)", { list, rows: Array(10).fill(list), one: [1] }],
    ["texts made of an object", "list[*].length(to_string($.one))", { list, one: { text: "a".repeat(5_000) } }],
    [
      "names of an object",
      "list[*].length($.one)",
      {
        list,
        one: Object.fromEntries(
          list.map((_, i) => [`${i}`.padStart(3), i]).concat(Array.from({ length: 4_000 }, (_, i) => [`k${i}`, i])),
        ),
      },
    ],
  ])("stops JMESPath's %s at the values they visit", async (_what, query, document) => {
    await expect(ask({ language: "jmespath", query, document })).rejects.toMatchObject({
      code: "RESULT_TOO_LARGE",
      issues: [{ path: "query", message: "visits more than 4000000 values" }],
    });
  });

  test.each<[string, Input]>([
    ["objects", { language: "jmespath", query: chain("{a: @, b: @}", 100), document: 1 }],
    [
      "variables",
      { language: "jmespath", query: `let $a = @ in ${"let $a = [$a, $a] in ".repeat(80)}$a`, document: 1 },
    ],
    [
      "ancestors",
      {
        query: "$..*",
        document: Array.from({ length: 100 }).reduce(
          (inner) => [inner],
          Array.from({ length: 50_000 }, () => 1),
        ),
      },
    ],
  ])("refuses a small result that is large when it is written: %s in one another", async (_what, input) => {
    await expect(ask(input)).rejects.toMatchObject({
      code: "RESULT_TOO_LARGE",
      issues: [{ path: "query", message: expect.stringContaining("4000000 values and characters") }],
    });
  });

  test("all 703 of the JSONPath compliance test suite", async () => {
    const { tests } = JSON.parse(readFileSync(pathFromRoot("test/suites/jsonpath/cts.json"), "utf8"));
    for (const { name, selector, document, invalid_selector, result, results, result_paths } of tests) {
      const asked = ask({ query: selector, document: document ?? null, limit: 10_000 });
      if (invalid_selector) {
        await expect(asked, name).rejects.toMatchObject({ status: 400, issues: [{ path: "query" }] });
        continue;
      }
      const item = await asked;
      expect(results ?? [result], name).toContainEqual(item.result);
      if (result_paths) expect(item.paths, name).toEqual(result_paths);
    }
    expect(tests).toHaveLength(703);
  });
});

describe("ATK-18 integers keep their digits, and equal means exactly equal", () => {
  const text =
    "[9007199254740991,9007199254740992,9007199254740993,9007199254740993.0,1.00000000000000000001,1,-9007199254740993]";
  const path = async (condition: string) => (await ask({ query: `$[?${condition}]`, text })).result;
  const jmes = async (query: string, given = text) => (await ask({ language: "jmespath", query, text: given })).result;

  test("in filters of JSONPath", async () => {
    expect(await path("@ == 9007199254740993")).toEqual(["9007199254740993", "9007199254740993.0"]);
    expect(await path("@ == 9007199254740992")).toEqual([9007199254740992]);
    expect(await path("@ == $[2]")).toEqual(["9007199254740993", "9007199254740993.0"]);
    expect(await path("@ != 9007199254740993 && @ > 2")).toEqual([9007199254740991, 9007199254740992]);
    expect(await path("@ > 9007199254740992")).toEqual(["9007199254740993", "9007199254740993.0"]);
    expect(await path("@ >= 9007199254740993")).toEqual(["9007199254740993", "9007199254740993.0"]);
    expect(await path("@ < -9007199254740992")).toEqual(["-9007199254740993"]);
    expect(await path("@ <= 1")).toEqual([1, "-9007199254740993"]);
    expect(await path("@ > 1 && @ < 2")).toEqual(["1.00000000000000000001"]);
    expect(await path("@ == 1")).toEqual([1]);
    expect(
      (await ask({ query: "$[?@.a == $[1].a]", text: '[{"a":[9007199254740993]},{"a":[9007199254740992]}]' })).count,
    ).toBe(1);
    expect((await ask({ query: "$..*", text: '{"a":9007199254740993}' })).result).toEqual(["9007199254740993"]);
    await expect(path("@ < 1e9999999999")).rejects.toMatchObject({ issues: [{ path: "query" }] });
  });

  test("in JMESPath's comparisons, literals and functions", async () => {
    // Numbers that are equal are written alike.
    expect(await jmes("[?@ == `9007199254740993`]")).toEqual(["9007199254740993", "9007199254740993"]);
    expect(await jmes("[?@ == `9007199254740992`]")).toEqual([9007199254740992]);
    expect(await jmes("[?@ > `9007199254740992`]")).toEqual(["9007199254740993", "9007199254740993"]);
    expect(await jmes("[?@ && @ < `-9007199254740992`]")).toEqual(["-9007199254740993"]);
    expect(
      await jmes('[?@ == `{"a":[9007199254740993]}`]', '[{"a":[9007199254740993]},{"a":[9007199254740992]}]'),
    ).toEqual([{ a: ["9007199254740993"] }]);
    expect(await jmes("max(@)")).toBe("9007199254740993");
    expect(await jmes("min(@)")).toBe("-9007199254740993");
    expect(await jmes("sort(@)[-3:]")).toEqual([9007199254740992, "9007199254740993", "9007199254740993"]);
    expect(await jmes("to_string([2])")).toBe("9007199254740993");
    expect(await jmes("to_string([[2], `1`])")).toBe("[9007199254740993,1]");
    expect(await jmes("to_number('9007199254740993') == [2]")).toBe(true);
    expect(await jmes("type([2])")).toBe("number");
    expect(await jmes("sum([0:2])")).toBe("18014398509481983");
    expect(await jmes("sum([0:3])")).toBe(27021597764222976);
    expect(await jmes("[2] + `1`")).toBe(9007199254740994);
    expect(await jmes("[0] + `2`")).toBe("9007199254740993");
    expect(await jmes("-[2]")).toBe("-9007199254740993");
    expect(await jmes("abs([6])")).toBe("9007199254740993");
    expect(await jmes("[ceil([2]), floor([2]), ceil(`1.5`)]")).toEqual(["9007199254740993", "9007199254740993", 2]);
    expect(await jmes("contains(@, `9007199254740993`) && !contains(@, `9007199254740995`)")).toBe(true);
    expect(await jmes("max_by(@, &a).b", '[{"a":9007199254740993,"b":1},{"a":9007199254740992,"b":2}]')).toBe(1);
    expect(await jmes("[2].text")).toBeNull();
    expect(await jmes("[2].*")).toBeNull();
    for (const query of ["avg(@)", "[2] / `2`", "ceil([4])", "[4] + `1`"])
      await expect(jmes(query), query).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path: "query" }] });
  });

  test("and a pointer leads into no number", async () => {
    expect((await ask({ language: "pointer", query: "/2/text", text })).count).toBe(0);
  });
});

describe("by the standards, and not by the libraries", () => {
  test("JSONPath counts Unicode scalar values, and orders texts by them", async () => {
    const document = ["👍🏽", "é", "ab", "\uFF5E", { a: 1 }, [1, 2, 3], 5];
    const found = async (condition: string) => (await ask({ query: `$[?${condition}]`, document })).result;
    expect(await found("length(@) == 2")).toEqual(["👍🏽", "ab"]);
    expect(await found("length(@) == 1")).toEqual(["é", "\uFF5E", { a: 1 }]);
    expect(await found("length(@) == 3")).toEqual([[1, 2, 3]]);
    expect(await found("@ > '\uFF5E'")).toEqual(["👍🏽"]);
    expect(await found("@ <= 'ab'")).toEqual(["ab"]);
  });

  test("lengths of one long text are counted as work", async () => {
    const document = { rows: Array(1_000).fill(1), text: "a".repeat(100_000) };
    await expect(ask({ query: "$.rows[?length($.text) > 1]", document })).rejects.toMatchObject({
      code: "RESULT_TOO_LARGE",
    });
  });

  const jmes = async (query: string, document: unknown) =>
    (await ask({ language: "jmespath", query, document })).result;

  test("JMESPath reads a number as JSON has it, and nothing else", async () => {
    const texts = ["", " 5 ", "0x10", "+5", "05", "1.", ".5", "1e", "Infinity", "NaN", "5\n", "１", "1_000", "-"];
    expect(await jmes("[*].[to_number(@)]", texts)).toEqual(texts.map(() => [null]));
    expect(await jmes("[*].to_number(@)", ["5", "-0.5", "1e3", "1E-2", "0"])).toEqual([5, -0.5, 1000, 0.01, 0]);
    expect(await jmes("[*].[to_number(@)]", [true, null, [], {}, 7])).toEqual([[null], [null], [null], [null], [7]]);
  });

  test("JMESPath slices lists alone", async () => {
    expect(await jmes("[a[1:3], a[::-1], a[0:1] | [0], b[1:]]", { a: "text", b: [1, 2] })).toEqual([
      null,
      null,
      null,
      [2],
    ]);
  });

  test("JMESPath sorts numbers as numbers, and finds the largest by a text", async () => {
    expect(await jmes("sort(@)", [10, 9, 1, -5])).toEqual([-5, 1, 9, 10]);
    expect(await jmes("sort(@)", ["b", "\u{1F600}", "\uFF5E", "a"])).toEqual(["a", "b", "\uFF5E", "\u{1F600}"]);
    const rows = [
      { a: "x", n: 10 },
      { a: "z", n: 9 },
      { a: "y", n: 100 },
    ];
    expect(await jmes("[max_by(@, &a).n, min_by(@, &a).n, sort_by(@, &n)[*].n]", rows)).toEqual([9, 10, [9, 10, 100]]);
    expect(await jmes("[max(`[]`), min(`[]`), max_by(`[]`, &a), sum(`[]`), avg(`[]`)]", 1)).toEqual([
      null,
      null,
      null,
      0,
      null,
    ]);
    expect(await jmes('[contains(@, `[1]`), contains(@, `{"a":1}`), contains(@, `[2]`)]', [[1], { a: 1 }])).toEqual([
      true,
      true,
      false,
    ]);
    await expect(jmes("sort_by(@, &a)", [{ a: 1 }, { a: "b" }])).rejects.toMatchObject({ issues: [{ path: "query" }] });
  });
});
