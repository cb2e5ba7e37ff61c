/** A Host header as RFC 9110 has it: a name or address and perhaps a port. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/**
 * The URL of a request, from its parts; undefined where they make none. The host is a caller's text, and one such as
 * `example.com/paid?` would move the path, so it is checked before the parts are joined.
 */
export function joinUrl(protocol: "http" | "https", host: string, target: string): URL | undefined {
  if (!HOST.test(host) || !target.startsWith("/")) return undefined;
  const url = `${protocol}://${host}${target}`;
  return URL.canParse(url) ? new URL(url) : undefined;
}
