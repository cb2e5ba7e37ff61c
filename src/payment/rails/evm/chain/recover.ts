/** Recovers the signer of a hash with the fastest available implementation of secp256k1; all give the same result. */
import { without } from "../../../../errors.js";
import { lazy } from "../../../../lib/lazy.js";
import { keccak } from "./typed-data.js";

export interface RecoverableSignature {
  /** r and s, 64 bytes. */
  compact: Uint8Array;
  recovery: 0 | 1;
}

export interface Recovery {
  name: string;
  /** The public key, 65 bytes; undefined for an invalid signature. */
  recover(hash: Uint8Array, signature: RecoverableSignature): Uint8Array | undefined;
}

/**
 * Half of the curve's order: each signature with a greater s has a twin with a lower one, and the token's contract
 * accepts only the lower.
 */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/**
 * Reads a signature of 65 bytes as facilitators do: `v` is 27 or 28, or the older 0 or 1, and s is in the lower half.
 * Undefined for any other.
 */
export function readSignature(hex: string): RecoverableSignature | undefined {
  if (!/^0x[0-9a-fA-F]{130}$/.test(hex)) return undefined;
  const bytes = Buffer.from(hex.slice(2), "hex");
  const v = bytes[64] ?? -1;
  const recovery = v >= 27 ? v - 27 : v;
  if (recovery !== 0 && recovery !== 1) return undefined;
  if (BigInt(`0x${hex.slice(66, 130)}`) > HALF_ORDER) return undefined;
  return { compact: new Uint8Array(bytes.subarray(0, 64)), recovery };
}

/** Native code, with binaries for common platforms: several times as fast as WebAssembly. */
export async function nativeRecovery(): Promise<Recovery> {
  // The package's main file falls back to JavaScript in silence, slower than what follows here.
  const { default: native } = await import("secp256k1/bindings.js").catch(without("secp256k1"));
  return {
    name: "secp256k1",
    recover: (hash, { compact, recovery }) => orNone(() => native.ecdsaRecover(compact, recovery, hash, false)),
  };
}

/** WebAssembly. */
export async function wasmRecovery(): Promise<Recovery> {
  const wasm = await import("tiny-secp256k1").catch(without("tiny-secp256k1"));
  return {
    name: "tiny-secp256k1",
    recover: (hash, { compact, recovery }) => orNone(() => wasm.recover(hash, compact, recovery, false) ?? undefined),
  };
}

/** Always available. */
export async function jsRecovery(): Promise<Recovery> {
  const { secp256k1 } = await import("@noble/curves/secp256k1.js");
  return {
    name: "@noble/curves",
    recover: (hash, { compact, recovery }) =>
      orNone(() =>
        secp256k1.Signature.fromBytes(compact, "compact")
          .addRecoveryBit(recovery)
          .recoverPublicKey(hash)
          .toBytes(false),
      ),
  };
}

/** The fastest one that is installed and runs here. */
export const fastestRecovery = lazy(() => nativeRecovery().catch(wasmRecovery).catch(jsRecovery));

/** The address whose key signed the hash, in lower case; undefined for an invalid signature. */
export async function recoverAddress(hash: Uint8Array, hex: string): Promise<string | undefined> {
  const signature = readSignature(hex);
  if (!signature) return undefined;
  const [curve, hashOf] = await Promise.all([fastestRecovery(), keccak()]);
  const publicKey = curve.recover(hash, signature);
  return publicKey && `0x${Buffer.from(hashOf(publicKey.subarray(1)).subarray(12)).toString("hex")}`;
}

/**
 * The same for signatures that contracts verify byte by byte, such as vouchers: contracts accept only `v` of 27 or 28,
 * so a voucher with 0 or 1 could not be claimed.
 */
// guard: channel: a voucher's signature is one that the contract takes | always | signatures --channels
export const recoverOnChain = async (hash: Uint8Array, hex: string): Promise<string | undefined> =>
  /1[bc]$/i.test(hex) ? recoverAddress(hash, hex) : undefined;

/** Libraries throw for points that are not on the curve. */
function orNone(recover: () => Uint8Array | undefined): Uint8Array | undefined {
  try {
    return recover();
  } catch {
    return undefined;
  }
}
