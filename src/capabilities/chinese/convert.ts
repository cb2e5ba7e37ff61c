import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { codePoints, text } from "../../capability/fields.js";
import { one } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";

const LOCALES = ["cn", "tw", "twp", "hk", "t", "jp"] as const;
type Locale = (typeof LOCALES)[number];

const locale = z.enum(LOCALES);
const LOCALE_NAMES =
  "cn (mainland simplified), tw (Taiwan characters), twp (Taiwan characters and phrases), " +
  "hk (Hong Kong), t (OpenCC's traditional standard) or jp (Japanese shinjitai)";

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
      from: locale.describe(`What it is written in: ${LOCALE_NAMES}`),
      to: locale.describe("What to write it in: one of the same names"),
    }),
  output: one(() =>
    z.object({
      text: z.string().describe("The converted text"),
      original: z.string(),
      from: locale,
      to: locale,
      changed: z.boolean(),
      length: z.int().describe("Characters (code points) of the original"),
    }),
  ),
  example: { text: "汉语软件", from: "cn", to: "twp" },
  async run({ text: original, from, to }) {
    const converted = await convertText(original, from, to);
    const changed = converted !== original;
    return { item: { text: converted, original, from, to, changed, length: codePoints(original) } };
  },
});

const opencc = lazy(() => import("opencc-js"));

/** At most one converter for each of the 30 pairs: building one takes up to a quarter of a second. */
const converters = new Map<string, (text: string) => string>();

async function convertText(original: string, from: Locale, to: Locale): Promise<string> {
  // The library would still rewrite some characters on the way through its pivot (jp to jp: 發 to 発).
  if (from === to) return original;
  const { Converter } = await opencc();
  const key = `${from}-${to}`;
  const convert = converters.get(key) ?? Converter({ from, to });
  converters.set(key, convert);
  return original.split(DESCRIPTION_OPERATOR).map(convert).join("");
}

/**
 * The operators of ideographic descriptions (⿰ and its like). The library looks for nested descriptions in
 * exponential time, so that a hundred operators would never end; it never gets to see one.
 */
const DESCRIPTION_OPERATOR = /([\u2ff0-\u2fff])/;
