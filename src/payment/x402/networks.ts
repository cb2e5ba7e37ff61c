/** Network names of version 1 of the protocol, and of options; version 2 uses CAIP-2 ids. */

const NAMES: ReadonlyMap<string, string> = new Map([
  ["base", "eip155:8453"],
  ["base-sepolia", "eip155:84532"],
  ["polygon", "eip155:137"],
  ["arbitrum", "eip155:42161"],
  ["optimism", "eip155:10"],
  ["world", "eip155:480"],
  ["avalanche", "eip155:43114"],
  ["solana", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"],
  ["solana-devnet", "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1"],
]);

const BY_ID = new Map([...NAMES].map(([name, id]) => [id, name]));

/** The CAIP-2 id for a version-1 network name; CAIP-2 ids pass through. */
export const networkId = (name: string): string => NAMES.get(name) ?? name;

/** The version-1 name of a network, if it has one. */
export const networkAlias = (id: string): string => BY_ID.get(id) ?? id;

/** Members of the payment options that are by network. */
const BY_NETWORK = ["treasury", "formerTreasuries", "assets", "feePayers", "rpc", "refunds", "payouts"] as const;

/**
 * Payment options with CAIP-2 ids in place of names: `{ treasury: { polygon: "0x…" } }`. Throws a TypeError for a network
 * that is named twice. Anything else is left for the checks of options.
 */
export function withNetworkIds<T>(payment: T): T {
  if (typeof payment !== "object" || payment === null) return payment;
  const named = Object.entries(payment).map(([member, value]) => {
    if (member === "mpp" && typeof value === "object" && value !== null && "permit2" in value)
      return [member, { ...value, permit2: byId("payment.mpp.permit2", value.permit2) }];
    return (BY_NETWORK as readonly string[]).includes(member)
      ? [member, byId(`payment.${member}`, value)]
      : [member, value];
  });
  return Object.fromEntries(named) as T;
}

function byId(option: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || !Object.keys(value).some((name) => NAMES.has(name))) return value;
  const ids = new Map<string, unknown>();
  for (const [name, one] of Object.entries(value)) {
    const id = networkId(name);
    if (ids.has(id)) throw new TypeError(`${option} names ${id} twice, once as "${networkAlias(id)}".`);
    ids.set(id, one);
  }
  return Object.fromEntries(ids);
}
