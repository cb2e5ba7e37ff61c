/** The PAYMENT-REQUIRED header: its content, and what is left out if it is too long. */
import type { AnyCapability } from "../capability/types.js";
import { fittingBazaar, leanestBazaar } from "../discovery/listing.js";
import { encodeHeader, type PaymentRequirements } from "../payment/x402/wire.js";
import { OFFER_RECEIPT } from "../signing/offers.js";

/** The content of the header. Clients of version 2 read nothing else. */
export interface PaymentRequired {
  x402Version: 2;
  error: string;
  resource: object;
  accepts: PaymentRequirements[];
  extensions: Record<string, unknown>;
}

/** Proxies refuse or cut longer headers, and the buyer sends all of it back. */
const MAX_BYTES = 4096;
/** Catalogues cannot list an endpoint without `bazaar`, which is worth the risk of a longer header. */
const MAX_BYTES_WITH_BAZAAR = 7168;

/**
 * The extensions of a header whose length `lengthOf` measures. `bazaar` is always one of them, with as much detail as fits
 * into 4,096 bytes beside the others. If not even the least detail fits, the header may be longer. If it is still too long,
 * the signed offers are left out, because the body contains them, too.
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
  if (lengthOf(whole) < MAX_BYTES_WITH_BAZAAR) return whole;
  const { [OFFER_RECEIPT]: _, ...unsigned } = others;
  return { ...leanest, ...unsigned };
}

/** The value of the header, with a `bazaar` extension made for the room in it. */
export function encodeRequired(capability: AnyCapability, required: PaymentRequired): string {
  const { bazaar: _, ...others } = required.extensions;
  const encoded = (extensions: Record<string, unknown>) => encodeHeader({ ...required, extensions });
  return encoded(fittingExtensions(capability, others, (some) => encoded(some).length));
}
