/** Results of the checks of single chains. */

export const REASONS = [
  "bad checksum",
  "bad length",
  "bad character",
  "wrong network",
  "testnet address",
  "mixed case",
  "wrong checksum algorithm",
  "unknown format",
] as const;

/** Why a text is not a main-network address of its chain. */
export type Reason = (typeof REASONS)[number];

export interface ValidAddress {
  canonical: string;
  /** The kind of address in the chain's own terms: `p2wpkh`, `eip55`. */
  format: string;
  /** The plain account in an X-address. */
  classicAddress?: string;
  /** The destination tag of an X-address; null if it contains none. */
  tag?: number | null;
}

export type AddressCheck = (address: string) => ValidAddress | Reason;
