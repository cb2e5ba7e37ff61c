/** Stripe's signature of a webhook, as its documentation describes it: https://docs.stripe.com/webhooks#verify-manually */
import { createHmac, timingSafeEqual } from "node:crypto";

/** Seconds, as in Stripe's own libraries: an event that was overheard cannot be told again later. */
const TOLERANCE = 300;

/**
 * Whether Stripe signed these bytes, and lately. While a secret is rolled there are two signatures of the scheme `v1`; any of
 * another scheme, such as the `v0` of test events, says nothing.
 *
 * @param {{ body: Uint8Array, signature: string | undefined, secret: string, now?: number }} told `now` in epoch milliseconds
 */
export function isStripes({ body, signature = "", secret, now = Date.now() }) {
  const parts = signature.split(",", 20).map((part) => part.trim().split("="));
  const valuesOf = (name) => parts.filter(([key]) => key === name).map(([, value = ""]) => value);
  const [at = "", ...others] = valuesOf("t");
  if (!/^\d{1,12}$/.test(at) || others.length > 0) return false;
  if (Math.abs(now / 1000 - Number(at)) > TOLERANCE) return false;
  const expected = createHmac("sha256", secret).update(`${at}.`).update(body).digest();
  return valuesOf("v1").some((hex) => {
    const given = Buffer.from(hex, "hex");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
