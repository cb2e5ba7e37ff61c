/** A Host header as RFC 9110 has it: a name or address and perhaps a port. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** The host is a caller's text, and one such as `example.com/paid?` would move the path. */
export const isHost = (text: string): boolean => HOST.test(text);

/** The URL of a request, from its parts; undefined where they make none. */
export function joinUrl(protocol: "http" | "https", host: string, target: string): URL | undefined {
  if (!isHost(host) || !target.startsWith("/")) return undefined;
  try {
    return new URL(`${protocol}://${host}${target}`);
  } catch {
    return undefined;
  }
}
