/** The host's key of either kind, behind one interface. */
import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { base58 } from "@scure/base";
import type { Ed25519Jwk, SigningAccount, SigningOptions } from "./options.js";

export interface Signer {
  /** A DID URL that contains the key, so that it can be verified offline. */
  readonly kid: string;
  /** Its name in the registry of RFC 9421, if it has one. */
  readonly algorithm?: "ed25519";
  /** The public key, as published. */
  readonly jwk: Record<string, string>;
  /** Absent for a key that signs bytes only. */
  readonly account?: SigningAccount;
  sign(bytes: Uint8Array): Promise<Uint8Array>;
}

/** Throws a TypeError that describes an invalid `signing.key`. */
export function openSigner({ key }: SigningOptions): Signer {
  if (typeof key !== "object" || key === null) throw wrongKey();
  return "signMessage" in key ? ofAccount(key) : ofEd25519(key);
}

const wrongKey = (cause?: unknown) =>
  new TypeError("signing.key must be a private Ed25519 JWK (kty, crv, x, d), or an account as viem's are.", { cause });

/** The prefix of an Ed25519 public key in a did:key. */
const MULTICODEC_ED25519 = [0xed, 0x01];

function ofEd25519(jwk: Ed25519Jwk): Signer {
  if (jwk.kty !== "OKP" || jwk.crv !== "Ed25519" || typeof jwk.d !== "string") throw wrongKey();
  let key: ReturnType<typeof createPrivateKey>;
  try {
    key = createPrivateKey({ key: { kty: "OKP", crv: "Ed25519", x: jwk.x ?? "", d: jwk.d }, format: "jwk" });
  } catch (cause) {
    throw wrongKey(cause);
  }
  // Derives the public key from the private one, since a wrong `x` would publish a key that verifies nothing.
  const { x = "" } = createPublicKey(key).export({ format: "jwk" });
  const name = `z${base58.encode(Uint8Array.from([...MULTICODEC_ED25519, ...Buffer.from(x, "base64url")]))}`;
  const kid = `did:key:${name}#${name}`;
  return {
    kid,
    algorithm: "ed25519",
    jwk: { kty: "OKP", crv: "Ed25519", x, kid, alg: "EdDSA", use: "sig" },
    sign: async (bytes) => sign(null, bytes, key),
  };
}

function ofAccount(account: SigningAccount): Signer {
  const { address, publicKey } = account;
  if (!/^0x[0-9a-fA-F]{40}$/.test(address ?? "") || typeof account.signTypedData !== "function") throw wrongKey();
  const kid = `did:pkh:eip155:1:${address}`;
  const point =
    publicKey && /^0x04[0-9a-f]{128}$/i.test(publicKey) ? Buffer.from(publicKey.slice(4), "hex") : undefined;
  const coordinates = point && {
    x: point.subarray(0, 32).toString("base64url"),
    y: point.subarray(32).toString("base64url"),
  };
  return {
    kid,
    jwk: { kty: "EC", crv: "secp256k1", ...coordinates, kid, use: "sig" },
    account,
    sign: async (bytes) => Buffer.from((await account.signMessage({ message: { raw: bytes } })).slice(2), "hex"),
  };
}
