/** Identity of accounts: the only place that decides which texts name the same account. */
import { families } from "./families.js";
import type { RailFamily } from "./rail.js";

/** The family that a CAIP-2 network belongs to. */
export const familyOf = (network: string): RailFamily | undefined => families.find(({ matches }) => matches(network));

/** The canonical form of an address on a network, equal for all its notations. */
const plainAddress = (network: string, address: string): string => familyOf(network)?.plain(address) ?? address;

/** Whether two texts name the same account of a network. On Solana case matters, on EVM networks it does not. */
export const sameAccount = (network: string, a: string, b: string): boolean =>
  plainAddress(network, a) === plainAddress(network, b);

/** An account by its CAIP-10 name: `eip155:8453:0x…` in lower case, `solana:…:Base58` with its case. */
export const accountId = (network: string, address: string): string => `${network}:${plainAddress(network, address)}`;

/** The canonical form of an address on an unknown network. */
export const plainAnywhere = (address: string): string =>
  families.find(({ isAddress }) => isAddress(address))?.plain(address) ?? address;
