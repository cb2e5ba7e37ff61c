/** Segregated witness addresses: bech32 (BIP 173) for version 0, bech32m (BIP 350) for the later ones. */
import { bech32, bech32m } from "@scure/base";
import type { Reason } from "./address.js";

const MAX_LENGTH = 90;
const MIN_DATA_LENGTH = 7;
const LAST_WITNESS_VERSION = 16;

export interface SegwitAddress {
  prefix: string;
  version: number;
  program: Uint8Array;
}

/** Decodes a segwit address with a known prefix. */
export function decodeSegwit(address: string, prefix: string): SegwitAddress | Reason {
  if (address.length > MAX_LENGTH) return "bad length";
  if (isMixedCase(address)) return "mixed case";
  const data = address.slice(prefix.length + 1);
  if (!/^[02-9ac-hj-np-z]*$/i.test(data)) return "bad character";
  if (data.length < MIN_DATA_LENGTH) return "bad length";

  const plain = bech32.decodeUnsafe(address, MAX_LENGTH);
  const decoded = plain ?? bech32m.decodeUnsafe(address, MAX_LENGTH);
  if (!decoded) return "bad checksum";
  const [version = 0, ...words] = decoded.words;
  if (version > LAST_WITNESS_VERSION) return "unknown format";
  if ((version === 0) !== (plain !== undefined)) return "wrong checksum algorithm";
  // Undefined if the padding is not zero or too long.
  const program = bech32.fromWordsUnsafe(words);
  if (!program || !isProgramLength(version, program.length)) return "bad length";
  return { prefix, version, program };
}

function isProgramLength(version: number, length: number): boolean {
  return version === 0 ? length === 20 || length === 32 : length >= 2 && length <= 40;
}

/** Whether a text has a bech32 checksum, whatever its prefix. */
export function isBech32(text: string): boolean {
  return (bech32.decodeUnsafe(text, MAX_LENGTH) ?? bech32m.decodeUnsafe(text, MAX_LENGTH)) !== undefined;
}

export function isMixedCase(text: string): boolean {
  return text !== text.toLowerCase() && text !== text.toUpperCase();
}
