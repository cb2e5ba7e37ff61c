import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { dataConvert } from "../../../src/capabilities/data/index.js";

const yamlOf = async (value: unknown) =>
  (await dataConvert({ text: JSON.stringify(value), from: "json", to: "yaml" })).items[0]?.text ?? "";

/** Of YAML 1.1: words, numbers of every base, hours and minutes, days and times, and marks. */
const CHANGED = [
  ..."y Y n N yes Yes YES no No NO on On ON off Off OFF true True FALSE null Null ~ = << .inf -.Inf +.INF .nan .NaN".split(
    " ",
  ),
  ..."0 007 0777 0o7 0x1F 0b101 1_000 1,000 1e3 1E+3 1.5e-3 1. .5 +1 -1 . 1.2.3 12:30 01:30 190:20:30 1:2.5".split(" "),
  ..."2026-01-01 2026-1-1 2026-01-01T10:00:00Z 2001-12-14t21:59:43.10-05:00 :symbol".split(" "),
  ...[
    "",
    "2026-01-01 10:00:00",
    "2001-12-14 21:59:43.10 -5",
    "a\tb",
    "a\u2028b",
    "a\u0085b",
    "a\u007f",
    "\ufeffa",
    " \n",
    "a\r\nb",
  ],
];

describe("YAML for readers of 1.1", () => {
  test.each(CHANGED)("%j is quoted, as a value and as a key", async (text) => {
    expect(await yamlOf([text])).toMatch(/^- "[ -~]*"\n$/);
    expect(await yamlOf({ [text]: 1 })).toMatch(/^"[ -~]*": 1\n$/);
  });

  test.each([
    "yesterday",
    "a: b".slice(0, 1),
    "10 km",
    "v1.2",
    "a=b",
    "no-one",
    "12:30 p.m.",
    "2026-01",
    "x << y",
    "+49 30 123",
  ])("%j stays plain", async (text) => {
    expect(await yamlOf([text])).toBe(`- ${text}\n`);
  });

  test("numbers keep a point and a sign where a power of ten stands", async () => {
    const text = "[1e21,1.5e-7,123456789012345678901,1E400,-2e-10,0.1]";
    const { items } = await dataConvert({ text, from: "json", to: "yaml" });
    expect(items[0]?.text).toBe("- 1.0e+21\n- 1.5e-7\n- 123456789012345678901\n- 1.0e+400\n- -2.0e-10\n- 0.1\n");
  });

  test("thousands of texts are read by 1.1 and 1.2 as they were", async () => {
    const signs = [..."019_.:-+exoaTZ~=<y#'\"\\,|>?!&*%@{[ \t\né😀\u0085"];
    let state = 7;
    const random = (below: number) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % below;
    };
    const texts = Array.from({ length: 6_000 }, () =>
      Array.from({ length: 1 + random(8) }, () => signs[random(signs.length)]).join(""),
    );
    const all = [...CHANGED, ...texts, ...CHANGED.flatMap((text) => [`${text} `, ` ${text}`, `${text}\n`, `${text}:`])];
    const yaml = await yamlOf(all);
    expect(parse(yaml, { version: "1.1" })).toEqual(all);
    expect(parse(yaml)).toEqual(all);
  });
});
