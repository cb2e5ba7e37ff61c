/** The 402 of one call before its encoding, and the parts that its header drops if it is too long. */
import type { AnyCapability } from "../capability/types.js";
import { fittingBazaar, leanestBazaar, wholeExtensions } from "../discovery/listing.js";
import type { RefusalCode } from "../payment/x402/refusal.js";
import { type PaymentRequirements, toBase64, version1Body } from "../payment/x402/wire.js";
import { OFFER_RECEIPT } from "../signing/offers.js";
import type { SignInOffer } from "./sign-in.js";

/** Each step of the answer returns it with additions; header and body are made from it at the end. */
export interface PaymentRequired {
  capability: AnyCapability;
  /** The address that is paid for. */
  url: string;
  /** The resource in the header's form. */
  resource: object;
  error: string;
  /** The header's `error`, if stock clients of version 2 need another one. */
  correction?: string;
  /** Code of a refused payment. */
  code?: RefusalCode;
  /** The offers in the header. */
  accepts: PaymentRequirements[];
  /** The offers in the body, which the specification limits to `exact`. */
  exact: PaymentRequirements[];
  /** Extensions in the header, beside `bazaar`. */
  extensions: Record<string, unknown>;
  signIn?: SignInOffer;
  /** For a caller with an account: members of a problem document beside those of the envelope. */
  problem?: object;
  /** The extension with the signed offers. */
  signedOffers?: Record<string, unknown>;
}

/** Proxies refuse or cut longer headers, and the buyer sends all of it back. */
const MAX_BYTES = 4096;
/** Catalogues cannot list an endpoint without `bazaar`, so a longer header is accepted for it. */
const MAX_BYTES_WITH_BAZAAR = 7168;

/**
 * The extensions of a header whose length `lengthOf` measures. `bazaar` is always included, with as much detail as fits
 * into 4,096 bytes beside the others. If not even the least detail fits, the header may be longer. If it is still too
 * long, the signed offers are dropped, because the body contains them, too.
 */
export function fittingExtensions(
  capability: AnyCapability,
  others: Record<string, unknown>,
  lengthOf: (extensions: Record<string, unknown>) => number,
): Record<string, unknown> {
  const fitting = fittingBazaar(capability, (declared) => lengthOf({ ...declared, ...others }) < MAX_BYTES);
  if ("bazaar" in fitting) return { ...fitting, ...others };
  const leanest = leanestBazaar(capability);
  const whole = { ...leanest, ...others };
  // guard: signed offers leave a header that would be too long for what stands between | always | listable
  if (lengthOf(whole) < MAX_BYTES_WITH_BAZAAR) return whole;
  const { [OFFER_RECEIPT]: _, ...unsigned } = others;
  return { ...leanest, ...unsigned };
}

/** The PAYMENT-REQUIRED header, with a `bazaar` extension of suitable length. Clients of version 2 read only this. */
export function headerOf(required: PaymentRequired): string {
  const others = { ...required.extensions, ...required.signIn?.extension(false), ...required.signedOffers };
  const withExtensions = headerJson(required);
  const fixed = Buffer.byteLength(withExtensions(""));
  const lengthOf = (some: object) => base64Length(fixed + Buffer.byteLength(JSON.stringify(some)));
  return toBase64(withExtensions(JSON.stringify(fittingExtensions(required.capability, others, lengthOf))));
}

/** The header before base64, for extensions that are already JSON. */
export function headerJson(required: PaymentRequired): (extensions: string) => string {
  const { error, correction = error, resource, accepts } = required;
  const json = JSON.stringify({ x402Version: 2, error: correction, resource, accepts });
  return (extensions) => `${json.slice(0, -1)},"extensions":${extensions}}`;
}

const base64Length = (bytes: number): number => Math.ceil(bytes / 3) * 4;

/** The body as the specification has it: `resource` is a string here and an object in the header. */
export function bodyOf(required: PaymentRequired): string {
  const { capability, url, error, code, exact, signIn, signedOffers, problem } = required;
  const refunds = required.extensions["refund-policy"];
  const extensions = {
    ...wholeExtensions(capability),
    ...(refunds ? { "refund-policy": refunds } : {}),
    ...(code ? { code } : {}),
    ...signIn?.extension(true),
    ...signedOffers,
  };
  return JSON.stringify({ x402Version: 2, error, resource: url, accepts: exact, extensions, ...problem });
}

/** The body for clients of version 1, which has no extensions. */
export const version1BodyOf = ({
  capability,
  url,
  error,
  exact,
}: Pick<PaymentRequired, "capability" | "url" | "error" | "exact">): string =>
  JSON.stringify(version1Body(error, { url, description: capability.summary }, exact));
