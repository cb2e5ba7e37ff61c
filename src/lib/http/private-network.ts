/** Whether a caller's address is of this machine or of a private network (RFC 1918, RFC 4193). */
import { BlockList, isIP } from "node:net";
import { once } from "../lazy.js";

const BLOCKS = [
  ["127.0.0.0", 8, "ipv4"],
  ["10.0.0.0", 8, "ipv4"],
  ["172.16.0.0", 12, "ipv4"],
  ["192.168.0.0", 16, "ipv4"],
  ["::1", 128, "ipv6"],
  ["fc00::", 7, "ipv6"],
] as const;

const ranges = once(() => {
  const list = new BlockList();
  for (const [start, length, family] of BLOCKS) list.addSubnet(start, length, family);
  return list;
});

/** False for a text that is not an address; an IPv4 address may be written as a mapped IPv6 one. */
export function isInPrivateNetwork(address: string): boolean {
  const bare = address.replace(/^::ffff:(?=\d+\.)/i, "");
  const version = isIP(bare);
  return version !== 0 && ranges().check(bare, version === 4 ? "ipv4" : "ipv6");
}
