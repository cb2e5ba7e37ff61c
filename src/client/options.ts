import { type Micros, toMicros } from "../lib/money.js";
import type { CreditToken } from "./credits.js";

/** Signs payments: an `x402Client` or `x402HTTPClient` of the official packages. */
export interface Payer {
  createPaymentPayload(paymentRequired: never): Promise<unknown>;
}

export interface ClientOptions {
  /** The service's origin, under which its endpoints hang at `/api`, or the address that they hang under. */
  baseUrl: string | URL;
  /**
   * What requests go through. Default: the global fetch. One that pays by itself, such as `wrapFetchWithPayment` gives, is
   * held to the limits by the service, which is told of them; with `pay` they are judged here, before anything is signed.
   */
  fetch?: typeof globalThis.fetch;
  /** Signs what a 402 asks, within the limits. The same payment is sent again after a lost reply. */
  pay?: Payer;
  /** Asks for the free trial first, and pays where it is used up. */
  trial?: boolean;
  /** The most that one call may cost, in US dollars. */
  maxPerCallUsd?: string | number;
  /** The most that all calls of this client may cost together, in US dollars. */
  maxTotalUsd?: string | number;
  /** Tokens of credit that an earlier client was left with. */
  credits?: readonly CreditToken[];
  /** How often a request is sent again whose reply was lost or says nothing. Default 3. */
  retries?: number;
  /** The most that is read of one answer, in bytes. Default 32 MB. */
  maxResponseBytes?: number;
  /** How long one call waits for lost replies and pending settlements, in milliseconds. Default 60,000. */
  maxWaitMs?: number;
}

/** The address that endpoints hang under. Throws a TypeError. */
export function readBaseUrl(baseUrl: string | URL): string {
  if (!URL.canParse(String(baseUrl)))
    throw new TypeError(`baseUrl: "${baseUrl}" is not a URL such as https://api.example.com.`);
  const { origin, pathname } = new URL(baseUrl);
  const path = pathname.replace(/\/+$/, "");
  return origin + (path || "/api");
}

/** An amount that an option names. Throws a TypeError. */
export function readUsd(name: string, usd: string | number | undefined): Micros | undefined {
  if (usd === undefined) return undefined;
  try {
    return toMicros(String(usd));
  } catch (cause) {
    throw new TypeError(`${name}: must be US dollars, such as "0.05", not "${usd}".`, { cause });
  }
}
