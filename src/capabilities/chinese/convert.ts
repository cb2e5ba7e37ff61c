import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { codePoints, text } from "../../capability/fields.js";
import { one } from "../../capability/output.js";
import { LOCALES } from "../../engines/chinese/convert.js";
import { lazy } from "../../lib/lazy.js";

const locale = () => z.enum(LOCALES);
const LOCALE_NAMES =
  "cn (mainland simplified), tw (Taiwan characters), twp (Taiwan characters and phrases), " +
  "hk (Hong Kong characters), hkp (Hong Kong characters and phrases), t (OpenCC's traditional standard) or jp (Japanese shinjitai)";

const workers = /* @__PURE__ */ lazy(() => import("../../engines/worker-tasks/pool.js"));
/** Longer texts are converted in a thread. */
const SMALL = 600;

export const chineseConvert = /* @__PURE__ */ defineCapability({
  id: "chinese.convert",
  summary: "Convert Chinese text between simplified, traditional, Taiwan, Hong Kong and Japanese characters.",
  keywords: [
    "simplified to traditional",
    "traditional to simplified",
    "opencc",
    "mandarin",
    "hanzi",
    "kanji",
    "script",
  ],
  price: "0.001",
  source: { provider: "OpenCC (opencc-js)", url: "https://github.com/nk2028/opencc-js", license: "Apache-2.0" },
  input: () =>
    z.strictObject({
      text: text(1, 5000).describe("The text to convert; what is not Chinese stays as it is"),
      from: locale().describe(`What it is written in: ${LOCALE_NAMES}`),
      to: locale().describe("What to write it in: one of the same names"),
    }),
  output: one(() =>
    z.object({
      text: z.string().describe("The converted text"),
      original: z.string(),
      from: locale(),
      to: locale(),
      changed: z.boolean(),
      length: z.int().describe("Characters (code points) of the original"),
    }),
  ),
  example: { text: "汉语软件", from: "cn", to: "twp" },
  async run({ text: original, from, to }, ctx) {
    const { runInWorker } = await workers();
    const options = { field: "text", isSmall: original.length <= SMALL };
    const converted = await runInWorker(ctx, "chinese.convert", { text: original, from, to }, options);
    const changed = converted !== original;
    return { item: { text: converted, original, from, to, changed, length: codePoints(original) } };
  },
});
