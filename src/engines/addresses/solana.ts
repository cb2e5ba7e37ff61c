/** Solana: 32 bytes in base58 without any checksum, most of them Ed25519 public keys. */
import { ed25519 } from "@noble/curves/ed25519.js";
import { base58 } from "@scure/base";
import type { AddressCheck } from "./address.js";
import { isBase58 } from "./base58.js";

export const checkSolana: AddressCheck = (address) => {
  if (!isBase58(address)) return "bad character";
  const bytes = base58.decode(address);
  if (bytes.length !== 32) return "bad length";
  return { canonical: address, format: isOnCurve(bytes) ? "ed25519" : "off_curve" };
};

/** Program derived addresses are not on the curve, so that no key for them exists. */
function isOnCurve(bytes: Uint8Array): boolean {
  try {
    // ZIP 215 accepts the same unusual encodings as Solana's own check.
    ed25519.Point.fromBytes(bytes, true);
    return true;
  } catch {
    return false;
  }
}
