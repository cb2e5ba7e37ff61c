/** A domain taken apart: suffix, what was registered, and what stands before. */
import { readDomain } from "./domain-name.js";
import { publicSuffixOf } from "./public-suffix.js";

export { PUBLIC_SUFFIX_DATE } from "./public-suffix.js";

export interface SuffixInfo {
  ascii: string;
  unicode: string;
  suffix: string | null;
  suffixKind: "icann" | "private" | null;
  registrable: string | null;
  subdomain: string | null;
  tld: string;
  idn: boolean;
}

/** Parts are in the form in which the name was written. Other texts give what is wrong with them. */
export function suffixInfo(text: string): SuffixInfo | string {
  const isPart = text.trim().startsWith(".");
  const name = readDomain(isPart ? text.trim().slice(1) : text);
  if (typeof name === "string") return name;
  const { ascii, unicode, idn } = name;
  const labels = (/[^\x21-\x7e]/.test(text) ? unicode : ascii).split(".");
  const whole = { ascii: isPart ? `.${ascii}` : ascii, unicode: isPart ? `.${unicode}` : unicode };
  const tld = labels.at(-1) ?? "";
  // A name that begins with a dot means all that ends so, and nobody has that.
  if (isPart) return { ...whole, suffix: null, suffixKind: null, registrable: null, subdomain: null, tld, idn };
  const { labels: count, kind } = publicSuffixOf(ascii);
  const isSuffix = labels.length <= count;
  return {
    ...whole,
    suffix: labels.slice(-count).join("."),
    suffixKind: kind,
    registrable: isSuffix ? null : labels.slice(-count - 1).join("."),
    subdomain: labels.slice(0, -count - 1).join(".") || null,
    tld,
    idn,
  };
}
