import { describe, expect, it } from "vitest";
import { chineseConvert } from "../../../src/capabilities/chinese/index.js";

const LOCALES = ["cn", "tw", "twp", "hk", "hkp", "t", "jp"] as const;
type Locale = (typeof LOCALES)[number];

async function convert(text: string, from: Locale, to: Locale) {
  const { items } = await chineseConvert({ text, from, to });
  return items[0]?.text;
}

describe("chinese.convert", () => {
  it("answers the text with what was asked", async () => {
    expect(await chineseConvert({ text: "汉字", from: "cn", to: "tw" })).toEqual({
      ok: true,
      items: [{ text: "漢字", original: "汉字", from: "cn", to: "tw", changed: true, length: 2 }],
      total: 1,
      source: { provider: "OpenCC (opencc-js)", url: "https://github.com/nk2028/opencc-js", license: "Apache-2.0" },
    });
  });

  const SIMPLIFIED = "汉语软件鼠标里面发展头发皇后后面";
  const TAIWAN = "漢語軟體滑鼠裡面發展頭髮皇后後面";
  it.each<[Locale, Locale, string, string]>([
    ["cn", "tw", SIMPLIFIED, "漢語軟件鼠標裡面發展頭髮皇后後面"],
    ["cn", "twp", SIMPLIFIED, TAIWAN],
    ["cn", "hk", SIMPLIFIED, "漢語軟件鼠標裏面發展頭髮皇后後面"],
    ["cn", "t", SIMPLIFIED, "漢語軟件鼠標裏面發展頭髮皇后後面"],
    ["cn", "jp", SIMPLIFIED, "漢語軟件鼠標裏面発展頭髪皇后後面"],
    ["cn", "hk", "计算机鼠标软件", "計算機鼠標軟件"],
    ["cn", "hkp", "计算机鼠标软件", "計算機滑鼠軟件"],
    ["hk", "cn", "計算機滑鼠軟件", "计算机滑鼠软件"],
    ["hkp", "cn", "計算機滑鼠軟件", "计算机鼠标软件"],
    ["twp", "cn", TAIWAN, SIMPLIFIED],
    ["tw", "cn", TAIWAN, "汉语软体滑鼠里面发展头发皇后后面"],
    ["t", "jp", TAIWAN, "漢語軟体滑鼠裡面発展頭髪皇后後面"],
  ])("converts %s to %s by phrase", async (from, to, text, expected) => {
    expect(await convert(text, from, to)).toBe(expected);
  });

  it("knows all forty-nine pairs", async () => {
    for (const from of LOCALES)
      for (const to of LOCALES) expect(await convert("一二三 abc", from, to)).toBe("一二三 abc");
  });

  it.each(LOCALES)("leaves a text alone that goes from %s to the same", async (locale) => {
    const { items } = await chineseConvert({ text: "發展裏裡髮", from: locale, to: locale });
    expect(items[0]).toMatchObject({ text: "發展裏裡髮", changed: false });
  });

  it("passes through what is not Chinese, names of object properties included", async () => {
    const text = "Hello, __proto__ constructor \n 123 😀";
    expect(await convert(text, "cn", "twp")).toBe(text);
  });

  it("RES-6 nested ideographic description operators end at once", async () => {
    expect(await convert(`${"⿰".repeat(4999)}汉`, "cn", "tw")).toBe(`${"⿰".repeat(4999)}漢`);
    expect(await convert("汉⿰木木语", "cn", "tw")).toBe("漢⿰木木語");
  });

  it("IN-10 counts characters beyond the BMP as one", async () => {
    const { items } = await chineseConvert({ text: "𠀀".repeat(5000), from: "cn", to: "tw" });
    expect(items[0]?.length).toBe(5000);
    await expect(chineseConvert({ text: "𠀀".repeat(5001), from: "cn", to: "tw" })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      issues: [{ path: "text" }],
    });
  });

  it.each([
    ["text", { from: "cn", to: "tw" }],
    ["text", { text: "", from: "cn", to: "tw" }],
    ["from", { text: "汉", from: "zh", to: "tw" }],
    ["to", { text: "汉", from: "cn", to: "__proto__" }],
    ["to", { text: "汉", from: "cn" }],
    ["mode", { text: "汉", from: "cn", to: "tw", mode: "x" }],
  ])("refuses a wrong %s", async (path, input) => {
    await expect(chineseConvert(input as never)).rejects.toMatchObject({ status: 400, issues: [{ path }] });
  });
});
