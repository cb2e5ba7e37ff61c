/** Keys of callers: which of them may judge a token. A key works only with the algorithm that it names. */
import { createPrivateKey, createPublicKey } from "node:crypto";
import type { CryptoKey, JWK } from "jose";
import { invalid } from "../../errors.js";
import { keyMaterialIn } from "./key-material.js";
import { isJsonObject, type Json } from "./parts.js";
import { isWeakRsa, MAX_RSA_BITS, sizeInBits } from "./rsa.js";

export type Key =
  /** `isMaterial`: its text is a key or JSON, and the caller called it a secret. */
  | { kind: "secret"; bytes: Uint8Array; isMaterial: boolean }
  | { kind: "pem"; pem: string; label: string }
  | { kind: "jwk"; jwk: Json }
  | { kind: "set"; jwks: Json[] }
  /** A key in a form that judges no token. */
  | { kind: "other"; what: string };

/** Whether a key is known by its text, or is a secret whatever it says. */
export type KeyKind = "auto" | "secret";

type Jose = typeof import("jose");

const MAX_KEYS = 50;
const MAX_SECRET = 4_000;

/** Reads the key of an input. Throws INVALID_INPUT with its path. */
export function readKey(key: string | Json, kind: KeyKind = "auto"): Key {
  if (typeof key !== "string") {
    if (kind === "secret") throw invalid("key", "must be text where kind is secret");
    return keyIn(key);
  }
  const found = keyMaterialIn(key);
  if (kind === "secret") return secretOf(key, found !== undefined);
  if (found?.kind === "json") return keyInJson(found.value);
  if (found) return found;
  if (/^\s*\{/.test(key)) throw invalid("key", "begins like a JWK, but is not JSON");
  return secretOf(key, false);
}

function secretOf(key: string, isMaterial: boolean): Key {
  if (key.length > MAX_SECRET)
    throw invalid("key", `must be a secret of at most ${MAX_SECRET} characters, a JWK or PEM`);
  return { kind: "secret", bytes: new TextEncoder().encode(key), isMaterial };
}

function keyInJson(value: unknown): Key {
  if (Array.isArray(value)) return keyIn({ keys: value });
  if (isJsonObject(value)) return keyIn(value);
  throw invalid("key", "is JSON, and so taken for no secret: say kind: secret, or send the text that it holds");
}

function keyIn(jwk: Json): Key {
  const { keys } = jwk;
  const jwks = Array.isArray(keys) ? keys : [jwk];
  if (jwks.length === 0 || jwks.length > MAX_KEYS) throw invalid("key.keys", `must be 1 to ${MAX_KEYS} keys`);
  if (!jwks.every(isJsonObject) || jwks.some(({ kty }) => typeof kty !== "string"))
    throw invalid("key", 'must be a JWK, an object with the field "kty", or a set of them in "keys"');
  // guard: offline: a key of RSA has a largest size | never | jwt
  for (const { kty, n } of jwks as Json[])
    if (kty === "RSA" && sizeInBits(n) > MAX_RSA_BITS)
      throw invalid("key", `has an RSA modulus above ${MAX_RSA_BITS} bits, which this endpoint does not compute with`);
  return Array.isArray(keys) ? { kind: "set", jwks } : { kind: "jwk", jwk };
}

export interface Purpose {
  form: "jws" | "jwe";
  alg: string;
  /** Encryption of the content. */
  enc: unknown;
  kid: unknown;
}

/** Least bytes of a secret by algorithm (RFC 7518, 3.2). */
export const LEAST_BYTES: Readonly<Record<string, number>> = { HS256: 32, HS384: 48, HS512: 64 };

/** The type of key that an algorithm works with. */
function typeOf(alg: string): string {
  if (/^(?:RS|PS|RSA)/.test(alg)) return "RSA";
  if (/^ES\d/.test(alg)) return "EC";
  if (/^Ed/.test(alg)) return "OKP";
  return alg.startsWith("ECDH") ? "EC OKP" : "oct";
}

/** The keys that may judge a token; none if a set is ambiguous. */
export function candidates(key: Extract<Key, { kind: "jwk" | "set" }>, purpose: Purpose): Json[] {
  const all = key.kind === "jwk" ? [key.jwk] : key.jwks;
  const kids = all.map(({ kid }) => kid).filter((kid) => kid !== undefined);
  const isMixed = all.some(({ kty }) => kty === "oct") && all.some(({ kty }) => kty !== "oct");
  if (isMixed || new Set(kids).size < kids.length) return [];
  const isNamed = key.kind === "set" && purpose.kid !== undefined && kids.length > 0;
  return all.filter((jwk) => (!isNamed || jwk.kid === purpose.kid || jwk.kid === undefined) && fits(jwk, purpose));
}

const OPERATIONS = { jws: ["verify", "sign"], jwe: ["decrypt", "unwrapKey", "deriveKey", "deriveBits", "wrapKey"] };

function fits(jwk: Json, { form, alg, enc }: Purpose): boolean {
  const { kty, alg: own, use, key_ops: operations, n, e, k } = jwk;
  // A key that encrypts the content itself may name that algorithm.
  if (own !== undefined && own !== alg && !(alg === "dir" && own === enc)) return false;
  if (!typeOf(alg).split(" ").includes(String(kty))) return false;
  if (use !== undefined && use !== (form === "jws" ? "sig" : "enc")) return false;
  if (
    operations !== undefined &&
    !(Array.isArray(operations) && OPERATIONS[form].some((one) => operations.includes(one)))
  )
    return false;
  if (kty === "RSA") return !isWeakRsa(n, e);
  return kty !== "oct" || sizeInBits(k, true) >= 8 * (LEAST_BYTES[alg] ?? 0);
}

/** The key as the library takes it: public where the token is signed by a key pair. */
export async function importKey(jose: Jose, jwk: Json, { form, alg }: Purpose): Promise<CryptoKey | Uint8Array> {
  const { kty, crv, n, e, x, y, k } = jwk;
  const part = form === "jwe" ? jwk : kty === "oct" ? { kty, k } : { kty, crv, n, e, x, y };
  // Its usages were judged above.
  const { use: _, key_ops: __, alg: ___, ...rest } = part as Json;
  const known = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  return jose.importJWK(known as JWK, alg);
}

/** A key in PEM: a public key, a certificate, or a private key whose public half verifies. */
export async function importPem(jose: Jose, { pem, label }: { pem: string; label: string }, purpose: Purpose) {
  if (!/(?:PUBLIC KEY|PRIVATE KEY|CERTIFICATE)$/.test(label) || /OPENSSH|ENCRYPTED/.test(label))
    throw invalid("key", "must be PEM of a public key, a certificate or a private key that is not encrypted");
  try {
    if (!label.endsWith("PRIVATE KEY")) return await jose.importSPKI(spkiOf(pem), purpose.alg, { extractable: true });
    const pkcs8 = createPrivateKey(pem).export({ type: "pkcs8", format: "pem" }).toString();
    return await jose.importPKCS8(pkcs8, purpose.alg, { extractable: true });
  } catch {
    throw invalid("key", `is PEM, but not a key that ${purpose.alg} works with`);
  }
}

const spkiOf = (pem: string): string => createPublicKey(pem).export({ type: "spki", format: "pem" }).toString();
