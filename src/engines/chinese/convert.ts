/** OpenCC: converts Chinese text between regional characters. */
import { lazy } from "../../lib/lazy.js";

export const LOCALES = ["cn", "tw", "twp", "hk", "hkp", "t", "jp"] as const;
export type Locale = (typeof LOCALES)[number];

/** Its parts, because the build packs dictionaries only where each is a file. */
const opencc = lazy(async () => {
  const [{ ConverterBuilder }, preset] = await Promise.all([import("opencc-js/core"), import("opencc-js/preset")]);
  return ConverterBuilder(preset);
});

/** At most one converter for each of the 42 pairs, because building one takes up to a quarter of a second. */
const converters = new Map<string, (text: string) => string>();

/** The text in another region's characters; other text stays unchanged. */
export async function convertText(original: string, from: Locale, to: Locale): Promise<string> {
  const converted = await convertCommon(original, from, to);
  if (to !== "cn" || from === "cn") return converted;
  const rare = await rareCharacters();
  return converted.replace(rare.pattern, (character) => rare.simplified.get(character) ?? character);
}

/** The same without the rare forms, which dictionaries of readings do not have. */
export async function convertCommon(original: string, from: Locale, to: Locale): Promise<string> {
  // The library would still change some characters through its pivot (jp to jp: 發 to 発).
  if (from === to) return original;
  const Converter = await opencc();
  const key = `${from}-${to}`;
  const convert = converters.get(key) ?? Converter({ from, to });
  converters.set(key, convert);
  return original.split(DESCRIPTION_OPERATOR).map(convert).join("");
}

/** Traditional characters whose simplified form the library leaves out. */
const rareCharacters = lazy(async () => {
  const characters = [...(await import("./rare-characters.js")).RARE_CHARACTERS];
  const simplified = new Map<string, string>();
  for (let at = 0; at < characters.length; at += 2) simplified.set(characters[at] ?? "", characters[at + 1] ?? "");
  return { simplified, pattern: new RegExp(`[${[...simplified.keys()].join("")}]`, "gu") };
});

/**
 * The operators of ideographic descriptions (⿰ and others). The library parses nested descriptions in exponential time,
 * so a hundred operators would never end; they are removed before.
 */
const DESCRIPTION_OPERATOR = /([\u2ff0-\u2fff])/;
