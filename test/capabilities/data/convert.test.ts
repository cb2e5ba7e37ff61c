import { describe, expect, test } from "vitest";
import { dataConvert } from "../../../src/capabilities/data/index.js";
import { zipOf } from "../../support/zip.js";

type Input = Parameters<typeof dataConvert>[0];
const ask = async (input: Input) => {
  const item = (await dataConvert(input)).items[0];
  if (!item) throw new Error("no item");
  return item;
};
const valueFrom = async (text: string, more: Partial<Input> = {}) => (await ask({ text, to: "json", ...more })).value;

describe("data.convert", () => {
  test.each<[string, string, unknown]>([
    ["json", '{"a":[1,"x",null]}', { a: [1, "x", null] }],
    ["jsonl", '{"a":1}\n{"a":2}\n', [{ a: 1 }, { a: 2 }]],
    ["yaml", "a: no\nb: [0o17, 1.5, ~]\n", { a: "no", b: [15, 1.5, null] }],
    ["toml", "a = 1\n[b]\nc = 2026-01-02T03:04:05Z\n", { a: 1, b: { c: "2026-01-02T03:04:05Z" } }],
    ["xml", '<a x="1"><b>t</b><b>2</b></a>', { a: { "@x": 1, b: ["t", 2] } }],
    [
      "csv",
      "id,zip,ok\n1,01234,true\n2,,no\n",
      [
        { id: 1, zip: "01234", ok: true },
        { id: 2, zip: null, ok: "no" },
      ],
    ],
    ["csv", 'a;b\n"x;y";1,5\n', [{ a: "x;y", b: "1,5" }]],
    ["tsv", "a\tb\n1\t2\n", [{ a: 1, b: 2 }]],
  ])("finds %s by its beginning and reads it", async (from, text, value) => {
    expect(await ask({ text, to: "json" })).toMatchObject({ from, value });
  });

  test("writes every format", async () => {
    const text = '[{"a":1,"b":"x, y"},{"a":null,"b":"=1+1"}]';
    const written = async (to: Input["to"], more = {}) => (await ask({ text, to, ...more })).text;
    expect(await written("csv")).toBe('a,b\n1,"x, y"\n,=1+1\n');
    expect(await written("tsv", { header: false })).toBe("1\tx, y\n\t=1+1\n");
    expect(await written("jsonl")).toBe('{"a":1,"b":"x, y"}\n{"a":null,"b":"=1+1"}\n');
    expect(await written("yaml")).toBe("- a: 1\n  b: x, y\n- a: null\n  b: =1+1\n");
    expect(await written("xml", { indent: 0 })).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><root><item><a>1</a><b>x, y</b></item><item><a/><b>=1+1</b></item></root>\n',
    );
    expect(await written("toml", { path: "/0" })).toBe('a = 1\nb = "x, y"\n');
    expect(await written("json", { indent: 2, path: "/0" })).toBe('{\n  "a": 1,\n  "b": "x, y"\n}');
  });

  test("writes a workbook without formulas, and reads it", async () => {
    const text = '[{"n":"=HYPERLINK(1)","v":12.5,"ok":true},{"n":"@x & <y>","v":null,"ok":false}]';
    const { file, mimeType, rows, columns } = await ask({ text, to: "xlsx", sheet: "Tea" });
    expect({ mimeType, rows, columns }).toEqual({
      mimeType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      rows: 2,
      columns: 3,
    });
    expect(await ask({ file: file ?? "", to: "json", sheet: "Tea" })).toMatchObject({
      from: "xlsx",
      value: JSON.parse(text),
      rows: 2,
    });
    await expect(ask({ file: file ?? "", to: "json", sheet: "Coffee" })).rejects.toMatchObject({
      status: 400,
      issues: [{ path: "sheet" }],
    });
  });

  test("keeps every digit", async () => {
    const digits = "12345678901234567890";
    for (const text of [`{"id":${digits},"p":0.10000000000000000001}`, `id: ${digits}\np: 0.10000000000000000001`]) {
      const item = await ask({ text, to: "json" });
      expect(item.value).toEqual({ id: digits, p: "0.10000000000000000001" });
      expect(item.text).toBe(`{"id":${digits},"p":0.10000000000000000001}`);
      expect(item.notes).toEqual([expect.stringMatching(/every digit in text/)]);
      expect((await ask({ text, to: "yaml" })).text).toBe(`id: ${digits}\np: 0.10000000000000000001\n`);
    }
    expect((await ask({ text: `id = ${"9".repeat(18)}`, to: "json" })).text).toBe(`{"id":${"9".repeat(18)}}`);
    expect(await valueFrom(`id\n${digits}\n`, { from: "csv" })).toEqual([{ id: digits }]);
  });

  test("leaves cells as text when asked", async () => {
    expect(await valueFrom("a,b\n1,\n", { types: "text" })).toEqual([{ a: "1", b: "" }]);
  });

  test("takes quotation marks within a cell for characters of it, also in Windows-1252", async () => {
    const text = "Place,City\n37\xb036'37.8\"N 121\xb02'17.9\"W,Modesto\n";
    const value = [{ Place: "37°36'37.8\"N 121°2'17.9\"W", City: "Modesto" }];
    const file = Buffer.from(text, "latin1").toString("base64");
    expect(await ask({ file, from: "csv", to: "json" })).toMatchObject({ value, notes: [expect.any(String)] });
  });

  test("tells what was lost or changed", async () => {
    expect((await ask({ text: "a: .inf\n---\nb: 1\n", from: "yaml", to: "json" })).notes).toEqual([
      "2 YAML documents became one list",
      ".inf is not a number of JSON and became a text",
    ]);
    expect((await ask({ text: '{"a":null}', to: "toml" })).notes).toEqual(["TOML has no null: a was left out"]);
    const halves = await ask({ text: String.raw`{"\ud800":"a\udc00"}`, from: "json", to: "toml" });
    expect(halves).toMatchObject({
      text: '"\ufffd" = "a\ufffd"\n',
      notes: ["TOML has no halves of surrogate pairs: they became U+FFFD"],
    });
    expect((await ask({ text: '[{"a":{"b":1}}]', to: "csv" })).notes).toEqual([
      "lists and objects in cells became their JSON text",
    ]);
    expect((await ask({ text: "a,b\n1,2,3\n", from: "csv", to: "json" })).notes).toEqual([
      "1 rows have more or fewer cells than the header",
    ]);
    const file = Buffer.from("a\ngr\xfcn\n", "latin1").toString("base64");
    expect(await ask({ file, from: "csv", to: "json" })).toMatchObject({
      value: [{ a: "grün" }],
      notes: ["the bytes are not UTF-8 and were read as Windows-1252"],
    });
  });

  test("treats __proto__ as a name in every format", async () => {
    for (const text of ['{"__proto__":{"a":1}}', "__proto__:\n  a: 1\n", "<__proto__><a>1</a></__proto__>"]) {
      const value = (await valueFrom(text)) as object;
      expect(Object.keys(value)).toEqual(["__proto__"]);
    }
    expect({}).not.toHaveProperty("a");
  });

  const bomb = `a: &a [${"x,".repeat(9)}x]\n${"bcdefghi"
    .split("")
    .map((name, i) => `${name}: &${name} [${Array(10).fill(`*${"abcdefghi"[i]}`).join()}]`)
    .join("\n")}\n`;
  test.each<[string, Partial<Input>, string, RegExp]>([
    ["duplicate keys of JSON", { text: '{"a":1,\n"a":2}' }, "text", /twice in an object \(line 2, column 1\)/],
    ["duplicate keys of YAML", { text: "a: 1\na: 2\n", from: "yaml" }, "text", /twice \(line 2, column 1\)/],
    ["duplicate columns", { text: "a,a\n1,2\n" }, "text", /twice/],
    ["an alias bomb", { text: bomb, from: "yaml" }, "text", /aliases/],
    ["an alias of itself", { text: "a: &a [*a]\n", from: "yaml" }, "text", /within itself|aliases/],
    ["50,000 levels of JSON", { text: "[".repeat(50_000), from: "json" }, "text", /nested deeper/],
    ["50,000 levels of YAML", { text: "[".repeat(50_000), from: "yaml" }, "text", /nested deeper/],
    ["50,000 levels of YAML lists", { text: "- ".repeat(50_000), from: "yaml" }, "text", /nested deeper/],
    ["50,000 levels of TOML", { text: `a = ${"[".repeat(50_000)}`, from: "toml" }, "text", /TOML|deep/],
    ["50,000 levels of XML", { text: "<a>".repeat(50_000) }, "text", /nested deeper/],
    ["entities", { text: '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>' }, "text", /document types/],
    ["30 February", { text: "a = 2026-02-30", from: "toml" }, "text", /not a day/],
    ["broken TOML", { text: "a = ", from: "toml" }, "text", /not TOML/],
    ["no rows", { text: '{"a":1}', to: "csv", path: "/a" }, "to", /list of objects/],
    ["a path to nothing", { text: "{}", path: "/a" }, "path", /nothing/],
    ["no workbook", { text: "a", from: "xlsx" }, "from", /not a workbook/],
    ["a zip that is none", { file: zipOf({ a: "b" }).toString("base64") }, "file", /workbook/],
    ["a bomb of a workbook", { file: zipOf({ a: "0".repeat(40_000_000) }).toString("base64") }, "file", /200 times/],
    ["no document", {}, "text", /missing/],
  ])("refuses %s", async (_what, input, path, message) => {
    await expect(ask({ to: "json", ...input })).rejects.toMatchObject({
      status: 400,
      issues: expect.arrayContaining([{ path, message: expect.stringMatching(message) }]),
    });
  });

  const file = (bytes: number[] | string) => Buffer.from(bytes as string).toString("base64");
  test.each<[string, Partial<Input>, RegExp]>([
    ["a line break in an inline table", { text: "a = { b = 1,\n c = 2 }" }, /one line \(line 1, column 13\)/],
    ["a comment in an inline table", { text: "a = { b = 1 # c\n}" }, /one line/],
    ["a comma at the end of an inline table", { text: "a = { b = [1, 2,], }" }, /end with a comma/],
    ["the escape \\x", { text: 'a = "\\x41"' }, /\\x is not an escape/],
    ["the escape \\e in a key", { text: String.raw`"\\\e" = 1` }, /\\e is not an escape/],
    ["the escape \\e in a long string", { text: 'a = """x\n"" \\e"""' }, /line 2/],
    ["a time without seconds", { text: "a = [07:32]" }, /seconds/],
    ["a date and a time without seconds", { text: "a = 2026-01-02 07:32Z" }, /seconds/],
    ["a day that is none, in a list", { text: "a = [\n2026-02-28,\n2025-02-29 01:02:03]" }, /line 3/],
    ["a day that is none, in an inline table", { text: "a = {b = 'x', c = 2026-04-31T01:02:03Z}" }, /not a day/],
    ["two byte order marks", { file: file("\uFEFF\uFEFFa = 1") }, /two byte order marks/],
    ["UTF-16", { file: file([0xfe, 0xff, 0, 0x61, 0, 0x3d, 0, 0x31]) }, /UTF-8/],
    ["bytes that are not UTF-8", { file: file([0x23, 0xc3]) }, /UTF-8/],
  ])("refuses %s in TOML 1.0", async (_what, input, message) => {
    await expect(ask({ from: "toml", to: "json", ...input })).rejects.toMatchObject({
      status: 400,
      issues: [{ message: expect.stringMatching(message) }],
    });
  });

  test("takes what only looks like TOML 1.1", async () => {
    const text = [
      String.raw`"a\\xe" = '\x \e {,}' # {`,
      '2026-02-30 = """"07:32""\\"\n,}""""" # 07:32',
      "b = { 2026-02-30 = [ # 2026-02-30\n'07:32',\n], c = {} }\n[2026-02-31]\r\nd.2026-02-30 = '''\n2026-02-30'''",
      "e = [{ f = 24e0 }, {}, 2024-02-29,]",
    ].join("\n");
    expect(await valueFrom(text, { from: "toml" })).toEqual({
      "a\\xe": "\\x \\e {,}",
      "2026-02-30": '"07:32"""\n,}""',
      b: { "2026-02-30": ["07:32"], c: {} },
      "2026-02-31": { d: { "2026-02-30": "2026-02-30" }, e: [{ f: 24 }, {}, "2024-02-29"] },
    });
    expect(await valueFrom("\uFEFFa = 1", { from: "toml" })).toEqual({ a: 1 });
  });

  test.each<[string, Partial<Input>]>([
    ["text", { text: "" }],
    ["text of blanks", { text: " \n" }],
    ["file", { file: "" }],
  ])("takes an empty %s for an empty table of TOML, and for nothing else", async (_what, input) => {
    expect((await ask({ to: "json", from: "toml", ...input })).value).toEqual({});
    await expect(ask({ to: "json", from: "yaml", ...input })).rejects.toMatchObject({ status: 400 });
  });

  test.each([{}, { text: "", file: "YSA9IDE=" }])("refuses no document and two of TOML: %j", async (input) => {
    await expect(ask({ from: "toml", to: "json", ...input })).rejects.toMatchObject({ status: 400 });
  });

  test.each([
    ["rows", "- a\n".repeat(210_000), /1000000 marks and texts/],
    ["comments", "#\n".repeat(510_000), /1000000 marks and texts/],
    ["documents", "--- 1\n".repeat(10_001), /10000 documents/],
  ])("counts the %s of YAML before it reads them", async (_what, text, message) => {
    await expect(ask({ text, from: "yaml", to: "json" })).rejects.toMatchObject({
      status: 400,
      issues: [{ path: "text", message: expect.stringMatching(message) }],
    });
  });

  const list = (name: string, count: number) => `${name}: [${Array(count).fill("*a").join()}]\n`;
  test("counts the aliases of YAML, and what they repeat", async () => {
    const aliases = (count: number) => `a: &a 1\n${list("b", count)}`;
    const repeats = (values: number) => `a: &a [${Array(values).fill("1").join()}]\n${list("b", 100)}`;
    const refusal = (message: RegExp) => ({
      code: "RESULT_TOO_LARGE",
      issues: [{ path: "text", message: expect.stringMatching(message) }],
    });
    expect(await valueFrom(aliases(100), { from: "yaml" })).toEqual({ a: 1, b: Array(100).fill(1) });
    await expect(ask({ text: aliases(101), from: "yaml", to: "json" })).rejects.toMatchObject(
      refusal(/more than 100 aliases/),
    );
    expect(await valueFrom(repeats(990), { from: "yaml" })).toMatchObject({ b: { length: 100 } });
    await expect(ask({ text: repeats(1_000), from: "yaml", to: "json" })).rejects.toMatchObject(
      refusal(/repeats too much by aliases/),
    );
  });

  test("tells a text of dots from a key of TOML in one pass", async () => {
    expect(await ask({ text: "a.".repeat(1_000_000), to: "json" })).toMatchObject({ from: "yaml" });
    expect(await ask({ text: 'a . "b-c".d = 1', to: "json" })).toMatchObject({ from: "toml" });
  });

  test("costs more for a workbook", async () => {
    const quote = (input: Input) => dataConvert.quote(dataConvert.input.parse(input), {} as never);
    expect(await quote({ text: "a", to: "json" })).toBe(1000n);
    expect(await quote({ text: "a", to: "xlsx" })).toBe(2000n);
    expect(await quote({ file: "UEsDBBQ=", to: "json" })).toBe(2000n);
  });
});
