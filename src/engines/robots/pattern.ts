/** Paths of robots.txt: `*` stands for anything, `$` at the end for the end. No regular expressions, no recursion. */

/** A pattern in the form of URLs: letters beyond ASCII and escapes as `%XX` in upper case. */
export const escapedPattern = (pattern: string): string =>
  pattern
    .replace(/[^\0-\x7f]+/g, (letters) => encodeURI(letters.toWellFormed()))
    .replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase());

/** Path and query of a URL, as it was written. */
export function pathOf(url: string): string {
  const [, rest = ""] = /^[a-z][a-z0-9+.-]*:\/\/[^/?;#]*([^#]*)/i.exec(url) ?? [];
  const path = rest.startsWith("/") ? rest : `/${rest}`;
  return path.replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase());
}

/**
 * Whether a pattern describes the beginning of a path. The place where the text between two stars is first found is as good
 * as any later one, so nothing is tried twice.
 */
export function matches(path: string, pattern: string): boolean {
  const isAnchored = pattern.endsWith("$");
  const [first = "", ...parts] = (isAnchored ? pattern.slice(0, -1) : pattern).split(/\*+/);
  if (!path.startsWith(first)) return false;
  let at = first.length;
  const last = isAnchored ? parts.pop() : undefined;
  for (const part of parts) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  if (!isAnchored) return true;
  return last === undefined ? at === path.length : path.length - last.length >= at && path.endsWith(last);
}
