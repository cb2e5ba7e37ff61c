/** Paths of robots.txt: `*` stands for anything, `$` at the end for the end. No regular expressions, no recursion. */

/**
 * A pattern in the form in which octets are compared (RFC 9309, 2.2.2). A star and a last dollar sign keep their meaning; those
 * meant as they stand are `%2A` and `%24`, as addresses have them here.
 */
export function comparablePattern(pattern: string): string {
  const isAnchored = pattern.endsWith("$");
  const parts = (isAnchored ? pattern.slice(0, -1) : pattern).split("*");
  let query = false;
  const compared = parts.map((part) => {
    const mark = query ? 0 : part.indexOf("?");
    query ||= mark >= 0;
    return mark < 0
      ? comparable(part, false)
      : comparable(part.slice(0, mark), false) + comparable(part.slice(mark), true);
  });
  return compared.join("*") + (isAnchored ? "$" : "");
}

/** Path and query of a URL in the same form. */
export function pathOf(url: string): string {
  const [, rest = ""] = /^[a-z][a-z0-9+.-]*:\/\/[^/?;#]*([^#]*)/i.exec(url) ?? [];
  const path = rest.startsWith("/") ? rest : `/${rest}`;
  const mark = path.indexOf("?");
  return mark < 0
    ? comparable(path, false)
    : comparable(path.slice(0, mark), false) + comparable(path.slice(mark), true);
}

/** Letters, digits and four signs are the same whether they were escaped or not, and stand for themselves. */
const UNRESERVED = /^[\w.~-]$/;

/**
 * Every octet that is not unreserved is escaped, but for what divides an address: whether a slash of a path, or a sign between a
 * query's parameters, is escaped makes a difference. Within a query a slash divides nothing.
 */
function comparable(text: string, isQuery: boolean): string {
  return text
    .replace(/[^\0-\x7f]+/g, (letters) => encodeURI(letters.toWellFormed()))
    .replace(/%[0-9a-f]{2}|[^\w.~/?=&-]/gi, (sign) => {
      const letter = sign.length === 3 ? String.fromCharCode(Number.parseInt(sign.slice(1), 16)) : sign;
      if (UNRESERVED.test(letter) || (isQuery && /[/?]/.test(letter))) return letter;
      return `%${letter.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
    });
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
