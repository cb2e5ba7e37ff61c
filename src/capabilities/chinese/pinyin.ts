import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { codePoints, text } from "../../capability/fields.js";
import { one } from "../../capability/output.js";
import { TONES } from "../../engines/chinese/pinyin.js";
import { lazy } from "../../lib/lazy.js";

const workers = /* @__PURE__ */ lazy(() => import("../../engines/worker-tasks/pool.js"));
/** Longer texts are read in a thread. */
const SMALL = 200;

export const chinesePinyin = /* @__PURE__ */ defineCapability({
  id: "chinese.pinyin",
  summary: "Write Chinese text in pinyin with tone marks, tone numbers or no tones, whole and syllable by syllable.",
  keywords: ["romanize", "romanization", "transliterate", "pronounce", "pronunciation", "hanzi", "mandarin", "latin"],
  price: "0.001",
  source: { provider: "pinyin-pro", url: "https://github.com/zh-lx/pinyin-pro", license: "MIT" },
  input: () =>
    z.strictObject({
      text: text(1, 2000).describe("The text to read, simplified or traditional; what is not Chinese stays as it is"),
      tone: z.enum(TONES).default("symbol").describe("How to write tones: symbol (hàn), num (han4) or none (han)"),
      segmented: z.boolean().default(false).describe("Join the syllables of a word, and list the words"),
    }),
  output: one(() =>
    z.object({
      text: z.string(),
      pinyin: z.string().describe("The whole text, syllables (or words, when segmented) divided by spaces"),
      syllables: z
        .array(
          z.object({
            char: z.string(),
            pinyin: z.string(),
            tone: z.int().describe("1 to 4, 0 for the neutral tone"),
            isChinese: z.boolean(),
          }),
        )
        .describe("One row a Chinese character"),
      words: z
        .array(z.object({ word: z.string(), pinyin: z.string() }))
        .optional()
        .describe("One row a Chinese word, when segmented"),
      tone: z.enum(TONES),
      segmented: z.boolean(),
      length: z.int().describe("Characters (code points) of the text"),
    }),
  ),
  example: { text: "重庆银行", segmented: true },
  async run({ text, tone, segmented }, ctx) {
    const { runInWorker } = await workers();
    const options = { field: "text", isSmall: text.length <= SMALL };
    const { pinyin, syllables, words } = await runInWorker(ctx, "chinese.pinyin", { text, tone, segmented }, options);
    return {
      item: {
        text,
        pinyin,
        ...words,
        syllables: syllables.map((syllable) => ({ ...syllable, isChinese: true })),
        tone,
        segmented,
        length: codePoints(text),
      },
    };
  },
});
