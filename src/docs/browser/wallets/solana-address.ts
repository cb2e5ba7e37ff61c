/** Addresses of Solana: base58, and the account that holds an owner's tokens. */

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const BYTES = 32;
const ASSOCIATED_TOKEN_PROGRAM = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL";

/** The 32 bytes of an address. Throws for another text. */
export function bytesOf(address: string): Uint8Array {
  let number = 0n;
  for (const sign of address) {
    const digit = ALPHABET.indexOf(sign);
    if (digit < 0) throw new Error(`${address} is not a Solana address.`);
    number = number * 58n + BigInt(digit);
  }
  const hex = number.toString(16).padStart(2 * BYTES, "0");
  if (hex.length > 2 * BYTES) throw new Error(`${address} is not a Solana address.`);
  return Uint8Array.from({ length: BYTES }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16));
}

export function addressOf(bytes: Uint8Array): string {
  let text = "";
  for (let number = numberOf(bytes); number > 0n; number /= 58n) text = ALPHABET[Number(number % 58n)] + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return "1".repeat(zeros < 0 ? bytes.length : zeros) + text;
}

/** Big-endian. */
const numberOf = (bytes: Uint8Array): bigint => bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);

/** The address of the owner's associated token account: the first hash of its seeds that no key can belong to. */
export async function tokenAccountOf(owner: string, mint: string, tokenProgram: string): Promise<string> {
  const seeds = [owner, tokenProgram, mint].flatMap((address) => [...bytesOf(address)]);
  const end = [...bytesOf(ASSOCIATED_TOKEN_PROGRAM), ...new TextEncoder().encode("ProgramDerivedAddress")];
  for (let bump = 255; bump >= 0; bump--) {
    const hash = await crypto.subtle.digest("SHA-256", Uint8Array.from([...seeds, bump, ...end]));
    const bytes = new Uint8Array(hash);
    if (!isOnCurve(bytes)) return addressOf(bytes);
  }
  throw new Error("This wallet has no address for such tokens.");
}

/** The field and the constant of edwards25519. */
const P = 2n ** 255n - 19n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

/** Whether bytes are a point of the curve, so that a key may belong to them: x² = (y² − 1) / (d·y² + 1) has a root. */
function isOnCurve(bytes: Uint8Array): boolean {
  const y = numberOf(bytes.slice().reverse()) & (2n ** 255n - 1n);
  const square = (y * y) % P;
  // A quotient has a root if the product has one.
  return power(((square - 1n + P) * (D * square + 1n)) % P, (P - 1n) / 2n) !== P - 1n;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let factor = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * factor) % P;
    factor = (factor * factor) % P;
  }
  return result;
}
