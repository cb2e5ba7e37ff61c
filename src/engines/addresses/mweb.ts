/**
 * Addresses of Litecoin's MimbleWimble extension blocks (LIP 4): a zero and two public keys of 33 bytes, for scanning
 * and for spending, in bech32 of 116 to 121 characters, which is longer than BIP 173 allows others to be.
 */
import { bech32 } from "@scure/base";
import type { Reason, ValidAddress } from "./address.js";
import { isMixedCase } from "./segwit.js";

const PREFIX = /^(ltcmweb|tmweb|rmweb)1/i;
const MAX_LENGTH = 128;
const KEYS_LENGTH = 66;

/** Undefined if the prefix is not one of extension blocks. */
export function checkMweb(address: string): ValidAddress | Reason | undefined {
  const prefix = PREFIX.exec(address)?.[1]?.toLowerCase();
  if (prefix === undefined) return undefined;
  if (address.length > MAX_LENGTH) return "bad length";
  if (isMixedCase(address)) return "mixed case";
  if (!/^[02-9ac-hj-np-z]*$/i.test(address.slice(prefix.length + 1))) return "bad character";
  const decoded = bech32.decodeUnsafe(address, MAX_LENGTH);
  if (!decoded) return "bad checksum";
  const [version, ...words] = decoded.words;
  if (version !== 0) return "unknown format";
  const keys = bech32.fromWordsUnsafe(words);
  if (keys?.length !== KEYS_LENGTH) return "bad length";
  // A compressed point begins with 2 or 3.
  if (![keys[0], keys[KEYS_LENGTH / 2]].every((first) => first === 2 || first === 3)) return "unknown format";
  return prefix === "ltcmweb" ? { canonical: address.toLowerCase(), format: "mweb" } : "testnet address";
}
