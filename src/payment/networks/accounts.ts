/** Identity of accounts: the only place that decides which texts name the same account. */

import type { RailFamily } from "../rails/rail.js";
import { families } from "./families.js";

/**
 * The family that a CAIP-2 network belongs to.
 *
 * @example
 * ```ts
 * familyOf("eip155:8453")?.isAddress("0x0000000000000000000000000000000000000001"); // true
 * ```
 */
export const familyOf = (network: string): RailFamily | undefined => families.find(({ matches }) => matches(network));

/** The canonical form of an address on a network, equal for all its notations. */
const plainAddress = (network: string, address: string): string => familyOf(network)?.plain(address) ?? address;

/**
 * Whether two texts name the same account of a network. On Solana case matters, on EVM networks it does not.
 *
 * @example
 * ```ts
 * sameAccount("eip155:8453", "0xAB00000000000000000000000000000000000001", "0xab00000000000000000000000000000000000001"); // true
 * ```
 */
export const sameAccount = (network: string, a: string, b: string): boolean =>
  plainAddress(network, a) === plainAddress(network, b);

/**
 * An account by its CAIP-10 name: `eip155:8453:0x…` in lower case, `solana:…:Base58` with its case.
 *
 * @example
 * ```ts
 * accountId("eip155:8453", "0xAB00000000000000000000000000000000000001"); // "eip155:8453:0xab00000000000000000000000000000000000001"
 * ```
 */
export const accountId = (network: string, address: string): string => `${network}:${plainAddress(network, address)}`;

/** The canonical form of an address on an unknown network. */
export const plainAnywhere = (address: string): string =>
  families.find(({ isAddress }) => isAddress(address))?.plain(address) ?? address;
