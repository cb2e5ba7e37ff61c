import { describe, expect, it } from "vitest";
import { chinesePinyin } from "../../../src/capabilities/chinese/index.js";

type Tone = "symbol" | "num" | "none";

async function read(text: string, options: { tone?: Tone; segmented?: boolean } = {}) {
  const { items } = await chinesePinyin({ text, ...options });
  return items[0];
}

describe("chinese.pinyin", () => {
  it("reads a text, whole and by syllable", async () => {
    expect(await chinesePinyin({ text: "汉语a" })).toEqual({
      ok: true,
      items: [
        {
          text: "汉语a",
          pinyin: "hàn yǔ a",
          syllables: [
            { char: "汉", pinyin: "hàn", tone: 4, isChinese: true },
            { char: "语", pinyin: "yǔ", tone: 3, isChinese: true },
          ],
          tone: "symbol",
          segmented: false,
          length: 3,
        },
      ],
      total: 1,
      source: { provider: "pinyin-pro", url: "https://github.com/zh-lx/pinyin-pro", license: "MIT" },
    });
  });

  it.each<[string, Tone, string]>([
    ["汉语拼音", "symbol", "hàn yǔ pīn yīn"],
    ["汉语拼音", "num", "han4 yu3 pin1 yin1"],
    ["汉语拼音", "none", "han yu pin yin"],
    ["重庆银行", "symbol", "chóng qìng yín háng"],
    ["發展頭髮", "symbol", "fā zhǎn tóu fa"],
    ["绿女略", "none", "lü nü lüe"],
    ["一个 不是", "symbol", "yí gè bú shì"],
    ["hello 世界", "symbol", "hello shì jiè"],
    ["A股  constructor", "num", "A gu3 constructor"],
    ["𠀀", "symbol", "𠀀"],
    ["吗", "num", "ma0"],
    ["重慶銀行", "symbol", "chóng qìng yín háng"],
    ["音樂、汽車", "symbol", "yīn yuè 、 qì chē"],
    ["由於甚麼", "symbol", "yóu yú shén me"],
    ["乾隆把頭髮弄乾淨了", "symbol", "qián lóng bǎ tóu fa nòng gān jìng le"],
    ["著名作家看著我", "symbol", "zhù míng zuò jiā kàn zhe wǒ"],
    ["处长 處長", "symbol", "chù zhǎng chù zhǎng"],
    ["台州 臺州", "symbol", "tāi zhōu tāi zhōu"],
    ["尉迟恭 尉遲恭", "symbol", "yù chí gōng yù chí gōng"],
    ["一丘之貉", "symbol", "yì qiū zhī hé"],
    ["𠀀重慶a𠀀", "num", "𠀀 chong2 qing4 a𠀀"],
  ])("reads %s with %s as %s", async (text, tone, expected) => {
    expect((await read(text, { tone }))?.pinyin).toBe(expected);
  });

  it("gives each syllable its tone, whatever is written", async () => {
    const item = await read("妈麻马骂吗", { tone: "none" });
    expect(item?.syllables.map(({ pinyin, tone }) => `${pinyin}${tone}`)).toEqual(["ma1", "ma2", "ma3", "ma4", "ma0"]);
  });

  it("joins the syllables of a word when segmented", async () => {
    const item = await read("重庆银行，hello 你好", { segmented: true });
    expect(item?.pinyin).toMatch(/^chóngqìng yínháng ，hello nǐ ?hǎo$/);
    expect(item?.words?.slice(0, 2)).toEqual([
      { word: "重庆", pinyin: "chóngqìng" },
      { word: "银行", pinyin: "yínháng" },
    ]);
    expect(item?.words?.map(({ word }) => word).join("")).toBe("重庆银行你好");
    expect(item?.syllables).toHaveLength(6);
  });

  it("gives each syllable and word in the text's own characters", async () => {
    const item = await read("重慶銀行𠀀音樂", { segmented: true });
    expect(item?.syllables.map(({ char }) => char).join("")).toBe("重慶銀行音樂");
    expect(item?.words).toEqual([
      { word: "重慶", pinyin: "chóngqìng" },
      { word: "銀行", pinyin: "yínháng" },
      { word: "音樂", pinyin: "yīnyuè" },
    ]);
  });

  it("RES-6 nested ideographic description operators end at once", async () => {
    expect((await read(`${"⿰".repeat(1998)}重慶`))?.syllables).toHaveLength(2);
  });

  it("reads a text without Chinese as itself", async () => {
    expect(await read("toString", { segmented: true })).toMatchObject({ pinyin: "toString", syllables: [], words: [] });
  });

  it("IN-10 takes 2000 characters and not one more", async () => {
    expect((await read("重".repeat(2000), { segmented: true }))?.length).toBe(2000);
    expect((await read("𠀀".repeat(2000)))?.length).toBe(2000);
    await expect(read("重".repeat(2001))).rejects.toMatchObject({ status: 400, issues: [{ path: "text" }] });
  });

  it.each([
    ["tone", { text: "汉", tone: "diacritic" }],
    ["segmented", { text: "汉", segmented: "maybe" }],
    ["text", {}],
  ])("refuses a wrong %s", async (path, input) => {
    await expect(chinesePinyin(input as never)).rejects.toMatchObject({ status: 400, issues: [{ path }] });
  });
});
