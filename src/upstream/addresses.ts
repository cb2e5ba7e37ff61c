/** Which IP addresses a caller's URL may lead to. */
import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";

/** Answer like public addresses but serve the host they run on: Azure's WireServer hands out machine secrets. */
const DENIED = new Set(["168.63.129.16"]);

/** What IANA has handed out for global unicast so far (RFC 4291 section 2.4). */
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Whether an address belongs to the public internet and not to this machine. IPv6 that carries an IPv4 address inside
 * (mapped, NAT64, 6to4, Teredo) is never public here: what it leads to is the translator's decision.
 */
export function isPublicAddress(address: string): boolean {
  // ipaddr.js also reads "127.1" and zone ids; a resolver's answer or a URL's host has neither.
  if (isIP(address) === 0 || address.includes("%")) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(GLOBAL_UNICAST_V6)) return false;
  const normalized = parsed.toNormalizedString();
  return !DENIED.has(normalized) && !ownAddresses().has(normalized);
}

/** Interfaces come and go, so they are read each time. */
function ownAddresses(): Set<string> {
  const entries = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return new Set(entries.map(({ address }) => ipaddr.parse(address).toNormalizedString()));
}
