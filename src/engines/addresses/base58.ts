/** Base58Check: a payload and the first four bytes of its double SHA-256. */
import { sha256 } from "@noble/hashes/sha2.js";
import { type BytesCoder, base58 } from "@scure/base";
import type { Reason } from "./address.js";

const CHECKSUM_BYTES = 4;

/** Every base58 alphabet, XRP's too, is a permutation of these characters. */
export function isBase58(text: string): boolean {
  return /^[1-9A-HJ-NP-Za-km-z]+$/.test(text);
}

/** The payload of an address, whose length must be one of `lengths`. */
export function decodeBase58Check(
  address: string,
  lengths: readonly number[],
  codec: BytesCoder = base58,
): Uint8Array | Reason {
  if (!isBase58(address)) return "bad character";
  const bytes = codec.decode(address);
  const payload = bytes.subarray(0, -CHECKSUM_BYTES);
  if (!lengths.includes(payload.length)) return "bad length";
  const checksum = checksumOf(payload);
  const matches = bytes.subarray(-CHECKSUM_BYTES).every((byte, index) => byte === checksum[index]);
  return matches ? payload : "bad checksum";
}

export function encodeBase58Check(payload: Uint8Array, codec: BytesCoder = base58): string {
  return codec.encode(Uint8Array.of(...payload, ...checksumOf(payload)));
}

function checksumOf(payload: Uint8Array): Uint8Array {
  return sha256(sha256(payload)).subarray(0, CHECKSUM_BYTES);
}
