/** Bitcoin Cash: CashAddr with or without its prefix, or the older base58check form. */
import { bech32 } from "@scure/base";
import type { AddressCheck, Reason, ValidAddress } from "./address.js";
import { decodeBase58Check } from "./base58.js";
import { isMixedCase } from "./segwit.js";

const PREFIX = "bitcoincash";
const TEST_PREFIXES = ["bchtest", "bchreg"];
const CHARSET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const CHECKSUM_LENGTH = 8;

/** By version byte: four bits of type, three of hash size (0 is 20 bytes, 3 is 32). Types 2 and 3 may hold tokens. */
const FORMATS = new Map([
  [0b0_0000_000, "cashaddr_p2pkh"],
  [0b0_0001_000, "cashaddr_p2sh"],
  [0b0_0001_011, "cashaddr_p2sh32"],
  [0b0_0010_000, "cashaddr_p2pkh_tokens"],
  [0b0_0011_000, "cashaddr_p2sh_tokens"],
  [0b0_0011_011, "cashaddr_p2sh32_tokens"],
]);
const HASH_LENGTHS = [20, 24, 28, 32, 40, 48, 56, 64];

const LEGACY_P2PKH = 0;
const LEGACY_P2SH = 5;
const LEGACY_TEST_VERSIONS = [111, 196];

/** The version bytes of all types begin with one of these letters. */
const BARE_CASHADDR = /^[qpzr]/i;

export const checkBitcoinCash: AddressCheck = (address) =>
  address.includes(":") || BARE_CASHADDR.test(address) ? checkCashAddr(address) : checkLegacy(address);

function checkCashAddr(address: string): ValidAddress | Reason {
  if (isMixedCase(address)) return "mixed case";
  const [first = "", second, ...more] = address.toLowerCase().split(":");
  if (more.length > 0) return "bad character";
  const data = second ?? first;
  if ([...data].some((character) => !CHARSET.includes(character))) return "bad character";
  if (data.length <= CHECKSUM_LENGTH) return "bad length";

  const words = [...data].map((character) => CHARSET.indexOf(character));
  const prefixes = second === undefined ? [PREFIX, ...TEST_PREFIXES] : [first];
  const prefix = prefixes.find((prefix) => polymod([...expand(prefix), ...words]) === 0n);
  if (prefix === undefined) return "bad checksum";
  const format = formatOf(words.slice(0, -CHECKSUM_LENGTH));
  if (format === "bad length" || format === "unknown format") return format;
  if (TEST_PREFIXES.includes(prefix)) return "testnet address";
  if (prefix !== PREFIX) return "wrong network";
  return { canonical: `${PREFIX}:${data}`, format };
}

function formatOf(words: number[]): string {
  const [version = 0, ...hash] = bech32.fromWordsUnsafe(words) ?? [];
  if (hash.length !== HASH_LENGTHS[version & 0b111]) return "bad length";
  return FORMATS.get(version) ?? "unknown format";
}

function checkLegacy(address: string): ValidAddress | Reason {
  const payload = decodeBase58Check(address, [21]);
  if (typeof payload === "string") return payload;
  const [version = 0, ...hash] = payload;
  if (LEGACY_TEST_VERSIONS.includes(version)) return "testnet address";
  if (version !== LEGACY_P2PKH && version !== LEGACY_P2SH) return "wrong network";
  const type = version === LEGACY_P2PKH ? 0b0_0000_000 : 0b0_0001_000;
  return { canonical: encodeCashAddr([type, ...hash]), format: "legacy" };
}

function encodeCashAddr(bytes: number[]): string {
  const words = bech32.toWords(Uint8Array.from(bytes));
  const checksum = polymod([...expand(PREFIX), ...words, ...new Array<number>(CHECKSUM_LENGTH).fill(0)]);
  const checksumWords = Array.from({ length: CHECKSUM_LENGTH }, (_, index) =>
    Number((checksum >> BigInt(5 * (CHECKSUM_LENGTH - 1 - index))) & 31n),
  );
  return `${PREFIX}:${[...words, ...checksumWords].map((word) => CHARSET[word]).join("")}`;
}

/** The prefix as input of the checksum: the lower five bits of each letter, then a zero. */
function expand(prefix: string): number[] {
  return [...[...prefix].map((letter) => (letter.codePointAt(0) ?? 0) & 31), 0];
}

const GENERATORS = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n];

/** The 40-bit BCH code of the CashAddr specification; 0 for a valid address with its checksum. */
function polymod(words: number[]): bigint {
  let checksum = 1n;
  for (const word of words) {
    const top = checksum >> 35n;
    checksum = ((checksum & 0x07ffffffffn) << 5n) ^ BigInt(word);
    GENERATORS.forEach((generator, bit) => {
      if ((top >> BigInt(bit)) & 1n) checksum ^= generator;
    });
  }
  return checksum ^ 1n;
}
