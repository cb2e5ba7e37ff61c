/** Decides which IP addresses a caller's URL may lead to. */
import { BlockList, isIP, SocketAddress } from "node:net";
import { networkInterfaces } from "node:os";
import { once } from "../../lib/lazy.js";

/**
 * IANA's special-purpose IPv4 registry, multicast and above; the last one looks like a public address but belongs to
 * Azure.
 */
const SPECIAL_V4 = [
  "0.0.0.0/8", // this network, RFC 791
  "10.0.0.0/8", // private, RFC 1918
  "100.64.0.0/10", // shared by a provider's customers, RFC 6598
  "127.0.0.0/8", // loopback, RFC 1122
  "169.254.0.0/16", // link-local, RFC 3927; clouds serve their metadata there
  "172.16.0.0/12", // private, RFC 1918
  "192.0.0.0/24", // protocol assignments, RFC 6890
  "192.0.2.0/24", // documentation, RFC 5737
  "192.31.196.0/24", // AS112, RFC 7535
  "192.52.193.0/24", // AMT, RFC 7450
  "192.88.99.0/24", // 6to4 relays, RFC 7526
  "192.168.0.0/16", // private, RFC 1918
  "192.175.48.0/24", // AS112, RFC 7534
  "198.18.0.0/15", // benchmarks, RFC 2544
  "198.51.100.0/24", // documentation, RFC 5737
  "203.0.113.0/24", // documentation, RFC 5737
  "224.0.0.0/3", // multicast, reserved and broadcast, RFC 5771 and 1112
  "168.63.129.16/32", // WireServer, which hands out machine secrets
];

/** The only range allocated for global unicast so far (RFC 4291 section 2.4); everything else in IPv6 is special. */
const GLOBAL_V6 = ["2000::/3"];

const SPECIAL_V6 = [
  "2001::/23", // protocol assignments, RFC 2928: Teredo, benchmarks, ORCHID
  "2001:db8::/32", // documentation, RFC 3849
  "2002::/16", // 6to4, RFC 3056
  "2620:4f:8000::/48", // AS112, RFC 7534
  "3fff::/20", // documentation, RFC 9637
];

const specialV4 = once(() => rangesOf(SPECIAL_V4, "ipv4"));
const specialV6 = once(() => rangesOf(SPECIAL_V6, "ipv6"));
const globalV6 = once(() => rangesOf(GLOBAL_V6, "ipv6"));

function rangesOf(blocks: readonly string[], family: "ipv4" | "ipv6"): BlockList {
  const ranges = new BlockList();
  for (const block of blocks) {
    const [start = "", length] = block.split("/");
    ranges.addSubnet(start, Number(length), family);
  }
  return ranges;
}

/**
 * Whether an address belongs to the public internet and not to this machine. IPv6 with an embedded IPv4 address
 * (mapped, NAT64, 6to4, Teredo) never counts as public, because its translator decides where it leads.
 */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  // Resolvers' answers and URLs' hosts have no zone.
  if (version === 0 || address.includes("%")) return false;
  const isGlobal =
    version === 4
      ? !specialV4().check(address, "ipv4")
      : globalV6().check(address, "ipv6") && !specialV6().check(address, "ipv6");
  return isGlobal && !ownAddresses().has(spelled(address));
}

/** Interfaces come and go, so they are read each time. */
function ownAddresses(): Set<string> {
  const entries = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return new Set(entries.map(({ address }) => spelled(address)));
}

/** Canonical form of an address. */
function spelled(address: string): string {
  const [bare = ""] = address.split("%");
  return new SocketAddress({ address: bare, family: isIP(bare) === 6 ? "ipv6" : "ipv4" }).address;
}
