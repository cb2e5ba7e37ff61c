/** IP addresses as bytes: 4 or 16. An IPv4 address inside an IPv6 one counts as IPv4. */
import { isIP } from "node:net";

/** 4 or 6; 0 for other texts. */
export const versionOf = (text: string): number => (text.includes("%") ? 0 : isIP(text));

/** Undefined for other texts. */
export function addressBytes(text: string): Uint8Array | undefined {
  const version = versionOf(text);
  if (version === 4) return Uint8Array.from(text.split(".").map(Number));
  if (version !== 6) return undefined;
  const bytes = sixteenBytes(text);
  const isMapped = bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  return isMapped ? bytes.slice(12) : bytes;
}

/** The same without the rule for IPv4 inside IPv6. */
export function sixteenBytes(text: string): Uint8Array {
  const [, before = "", quad = ""] = /^(.*?)((?:\d+\.){3}\d+)?$/.exec(text) ?? [];
  const [a = 0, b = 0, c = 0, d = 0] = quad.split(".").map(Number);
  const tail = quad ? [(a << 8) | b, (c << 8) | d].map((word) => word.toString(16)).join(":") : "";
  const [head = "", rest] = `${before}${tail}`.split("::");
  const wordsOf = (part: string) =>
    part
      .split(":")
      .filter(Boolean)
      .map((word) => Number.parseInt(word, 16));
  const [left, right] = [wordsOf(head), wordsOf(rest ?? "")];
  const words = [...left, ...new Array<number>(Math.max(0, 8 - left.length - right.length)).fill(0), ...right];
  return Uint8Array.from(words.flatMap((word) => [word >> 8, word & 255]));
}

/** Whether the first `bits` of two addresses of the same family are the same. */
export function isWithin(address: Uint8Array, network: Uint8Array, bits: number): boolean {
  if (address.length !== network.length) return false;
  return address.every((byte, place) => {
    const left = Math.min(8, Math.max(0, bits - place * 8));
    const mask = (0xff << (8 - left)) & 0xff;
    return (byte & mask) === ((network[place] ?? 0) & mask);
  });
}

/** Digits of IPv6 one by one, or IPv4 as usual: what macros write. */
export const dotted = (bytes: Uint8Array): string =>
  bytes.length === 4 ? bytes.join(".") : [...Buffer.from(bytes).toString("hex").toUpperCase()].join(".");

/** The name below which the host name of an address stands. */
export const reverseName = (bytes: Uint8Array): string =>
  `${dotted(bytes).split(".").reverse().join(".")}.${bytes.length === 4 ? "in-addr" : "ip6"}.arpa`;

/** As people write it: lower case, zeros left out. */
export function written(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join(".");
  const words = Array.from({ length: 8 }, (_, i) =>
    (((bytes[2 * i] ?? 0) << 8) | (bytes[2 * i + 1] ?? 0)).toString(16),
  );
  return new URL(`http://[${words.join(":")}]/`).hostname.slice(1, -1);
}
