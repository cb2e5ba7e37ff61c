/** A Host header of RFC 9110: a name or address, perhaps with a port. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** The host comes from the caller, and one such as `example.com/paid?` would change the path. */
export const isHost = (text: string): boolean => HOST.test(text);

/** The URL of a request, from its parts; undefined if they are invalid. */
export function joinUrl(protocol: "http" | "https", host: string, target: string): URL | undefined {
  if (!isHost(host) || !target.startsWith("/")) return undefined;
  try {
    return new URL(`${protocol}://${host}${target}`);
  } catch {
    return undefined;
  }
}
