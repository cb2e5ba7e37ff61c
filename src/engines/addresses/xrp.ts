/** XRP Ledger: classic addresses, and X-addresses (XLS-5), which contain a destination tag and the network. */
import { base58xrp } from "@scure/base";
import type { AddressCheck, Reason, ValidAddress } from "./address.js";
import { decodeBase58Check, encodeBase58Check } from "./base58.js";

const ACCOUNT_BYTES = 20;
const CLASSIC_LENGTH = 1 + ACCOUNT_BYTES;
/** Two bytes of prefix, the account, a flag, and eight bytes of tag. */
const X_LENGTH = 2 + ACCOUNT_BYTES + 1 + 8;
const ACCOUNT_PREFIX = 0x00;
const X_MAIN_PREFIX = 0x0544;
const X_TEST_PREFIX = 0x0493;

export const checkXrp: AddressCheck = (address) => {
  const payload = decodeBase58Check(address, [CLASSIC_LENGTH, X_LENGTH], base58xrp);
  if (typeof payload === "string") return payload;
  if (payload.length === X_LENGTH) return checkXAddress(address, payload);
  return payload[0] === ACCOUNT_PREFIX ? { canonical: address, format: "classic" } : "unknown format";
};

function checkXAddress(address: string, payload: Uint8Array): ValidAddress | Reason {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  const prefix = view.getUint16(0);
  const flag = view.getUint8(22);
  const tag = view.getUint32(23, true);
  // 64-bit tags are reserved: flag 2, or a value in the upper four bytes.
  const reserved = flag > 1 || view.getUint32(27, true) !== 0 || (flag === 0 && tag !== 0);
  if (reserved || (prefix !== X_MAIN_PREFIX && prefix !== X_TEST_PREFIX)) return "unknown format";
  if (prefix === X_TEST_PREFIX) return "testnet address";
  const account = payload.subarray(2, 2 + ACCOUNT_BYTES);
  const classicAddress = encodeBase58Check(Uint8Array.of(ACCOUNT_PREFIX, ...account), base58xrp);
  return { canonical: address, format: "x_address", classicAddress, tag: flag === 1 ? tag : null };
}
