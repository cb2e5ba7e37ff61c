/** The terms of a seller, looked at before they are signed: whom it pays, in what, for how long, and at which price. */
import { fromMicros, type Micros, toMicros } from "../../lib/money.js";
import type { BuyerLimits, SellerTerms, SignedOffer, SpendingBook, SpendingRecord } from "../buyer-limits.js";
import type { Count, Offer } from "../payment.js";
import { readResponse } from "../read-response.js";
import { aboveLimit } from "./days.js";

const MAX_TIMEOUT_SECONDS = 3600;
const KEPT_MS = 300_000;
const MOST_SELLERS = 1000;
const MOST_PINNED = 50;

interface Seller {
  /** The address that its endpoints are below. */
  baseUrl: string;
  fetch: typeof globalThis.fetch;
  maxBytes: number;
  book: SpendingBook;
  now(): number;
}

/** In lower case where it does not matter. */
const plain = (address = ""): string => (/^0x[0-9a-f]*$/i.test(address) ? address.toLowerCase() : address);
const pinOf = ({ network = "", asset, payTo }: SignedOffer): string => `${network} ${plain(asset)} ${plain(payTo)}`;

export function createTerms(limits: BuyerLimits, seller: Seller): SellerTerms {
  const { baseUrl, book } = seller;
  const prices = createPrices(seller);
  const pinned = () => book.change(({ pins }) => (Object.hasOwn(pins, baseUrl) ? pins[baseUrl] : undefined));
  const isPinning = limits.pin !== false;

  return {
    async judge(offers, { endpoint, count }) {
      const known = isPinning ? await pinned() : undefined;
      const fitting = judges(limits, known).reduce((left, { option, why, fits }) => {
        const kept = left.filter(fits);
        if (kept.length === 0) throw refusedTerms(left, option, why);
        return kept;
      }, offers);
      if (limits.directory !== false) await assertListed(fitting, { endpoint, count });
      return [...fitting];
    },
    async pin(offers, signed) {
      if (isPinning) await book.change(({ pins }) => pinIn(pins, { baseUrl, offers, signed }));
    },
  };

  async function assertListed(offers: readonly Offer[], { endpoint, count }: { endpoint: string; count: Count }) {
    const costs = offers.map((offer) => count(offer) ?? 0n).sort((a, b) => (a < b ? -1 : 1));
    const dearest = costs.at(-1) ?? 0n;
    for (const anew of [false, true]) {
      const most = await prices(endpoint, anew);
      if (most === undefined || dearest <= most) return;
      // guard: client: a price is at most what the seller lists | never | client/limits
      if (anew)
        throw aboveLimit(
          "limits.directory",
          `the seller lists ${fromMicros(most)} USD`,
          `The seller asks ${fromMicros(dearest)} USD for ${endpoint}, and lists ${fromMicros(most)} USD at most: nothing was signed.`,
        );
    }
  }
}

interface Judge {
  option: string;
  why: string;
  fits(offer: Offer): boolean;
}

const PINNED = "this seller's first offers had another receiver, token or network";

/** Each leaves the offers that the buyer takes. */
function judges({ networks, assets, payTo, maxTimeoutSeconds }: BuyerLimits, known: string[] | undefined): Judge[] {
  const most = maxTimeoutSeconds ?? MAX_TIMEOUT_SECONDS;
  const tokens = assets?.map((one) => one.split("/").map(plain).join("/"));
  const receivers = payTo?.map(plain);
  const isOf = (all: readonly string[] | undefined, one: string) => all?.includes(one) ?? true;
  return [
    { option: "networks", why: "it names none of these networks", fits: ({ network }) => isOf(networks, network) },
    {
      option: "assets",
      why: "it names none of these tokens",
      fits: ({ network, asset }) => isOf(tokens, `${network}/${plain(asset)}`),
    },
    // guard: client: only those whom the buyer names are paid | isOf(receivers, plain(offer.payTo)) -> true | client/limits
    { option: "payTo", why: "it names none of these receivers", fits: (offer) => isOf(receivers, plain(offer.payTo)) },
    // guard: client: whom a seller wants paid is looked at before anything is signed |
    //   isOf(known, pinOf(offer)) -> true | client/limits
    { option: "pin", why: PINNED, fits: (offer) => isOf(known, pinOf(offer)) },
    {
      option: "maxTimeoutSeconds",
      why: `a payment would stay valid for more than ${most} seconds`,
      fits: (offer) => (offer.maxTimeoutSeconds ?? 0) <= most,
    },
  ];
}

function pinIn(
  pins: SpendingRecord["pins"],
  { baseUrl, offers, signed }: { baseUrl: string; offers: readonly Offer[]; signed: SignedOffer },
): void {
  const known = Object.hasOwn(pins, baseUrl) ? pins[baseUrl] : undefined;
  // guard: client: of two first purchases at once one pins | never | client/limits
  if (known && !known.includes(pinOf(signed))) throw refusedTerms(offers, "pin", PINNED);
  if (known) return;
  const [oldest] = Object.keys(pins);
  if (oldest !== undefined && Object.keys(pins).length >= MOST_SELLERS) delete pins[oldest];
  pins[baseUrl] = [...new Set(offers.map(pinOf))].slice(0, MOST_PINNED);
}

function refusedTerms(offers: readonly Offer[], option: string, why: string) {
  const shown = offers.slice(0, 3).map(({ network, asset, payTo }) => `${payTo} in ${asset} on ${network}`);
  return aboveLimit(
    `limits.${option}`,
    "does not allow these terms",
    `The seller wants ${shown.join(" or ")}; limits.${option}: ${why}. Nothing was signed.`,
  );
}

interface Listed {
  endpoints?: { id: string; price: { mode: string; usd?: string; minUsd?: string; maxUsd?: string } }[];
}

/** The highest price that the seller lists for an endpoint; undefined where it lists none. */
function createPrices({ baseUrl, fetch, maxBytes, now }: Seller) {
  const kept = new Map<string, { at: number; prices: Promise<Map<string, Micros>> }>();
  async function read(group: string): Promise<Map<string, Micros>> {
    const response = await fetch(`${baseUrl}/directory?group=${encodeURIComponent(group)}`);
    if (!response.ok) return new Map();
    const { endpoints = [] } = JSON.parse(new TextDecoder().decode(await readResponse(response, maxBytes))) as Listed;
    return new Map(endpoints.map(({ id, price }) => [id, toMicros(price.usd ?? price.maxUsd ?? "0")]));
  }
  return async (endpoint: string, anew: boolean): Promise<Micros | undefined> => {
    const [group = ""] = endpoint.split(".");
    const known = kept.get(group);
    if (anew || !known || known.at + KEPT_MS < now()) {
      const prices = read(group);
      prices.catch(() => kept.delete(group));
      kept.set(group, { at: now(), prices });
    }
    return (await kept.get(group)?.prices)?.get(endpoint);
  };
}
