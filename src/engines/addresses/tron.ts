/** TRON: base58check of the byte 0x41 and a 20-byte account. */
import type { AddressCheck } from "./address.js";
import { decodeBase58Check } from "./base58.js";

const MAIN_NETWORK = 0x41;
/** Byte of the first test network, until 2018; later ones use the main network's. */
const TEST_NETWORK = 0xa0;

export const checkTron: AddressCheck = (address) => {
  // Nodes and contracts write accounts in hex; wallets accept only base58.
  if (/^(0x|41)[0-9a-f]{40}$/i.test(address)) return "unknown format";
  const payload = decodeBase58Check(address, [21]);
  if (typeof payload === "string") return payload;
  if (payload[0] === MAIN_NETWORK) return { canonical: address, format: "base58check" };
  return payload[0] === TEST_NETWORK ? "testnet address" : "wrong network";
};
