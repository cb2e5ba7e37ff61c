import { existsSync, readFileSync } from "node:fs";
import { jsonrepair } from "jsonrepair";
import { describe, expect, test } from "vitest";
import { jsonRepair } from "../../../src/capabilities/json/index.js";
import { repair as repairHere } from "../../../src/engines/json/repair.js";
import { Output } from "../../../src/engines/json/repairing/output.js";
import { repairText } from "../../../src/engines/json/repairing/repair-text.js";
import { changesOf, MAX_COMPARED } from "../../../src/engines/json/text-changes.js";
import { Random } from "../../simulator/random.js";
import { pathFromRoot } from "../../support/render-indexes.js";

const repair = async (text: string) => {
  const item = (await jsonRepair({ text })).items[0];
  if (!item) throw new Error("no item");
  return item;
};

describe("json.repair", () => {
  test("repairs and tells each change", async () => {
    const item = await repair("{name: 'Tea', ok: True,}");
    expect(item).toMatchObject({
      value: { name: "Tea", ok: true },
      json: '{"name":"Tea","ok":true}',
      changed: true,
      certain: true,
    });
    expect(item.changes.map(({ position, kind }) => [position, kind])).toEqual([
      [1, "quotes"],
      [5, "quotes"],
      [7, "quotes"],
      [11, "quotes"],
      [14, "quotes"],
      [16, "quotes"],
      [18, "constant"],
      [22, "trailing-comma"],
    ]);
  });

  test("leaves valid JSON alone, with every digit", async () => {
    expect(await repair(' {"a": 12345678901234567890.10}')).toEqual({
      value: { a: "12345678901234567890.10" },
      json: '{"a":12345678901234567890.10}',
      changed: false,
      changes: [],
      certain: true,
    });
  });

  test.each([
    ['```json\n{"a": 1}\n```', { a: 1 }],
    ["Here is your JSON:\n```json\n{'a': 1}\n```\nEnjoy!", { a: 1 }],
    ["Sure! {a: 1}", { a: 1 }],
    ['{"a": 1, // one\n"b": 2}', { a: 1, b: 2 }],
    ['{“a”: "b"}', { a: "b" }],
    ['{"a": "b"', { a: "b" }],
    ["[1, 2, 3, ...]", [1, 2, 3]],
  ])("reads %j", async (text, value) => expect((await repair(text)).value).toEqual(value));

  test.each(['{"a": [1, 2', '{"a": "b", "c', '{"a": 1 "b": 2}', '{"a": 1, "a": 2}', "[1, 2"])(
    "is not certain of %j",
    async (text) => expect(await repair(text)).toMatchObject({ changed: true, certain: false }),
  );

  test("treats __proto__ as a name", async () => {
    const { value } = await repair("{__proto__: {a: 1}}");
    expect(Object.keys(value as object)).toEqual(["__proto__"]);
    expect({}).not.toHaveProperty("a");
  });

  test.each([
    ["", /1 to 1000000/],
    [" \n", /blank/],
    ["[".repeat(50_000), /levels|nested|deep/],
    ['{"a":}:]]{', /cannot be repaired/],
  ])("refuses %.20j", async (text, message) => {
    await expect(repair(text)).rejects.toMatchObject({
      status: 400,
      issues: [{ path: "text", message: expect.stringMatching(message) }],
    });
  });

  test("ends on large broken texts", async () => {
    for (const part of ['{"a":', "'", "[1,", '"\\', "{a:b,", "/*", "```"])
      await jsonRepair({ text: part.repeat(Math.floor(200_000 / part.length)) }).catch(({ status }) =>
        expect(status).toBe(400),
      );
  });
});

/** Each was read in minutes by rules that copy what is written for every comma, or read on from every quote. */
describe("repairs of hostile texts end by themselves", () => {
  test.each([
    ["a list without commas", `[${"1 ".repeat(50_000)}]`],
    ["JSON Lines", '{"a":1}\n'.repeat(15_000)],
    ["an object without commas", `{${"a:1 ".repeat(25_000)}}`],
    ["quotes within a text", `["${'a"b'.repeat(40_000)}"]`],
    ["a fence before blanks", `\`\`\`${" ".repeat(400_000)}\` x`],
    ["closing brackets", `[1${"}".repeat(400_000)}x`],
  ])("%s", (_, text) => {
    expect(repairHere(text).changed).toBe(true);
  });

  test("quotes that close nowhere are refused before they are read from each of them", () => {
    expect(() => repairHere(`[${"'a'b".repeat(40_000)},`)).toThrow(/opens too many quotes/);
  });

  test("a missing comma costs the same wherever it stands", () => {
    const output = new Output();
    for (let i = 0; i < 50_000; i++) {
      output.push("1");
      output.pushBlank(" ");
      output.insertBeforeBlank(",");
    }
    output.dropComma();
    expect(output.toString()).toHaveLength(50_000 * 3 - 1);
  });

  test("texts that never agree are compared a bounded number of times", () => {
    const parts = Array.from({ length: 900 }, (_, i) => `same part ${i} `);
    const changes = changesOf(parts.join("x".repeat(195)), parts.join("y".repeat(195)));
    // A gap of 195 signs on both sides costs 76,000 comparisons; when they are used up, the rest is one change.
    expect(changes.length).toBeLessThan(MAX_COMPARED / 70_000);
    expect(changes.at(-1)?.position).toBeLessThan(20_000);
  });
});

const PIECES = [
  ..."{}[],:'\"\\-+ \n\t",
  "\\u00e9",
  "null",
  "1e9",
  "```json",
  "```",
  "a",
  "“",
  "‘",
  "&quot;",
  "...",
  "f(",
  ")",
  ".5",
  "00",
  "True",
  '"a": "b"',
  ",\n",
];

test("repairs random texts as jsonrepair does", () => {
  const random = new Random(7);
  const attempt = (text: string, repairWith: (text: string) => string): unknown => {
    try {
      return JSON.parse(repairWith(text));
    } catch {
      return "refused";
    }
  };
  for (let i = 0; i < 3_000; i++) {
    const text = Array.from({ length: random.int(1, 12) }, () => random.pick(PIECES)).join("");
    expect({ text, value: attempt(text, repairText) }).toEqual({ text, value: attempt(text, jsonrepair) });
  }
});

const SUITE = pathFromRoot("../shared/beyond/json-repair.json");
test.skipIf(!existsSync(SUITE))("reads at least 108 of json_repair's 189 as it does", async () => {
  const cases: { input: string; expected: unknown }[] = JSON.parse(readFileSync(SUITE, "utf8"));
  let same = 0;
  for (const { input, expected } of cases) {
    const item = await repair(input).catch(({ status }) => void expect(status).toBe(400));
    if (item && JSON.stringify(item.value) === JSON.stringify(expected)) same++;
  }
  expect(same).toBeGreaterThanOrEqual(108);
});
