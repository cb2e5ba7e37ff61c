/** Public RSA keys that nobody should trust. */
export const MAX_RSA_BITS = 8_192;
const LEAST_RSA_BITS = 2_048;
const MAX_EXPONENT_BITS = 64;

/** Bits of a number in base64url, or of bytes as they are. */
export function sizeInBits(text: unknown, asBytes = false): number {
  if (typeof text !== "string") return 0;
  const bytes = Buffer.from(text, "base64url");
  if (asBytes) return bytes.length * 8;
  const first = bytes.findIndex((byte) => byte !== 0);
  return first < 0 ? 0 : (bytes.length - first) * 8 - Math.clz32(bytes[first] ?? 0) + 24;
}

const numberIn = (text: unknown): bigint =>
  BigInt(`0x${Buffer.from(typeof text === "string" ? text : "", "base64url").toString("hex") || "0"}`);

/** Too short, with an exponent that proves nothing or costs much, or of the flawed generator of CVE-2017-15361. */
export function isWeakRsa(modulus: unknown, exponent: unknown): boolean {
  const e = numberIn(exponent);
  if (sizeInBits(modulus) < LEAST_RSA_BITS || sizeInBits(exponent) > MAX_EXPONENT_BITS) return true;
  return e < 3n || e % 2n === 0n || isOfFlawedGenerator(numberIn(modulus));
}

const PRIMES = [
  ...[3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107],
  ...[109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167],
];

/** Its primes are powers of 65537 modulo each small prime, and so are their products; of other keys one in 2^27 is. */
function isOfFlawedGenerator(modulus: bigint): boolean {
  return PRIMES.every((prime) => {
    const rest = Number(modulus % BigInt(prime));
    for (let power = 1, steps = 0; steps < prime; steps++) {
      if (power === rest) return true;
      power = (power * 65_537) % prime;
    }
    return false;
  });
}
