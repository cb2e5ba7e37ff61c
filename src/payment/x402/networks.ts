/** Network names of version 1 of the protocol; version 2 uses CAIP-2 ids. */

const NAMES: ReadonlyMap<string, string> = new Map([
  ["base", "eip155:8453"],
  ["base-sepolia", "eip155:84532"],
  ["solana", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"],
  ["solana-devnet", "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1"],
]);

const BY_ID = new Map([...NAMES].map(([name, id]) => [id, name]));

/** The CAIP-2 id for a version-1 network name; CAIP-2 ids pass through. */
export const networkId = (name: string): string => NAMES.get(name) ?? name;

/** The version-1 name of a network, if it has one. */
export const networkAlias = (id: string): string => BY_ID.get(id) ?? id;
