/** The network of a caller: its IPv4 address, or the /64 of an IPv6 address, of which one home or host has all. */

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** An address that is none is its own network, so that a proxy's odd name is one caller. */
export function networkOf(address: string): string {
  const bare = address.replace(/%.*$/, "");
  if (!bare.includes(":")) return bare;
  const mapped = MAPPED.exec(bare)?.[1];
  if (mapped !== undefined) return mapped;
  const [before = "", after] = bare.split("::", 2);
  const groups = groupsOf(before);
  if (after !== undefined) {
    const rest = groupsOf(after);
    // An IPv4 address at the end stands for two groups.
    const left = 8 - groups.length - rest.length - (after.includes(".") ? 1 : 0);
    groups.push(...Array(Math.max(0, left)).fill("0"), ...rest);
  }
  return `${groups.slice(0, 4).join(":")}::/64`;
}

const groupsOf = (text: string): string[] =>
  text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16).toString(16));
