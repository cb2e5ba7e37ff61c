/** Cron expressions in words, by cronstrue. */
import { without } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { named } from "../../lib/packages/named.js";

export const CRONSTRUE_VERSION = "3.39.0";

export const LANGUAGES = [
  ...["af", "ar", "az", "be", "bg", "ca", "cs", "da", "de", "en", "es", "fa", "fi", "fr", "he", "hr", "hu", "id"],
  ...["it", "ja", "ko", "my", "nb", "nl", "nn", "pl", "pt_BR", "pt_PT", "ro", "ru", "sk", "sl", "sr", "sv", "sw"],
  ...["tg", "th", "tr", "uk", "vi", "zh_CN", "zh_TW"],
];

const USUAL: Record<string, string> = { no: "nb", pt: "pt_PT", zh: "zh_CN", zh_hans: "zh_CN", zh_hant: "zh_TW" };

/** A language by its tag: `pt-BR`, `zh`, `de-AT`; undefined for one that has no words here. */
export function readLanguage(tag: string): string | undefined {
  const name = tag.replaceAll("-", "_").toLowerCase();
  const find = (text: string) => USUAL[text] ?? LANGUAGES.find((language) => language.toLowerCase() === text);
  return find(name) ?? find(name.split("_")[0] ?? "");
}

const english = /* @__PURE__ */ lazy(() => import("cronstrue").catch(without("cronstrue")).then(named));
/** 200 kB of words, which English does not need. */
const allLanguages = /* @__PURE__ */ lazy(() => import("cronstrue/i18n.js").catch(without("cronstrue")).then(named));

/** Null if there are no words for it. */
export async function describeCron(
  expression: string,
  { language, isEither }: { language: string; isEither: boolean },
): Promise<string | null> {
  const { toString: describe } = language === "en" ? await english() : await allLanguages();
  try {
    const words = describe(expression, { locale: language, throwExceptionOnParseError: true });
    return language === "en" ? plainly(words, isEither) : words;
  } catch {
    return null;
  }
}

/** Says in English what runs: a day or a weekday each suffice, and a range of one hour ends with it. */
function plainly(words: string, isEither: boolean): string {
  const clear = words
    .replace(/ days in a month\b/g, " days")
    .replace(/\bon the hour\b/g, "at 0 minutes past the hour")
    .replace(/\bbetween (\d\d):00 (AM|PM) and \1:00 \2/g, "between $1:00 $2 and $1:59 $2");
  return isEither ? clear.replace(/, and on (?!.*, and on )/, ", or on ") : clear;
}
