/** The lines of a robots.txt (RFC 9309), with what Google's reader forgives. */

const MAX_LINE_LENGTH = 16_000;

export type Directive = "user-agent" | "allow" | "disallow" | "sitemap" | "crawl-delay";

export interface RobotsLine {
  /** From 1. */
  number: number;
  key: Directive;
  value: string;
  /** As it was written, without its comment. */
  text: string;
}

/** Beginnings of keys, misspelled ones too. */
const KEYS: readonly [Directive, readonly string[]][] = [
  ["user-agent", ["user-agent", "useragent", "user agent"]],
  ["allow", ["allow"]],
  ["disallow", ["disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"]],
  ["sitemap", ["sitemap", "site-map"]],
  ["crawl-delay", ["crawl-delay", "crawldelay"]],
];

export function* robotsLines(robots: string): Generator<RobotsLine> {
  const lines = robots.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
  for (const [place, line] of lines.entries()) {
    const text = (line.slice(0, MAX_LINE_LENGTH).split("#", 1)[0] ?? "").trim();
    const [name, value] = text === "" ? [] : keyAndValue(text);
    const key = name === undefined ? undefined : directiveOf(name.toLowerCase());
    if (key && value !== undefined) yield { number: place + 1, key, value, text };
  }
}

function keyAndValue(text: string): string[] {
  const colon = text.indexOf(":");
  if (colon >= 0) return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
  // Some forget the colon: a blank is taken for it where there are two words.
  const words = text.split(/[ \t]+/, 3);
  return words.length === 2 ? words : [];
}

const directiveOf = (name: string): Directive | undefined =>
  KEYS.find(([, beginnings]) => beginnings.some((beginning) => name.startsWith(beginning)))?.[0];
