/** Who is paid on a network: one account, or several that share what is sold there. */

/** One of those that share a network's revenue. */
export interface TreasuryShare {
  /** Address on that network. The first of a list is paid on chain, and the others are owed their shares by it. */
  payTo: string | undefined;
  /** Parts of 10,000; those of a list add up to 10,000. */
  share: number;
}

/** Addresses and their parts of 10,000, in the host's order: the first is paid on chain. */
export type Split = readonly (readonly [payTo: string, share: number])[];

/** All shares of a list. */
export const WHOLE = 10_000;

export type Treasury = Readonly<Record<string, string | readonly TreasuryShare[] | undefined>>;

/** The account that is paid on chain. */
export function receiverOf(paid: Treasury[string]): string | undefined {
  return typeof paid === "object" ? paid[0]?.payTo : paid;
}

/** The shares of a network; undefined if one account has all. */
export function splitOf(paid: Treasury[string]): Split | undefined {
  return typeof paid === "object" ? paid.map(({ payTo = "", share }) => [payTo, share] as const) : undefined;
}
