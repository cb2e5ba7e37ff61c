/** OpenCC: Chinese text from one region's characters to another's. */
import { lazy } from "../../lib/lazy.js";

export const LOCALES = ["cn", "tw", "twp", "hk", "hkp", "t", "jp"] as const;
export type Locale = (typeof LOCALES)[number];

const opencc = lazy(() => import("opencc-js"));

/** At most one converter for each of the 42 pairs: building one takes up to a quarter of a second. */
const converters = new Map<string, (text: string) => string>();

/** The text as another region writes it; what is not Chinese stays as it is. */
export async function convertText(original: string, from: Locale, to: Locale): Promise<string> {
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
