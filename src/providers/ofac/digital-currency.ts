/** The digital currency addresses of the OFAC list, one short file for each currency. */
import { z } from "zod";
import type { Context } from "../../capability/types.js";
import { CapabilityError } from "../../errors.js";
import { DAY_MS } from "../../lib/time.js";
import { segments, upstream } from "../../upstream/client.js";
import { ofacAddresses } from "./provider.js";

/** By OFAC's own tickers: XBT is Bitcoin. */
export const CURRENCIES = [
  "ARB",
  "BCH",
  "BSC",
  "BSV",
  "BTG",
  "DASH",
  "ETC",
  "ETH",
  "LTC",
  "TRX",
  "USDC",
  "USDT",
  "XBT",
  "XMR",
  "XRP",
  "XVG",
  "ZEC",
] as const;
export type Currency = (typeof CURRENCIES)[number];

/** Solana has a list too, which only hosts that are paid there need. */
export type ListedCurrency = Currency | "SOL";

/** These contain most addresses and are never empty: without them no address may be cleared. */
const INDISPENSABLE: ReadonlySet<ListedCurrency> = new Set(["ETH", "XBT"]);

export interface ListedAddress<C extends ListedCurrency = Currency> {
  currency: C;
  /** Spelling of the list. */
  address: string;
}

export interface AddressLists<C extends ListedCurrency = Currency> {
  listed: ListedAddress<C>[];
  /** Currencies that no longer have a list. */
  missing: C[];
  /** Error of a list that could not be read, so its content is unknown. */
  failure?: unknown;
}

/** All lists, at most a day old, or up to seven days while the source is down. */
export const readAddressLists = (ctx: Context): Promise<AddressLists> => readListsOf(ctx, CURRENCIES);

/** The lists of some currencies. */
export async function readListsOf<C extends ListedCurrency>(
  ctx: Context,
  currencies: readonly C[],
): Promise<AddressLists<C>> {
  const lists = await Promise.allSettled(currencies.map((currency) => readList(ctx, currency)));
  const found: AddressLists<C> = { listed: [], missing: [] };
  for (const [index, currency] of currencies.entries()) {
    const list = lists[index];
    if (list?.status === "fulfilled") {
      if (list.value) found.listed.push(...list.value.map((address) => ({ currency, address })));
      else found.missing.push(currency);
    } else found.failure ??= list?.reason;
  }
  return found;
}

async function readList(ctx: Context, currency: ListedCurrency): Promise<string[] | undefined> {
  const indispensable = INDISPENSABLE.has(currency);
  const list = await upstream(ctx, ofacAddresses).get(segments(`sanctioned_addresses_${currency}.json`), {
    schema: z.array(z.string().min(1)).min(indispensable ? 1 : 0),
    absent: [404],
    ttlMs: DAY_MS,
    staleMs: 6 * DAY_MS,
  });
  if (!list && indispensable)
    throw new CapabilityError(
      "UPSTREAM_ERROR",
      `The sanctioned addresses of ${currency} are no longer published there.`,
    );
  return list;
}
