/** Ethereum: 20 bytes in hex, whose letter case may be a checksum (EIP-55). */
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { AddressCheck } from "./address.js";

export const checkEthereum: AddressCheck = (address) => {
  if (!address.startsWith("0x")) return "unknown format";
  const digits = address.slice(2);
  if (!/^[0-9a-fA-F]*$/.test(digits)) return "bad character";
  if (digits.length !== 40) return "bad length";

  const canonical = checksummed(address);
  // An address in one case has no checksum to verify.
  if (digits === digits.toLowerCase()) return { canonical, format: "lowercase" };
  if (digits === digits.toUpperCase()) return { canonical, format: "uppercase" };
  return address === canonical ? { canonical, format: "eip55" } : "bad checksum";
};

/** An address of valid form in any case, with its checksum. */
export const checksummed = (address: string): `0x${string}` => `0x${withChecksumCase(address.slice(2).toLowerCase())}`;

/** A letter is upper case if the same digit of the address's hash is 8 or more. */
function withChecksumCase(digits: string): string {
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)));
  return [...digits].map((digit, index) => ((hash[index] ?? "0") >= "8" ? digit.toUpperCase() : digit)).join("");
}
