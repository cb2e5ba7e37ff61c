import { isUrl } from "../lib/http/url.js";
import { boundMicros, type Micros } from "../lib/money.js";
import {
  being,
  type Check,
  type ChecksOf,
  hidden,
  listOf,
  needed,
  OptionError,
  shape,
  wrong,
} from "../lib/options/check.js";
import { anObject, count, flag, func, having, text } from "../lib/options/kinds.js";
import type { BuyerLimits } from "./buyer-limits.js";
import type { CreditToken } from "./credits.js";
import type { ReceiptOptions } from "./types.js";

/** Signs payments: an `x402Client` or `x402HTTPClient` of the official packages. */
export interface Payer {
  createPaymentPayload(paymentRequired: never): Promise<unknown>;
}

/** The dollars that a token counts as against the limits. */
export interface TokenWorth {
  decimals: number;
  /** US dollars for one token, such as "1.25": a little above its rate, since the limits hold by this word alone. */
  usd: string;
}

export interface ClientOptions {
  /** The service's origin, whose endpoints are below `/api`, or the address that they are below. */
  baseUrl: string | URL;
  /**
   * Sends the requests. Default: the global fetch. If the fetch pays by itself, such as one of `wrapFetchWithPayment`,
   * the service gets the limits and enforces them; with `pay` the client enforces them before anything is signed.
   * A plain `Error` of it, without `code` or `cause`, says that it paid nothing and is not to be asked again; any other
   * counts as a lost reply.
   */
  fetch?: typeof globalThis.fetch;
  /** Signs the payment that a 402 asks for, within the limits. After a lost reply the same payment is sent again. */
  pay?: Payer;
  /**
   * Tokens beside dollars that `pay` may pay in, such as EURC, by network and address:
   * `{ "eip155:8453/0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42": { decimals: 6, usd: "1.25" } }`. Offers that name a
   * price in dollars for another token are left out. The first payment checks them.
   */
  tokens?: Readonly<Record<string, TokenWorth>>;
  /** A key of an account at the service, from whose balance calls are paid. With `pay`, a wallet pays where it is too small. */
  apiKey?: string;
  /** Uses the free trial first, and pays when it is used up. */
  trial?: boolean;
  /** Maximum cost of one call, in US dollars. */
  maxPerCallUsd?: string | number;
  /** Maximum cost of all calls of this client together, in US dollars. */
  maxTotalUsd?: string | number;
  /** Further limits: of a day, a seller, an endpoint, of whom and what is paid; and when a person is asked. */
  limits?: BuyerLimits;
  /** Credit tokens left from an earlier client. */
  credits?: readonly CreditToken[];
  /** How the service's signed statements of what it delivered are checked. */
  receipts?: ReceiptOptions;
  /** How often a request is repeated if its reply was lost or inconclusive. Default 3. */
  retries?: number;
  /** Maximum size of an answer, in bytes. Default 32 MB. */
  maxResponseBytes?: number;
  /** Maximum time that one call waits for lost replies and pending settlements, in milliseconds. Default 60,000. */
  maxWaitMs?: number;
}

const dollars: Check = (name, value) => {
  if (typeof value !== "string" && typeof value !== "number") throw wrong(name, 'US dollars, such as "0.05"', value);
  readUsd(name, value);
};

const CLIENT: ChecksOf<ClientOptions> = {
  baseUrl: needed(
    being("an address such as https://api.example.com", (value) => value instanceof URL || typeof value === "string"),
    'the address of the service, such as "https://api.example.com".',
  ),
  fetch: func("a function such as the global fetch"),
  pay: having("an x402Client or x402HTTPClient", "createPaymentPayload"),
  tokens: anObject,
  apiKey: hidden(
    "a key as the service gave it",
    (value) => typeof value === "string" && /^[\x21-\x7e]{8,200}$/.test(value),
  ),
  trial: flag,
  maxPerCallUsd: dollars,
  maxTotalUsd: dollars,
  limits: shape<BuyerLimits>({
    usdPerDay: dollars,
    sellerUsdPerDay: dollars,
    endpointUsdPerDay: dollars,
    endpoints: anObject,
    networks: listOf(text("a network such as eip155:8453")),
    assets: listOf(text("a token such as eip155:8453/0x…")),
    payTo: listOf(text("an address")),
    pin: flag,
    directory: flag,
    maxTimeoutSeconds: count(1),
    askAboveUsd: dollars,
    ask: func("a function of a purchase"),
    book: having("a book with change()", "change"),
  }),
  credits: listOf(anObject),
  receipts: shape<ReceiptOptions>({
    required: flag,
    signer: being("a DID such as did:key:z…#z…", (value) => typeof value === "string" && value.startsWith("did:")),
    verifyMessage: func("a function such as verifyMessage of viem"),
  }),
  retries: count(0, 100),
  maxResponseBytes: count(1),
  maxWaitMs: count(0),
};

export const clientOptions = shape<ClientOptions>(CLIENT);

/** The address that endpoints are below. Throws a TypeError. */
export function readBaseUrl(baseUrl: string | URL): string {
  if (!/^https?:$/.test(isUrl(String(baseUrl)) ? new URL(baseUrl).protocol : ""))
    throw wrong("baseUrl", "an address such as https://api.example.com", String(baseUrl));
  const { origin, pathname } = new URL(baseUrl);
  const path = pathname.replace(/\/+$/, "");
  return origin + (path || "/api");
}

/** The amount of an option. Throws a TypeError. */
export function readUsd(name: string, usd: string | number | undefined): Micros | undefined {
  if (usd === undefined) return undefined;
  try {
    return boundMicros(String(usd));
  } catch (cause) {
    throw new OptionError(name, `must be US dollars, such as "0.05", not "${usd}".`, { cause });
  }
}
