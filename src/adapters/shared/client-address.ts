import { isIP, isIPv4, SocketAddress } from "node:net";

/** Canonical form of an address: without port and zone id, an IPv4-mapped IPv6 address as its IPv4. */
export function normalizeAddress(address: string | undefined): string | undefined {
  // The common forms need no parsing.
  const usual = address?.startsWith("::ffff:") ? address.slice("::ffff:".length) : address;
  if (usual !== undefined && isIPv4(usual)) return usual;
  if (!usual) return undefined;
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
