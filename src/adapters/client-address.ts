/** Who is calling: the address that the free trial is counted by, so a caller must not be able to choose it. */
import { isIP, SocketAddress } from "node:net";

export interface ProxyOptions {
  /**
   * How many proxies of the host's own stand in front. Each appends the address that it was called from to
   * X-Forwarded-For, so the caller is the entry this many from the right. Default 0: no header is believed.
   */
  trustProxyHops?: number;
}

/** From the connection's address and the X-Forwarded-For header to the caller's address, where there is a usable one. */
export type AddressReader = (connection: string | undefined, forwardedFor?: string | null) => string | undefined;

/** Throws a RangeError for a hop count that is no count: `true`, as Express takes it, would trust what callers write. */
export function createAddressReader({ trustProxyHops = 0 }: ProxyOptions = {}): AddressReader {
  if (!Number.isSafeInteger(trustProxyHops) || trustProxyHops < 0)
    throw new RangeError("trustProxyHops must be the number of proxies in front of this server, such as 1.");
  return (connection, forwardedFor) => {
    const own = normalizeAddress(connection);
    if (trustProxyHops === 0 || !forwardedFor) return own;
    return normalizeAddress(forwardedFor.split(",").at(-trustProxyHops)) ?? own;
  };
}

/** One spelling per address: no port, no zone id, an IPv4-mapped IPv6 address as its IPv4. */
export function normalizeAddress(address: string | undefined): string | undefined {
  const [bare = ""] = withoutPort(address?.trim() ?? "").split("%");
  const version = isIP(bare);
  if (version === 0) return undefined;
  const { address: spelled } = new SocketAddress({ address: bare, family: version === 6 ? "ipv6" : "ipv4" });
  const mapped = spelled.replace(/^::ffff:/, "");
  return isIP(mapped) === 4 ? mapped : spelled;
}

/** Some proxies write the port too: 192.0.2.1:4711 or [2001:db8::1]:4711. */
function withoutPort(entry: string): string {
  const match = /^\[([^\]]*)\](?::\d+)?$/.exec(entry) ?? /^([\d.]+):\d+$/.exec(entry);
  return match?.[1] ?? entry;
}
