/** Shared by the EVM schemes: addresses, numbers, and the signer of typed data. */
import { z } from "zod";
import { once } from "../../../../lib/lazy.js";
import { PaymentRefused } from "../../../x402/refusal.js";
import type { Rpc } from "../../rpc.js";
import { recoverAddress } from "./recover.js";
import { hashTypedData, type TypedData } from "./typed-data.js";

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
export const address = once(() => z.string().regex(ADDRESS));
// BigInt() accepts "", " 1" and "0x10", so amounts are checked to be digits.
export const uint256 = once(() =>
  z
    .string()
    .regex(/^(?:0|[1-9]\d{0,77})$/)
    .refine((digits) => digits.length < 78 || BigInt(digits) < 2n ** 256n),
);
export const signature = once(() => z.string().regex(/^0x(?:[0-9a-fA-F]{2}){1,4096}$/));

export const isEvmAddress = (text: string): boolean => ADDRESS.test(text);

export function assertAddress(text: string, option: string): void {
  if (!isEvmAddress(text)) throw new TypeError(`${option} must be an address: 0x and 40 hex digits.`);
}

export function sameAddress(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/**
 * True if the payer's own key signed. False if only a contract can verify the signature, which the facilitator then
 * does: it is longer than 65 bytes (EIP-1271, ERC-6492), or of 65 bytes by another key while the payer is a contract.
 * Throws PaymentRefused for any other signature.
 */
export async function isSignedBy(
  payer: string,
  { data, hex }: { data: TypedData; hex: string },
  rpc?: Rpc | undefined,
): Promise<boolean> {
  const bytes = (hex.length - 2) / 2;
  if (bytes > 65) return false;
  const signer = await recoverAddress(await hashTypedData(data), hex);
  if (signer !== undefined && sameAddress(signer, payer)) return true;
  if (bytes === 65 && rpc && (await isContract(rpc, payer))) return false;
  // guard: the signature is checked | throw -> if (false) throw | PAYMENT
  throw new PaymentRefused("PAYMENT_SIGNATURE_INVALID", "The signature is not the payer's over these requirements.");
}

const IS_VALID_SIGNATURE = "0x1626ba7e";
/** A contract confirms its signature with the selector alone, padded to a word. */
const YES = IS_VALID_SIGNATURE.padEnd(66, "0");

/** Whether a contract confirms a signature of a hash (EIP-1271). Without a contract the answer is empty. */
export async function isSignedByContract(
  rpc: Rpc,
  contract: string,
  { hash, hex }: { hash: Uint8Array; hex: string },
): Promise<boolean> {
  const call = { to: contract, data: IS_VALID_SIGNATURE + encodeHashAndBytes(hash, hex.slice(2)) };
  // Nodes reject a call that the contract reverts.
  const answer = await rpc("eth_call", [call, "latest"]).catch(() => "0x");
  return typeof answer === "string" && answer.toLowerCase() === YES;
}

/** `(bytes32, bytes)` as contracts read it: the hash, where the bytes begin, their length, and they, in whole words. */
function encodeHashAndBytes(hash: Uint8Array, digits: string): string {
  const word = (count: number) => count.toString(16).padStart(64, "0");
  const padded = digits.padEnd(Math.ceil(digits.length / 64) * 64, "0");
  return Buffer.from(hash).toString("hex") + word(64) + word(digits.length / 2) + padded;
}

/** While no node answers, an account counts as one with a key. */
async function isContract(rpc: Rpc, address: string): Promise<boolean> {
  try {
    return z.string().parse(await rpc("eth_getCode", [address, "latest"])).length > 2;
  } catch {
    return false;
  }
}
