/** Dollars that offers in other tokens count as: by the buyer's own word, since sellers may say anything of a token. */
import { boundMicros, toMicros } from "../lib/money.js";
import type { ClientOptions, TokenWorth } from "./options.js";
import { amountOf, type Count, inDollars } from "./payment.js";

const ID = /^[a-z0-9-]{3,8}:[-\w]{1,32}\/[-.%\w]{1,128}$/;

/** Counts named tokens by their worth, and all others as dollars. Throws a TypeError for an invalid one. */
export function countedBy(tokens: NonNullable<ClientOptions["tokens"]>): Count {
  const worths = new Map(Object.entries(tokens).map(([id, worth]) => [id.toLowerCase(), read(id, worth)]));
  return (offer, units = amountOf(offer)) => {
    const worth = worths.get(`${offer.network}/${offer.asset}`.toLowerCase());
    // guard: client: a named token counts as the buyer says |
    //   worth -> worth || offer.extra?.usd === undefined | client/tokens
    if (!worth) return inDollars(offer, units);
    // Vouchers and permits count in dollars alone.
    return offer.scheme === "exact" ? (units * worth.usd + worth.one - 1n) / worth.one : undefined;
  };
}

function read(id: string, { decimals, usd }: TokenWorth): { usd: bigint; one: bigint } {
  try {
    const worth = { usd: toMicros(usd), one: 10n ** BigInt(decimals) };
    if (ID.test(id) && worth.usd > 0n && worth.usd === boundMicros(usd) && decimals >= 0 && decimals <= 36)
      return worth;
  } catch {
    // Refused below.
  }
  throw new TypeError(`tokens["${id}"]: must be { decimals: 6, usd: "1.25" } for an id such as "eip155:8453/0x…".`);
}
