/** Judges a JSON Web Token: its signature or encryption by a key, and its claims by the clock. */
import type { CryptoKey } from "jose";
import { invalid, without } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import {
  candidates,
  importKey,
  importPem,
  type Key,
  type KeyKind,
  LEAST_BYTES,
  type Purpose,
  readKey,
} from "./keys.js";
import { exactJsonIn, isJsonObject, type Json, jsonIn, type Parts, readParts } from "./parts.js";
import type { Reason } from "./reasons.js";
import { MAX_RSA_BITS } from "./rsa.js";

const library = /* @__PURE__ */ lazy(() => import("jose").catch(without("jose")));

export interface TokenQuestion {
  token: string;
  key?: string | Json | undefined;
  kind?: KeyKind | undefined;
  algorithms?: readonly string[] | undefined;
  issuer?: string | undefined;
  audience?: string | undefined;
  checkClaims: boolean;
}

export interface TokenVerdict {
  header: Json | null;
  claims: Json | null;
  payload: string | null;
  form: "jws" | "jwe" | null;
  verified: boolean | null;
  reason: Reason | null;
  expired: boolean;
  notYet: boolean;
  expiresAt: string | null;
  warnings: string[];
}

const SIGNING = /^(?:(?:HS|RS|PS)(?:256|384|512)|ES(?:256|384|512)|EdDSA|Ed25519)$/;
const ENCRYPTING =
  /^(?:RSA-OAEP(?:-(?:256|384|512))?|A(?:128|192|256)(?:GCM)?KW|dir|ECDH-ES(?:\+A(?:128|192|256)KW)?|PBES2-HS(?:256\+A128|384\+A192|512\+A256)KW)$/;
const MAX_ROUNDS = 10_000;

/** The verdict at a time in milliseconds. Throws INVALID_INPUT for keys that are none, or cost too much. */
export async function judgeToken(question: TokenQuestion, now: number): Promise<TokenVerdict> {
  const key = question.key === undefined ? undefined : readKey(question.key, question.kind);
  const parts = readParts(question.token.trim());
  if (!parts) return { ...NOTHING, verified: false, reason: "malformed" };
  const opened = await open(question, parts, key);
  const { bytes, reason } = opened;
  const claims = bytes ? (jsonIn(bytes) ?? null) : null;
  const times = timesOf(claims, now);
  const failed = reason ?? (question.checkClaims ? claimsReason(question, claims, times) : null);
  const exact: string[] = [];
  const shown = (text: Uint8Array) => exactJsonIn(text, (name) => exact.push(name));
  return {
    header: shown(parts.headerBytes),
    form: parts.form,
    claims: claims && bytes ? shown(bytes) : null,
    payload: claims || !bytes ? null : new TextDecoder().decode(bytes),
    verified: failed === "no-key" ? null : failed === null,
    reason: failed,
    expired: times.expired,
    notYet: times.notYet,
    expiresAt: times.expiresAt,
    warnings: [
      ...warningsOf(parts, key, claims),
      ...(exact.length > 0
        ? [`Numbers with more digits than readers of JSON keep are given as texts: ${exact.join(", ")}.`]
        : []),
    ],
  };
}

const NOTHING: TokenVerdict = {
  ...{ header: null, claims: null, payload: null, form: null, verified: null, reason: null },
  ...{ expired: false, notYet: false, expiresAt: null, warnings: [] },
};

interface Opened {
  /** The signed or encrypted content, as far as it can be read. */
  bytes?: Uint8Array;
  reason: Reason | null;
}

async function open({ token, algorithms }: TokenQuestion, parts: Parts, key: Key | undefined): Promise<Opened> {
  const { form, header, payload } = parts;
  const known: Opened = form === "jws" ? { bytes: payload, reason: null } : { reason: null };
  const alg = String(header.alg);
  if (alg.toLowerCase() === "none") return { ...known, reason: "unsecured" };
  const isAllowed = (form === "jws" ? SIGNING : ENCRYPTING).test(alg) && (algorithms?.includes(alg) ?? true);
  if (!isAllowed) return { ...known, reason: "algorithm" };
  if (!key) return { ...known, reason: "no-key" };
  assertRounds(header);
  const purpose: Purpose = { form, alg, enc: header.enc, kid: header.kid };
  const jose = await library();
  const keys = await keysFor(jose, key, purpose);
  if (keys.length === 0) return { ...known, reason: "key" };
  for (const one of keys) {
    const bytes = await tryKey(jose, token.trim(), one, purpose);
    if (bytes) return { bytes, reason: null };
  }
  return { ...known, reason: form === "jws" ? "signature" : "decryption" };
}

/** Deriving a key from a password costs as many rounds as the token asks for. */
function assertRounds({ p2c }: Json): void {
  // guard: offline: a token asks for so many rounds | gone | jwt
  if (typeof p2c === "number" && p2c > MAX_ROUNDS)
    throw invalid("token", `asks for ${p2c} rounds of PBES2; at most ${MAX_ROUNDS} are computed`);
}

type Jose = Awaited<ReturnType<typeof library>>;
type Usable = Awaited<ReturnType<typeof importKey>>;

async function keysFor(jose: Jose, key: Key, purpose: Purpose): Promise<Usable[]> {
  const isSymmetric = /^(?:HS|A\d|dir|PBES2)/.test(purpose.alg);
  // The text of a public key must never serve as a secret.
  if (key.kind === "secret") return isSymmetric ? [key.bytes] : [];
  if (key.kind === "other") return [];
  if (key.kind === "pem") return isSymmetric ? [] : [assertSize(await pemKey(jose, key, purpose))];
  const usable: Usable[] = [];
  for (const jwk of candidates(key, purpose))
    await importKey(jose, jwk, purpose).then(
      (one) => usable.push(one),
      () => undefined,
    );
  return usable;
}

async function pemKey(jose: Jose, key: Extract<Key, { kind: "pem" }>, purpose: Purpose): Promise<CryptoKey> {
  const imported = await importPem(jose, key, purpose);
  if (purpose.form === "jwe" || imported.type === "public") return imported;
  const jwk = (await jose.exportJWK(imported)) as Json;
  return (await importKey(jose, jwk, purpose)) as CryptoKey;
}

function assertSize(key: CryptoKey): CryptoKey {
  const { modulusLength = 0 } = key.algorithm as { modulusLength?: number };
  if (modulusLength > MAX_RSA_BITS) throw invalid("key", `has an RSA modulus above ${MAX_RSA_BITS} bits`);
  return key;
}

async function tryKey(jose: Jose, token: string, key: Usable, { form, alg }: Purpose): Promise<Uint8Array | undefined> {
  try {
    if (form === "jws") return (await jose.compactVerify(token, key, { algorithms: [alg] })).payload;
    return (await jose.compactDecrypt(token, key, { keyManagementAlgorithms: [alg] })).plaintext;
  } catch {
    return undefined;
  }
}

interface Times {
  expired: boolean;
  notYet: boolean;
  expiresAt: string | null;
  /** A time that is not a number. */
  isBroken: boolean;
}

function timesOf(claims: Json | null, now: number): Times {
  const { exp, nbf, iat } = claims ?? {};
  const seconds = Math.floor(now / 1000);
  const date = new Date(typeof exp === "number" ? exp * 1000 : Number.NaN);
  return {
    expired: typeof exp === "number" && exp <= seconds,
    notYet: typeof nbf === "number" && nbf > seconds,
    expiresAt: Number.isNaN(date.getTime()) ? null : date.toISOString(),
    isBroken: [exp, nbf, iat].some((time) => time !== undefined && typeof time !== "number"),
  };
}

function claimsReason({ issuer, audience }: TokenQuestion, claims: Json | null, times: Times): Reason | null {
  if (times.isBroken) return "claims";
  if (times.expired) return "expired";
  if (times.notYet) return "not-yet";
  if (issuer !== undefined && claims?.iss !== issuer) return "issuer";
  const audiences = [claims?.aud].flat();
  return audience !== undefined && !audiences.includes(audience) ? "audience" : null;
}

function warningsOf({ form, header }: Parts, key: Key | undefined, claims: Json | null): string[] {
  const own = ["jwk", "jku", "x5u", "x5c"].filter((name) => name in header);
  const alg = String(header.alg);
  const jwks = key?.kind === "jwk" ? [key.jwk] : key?.kind === "set" ? key.jwks : [];
  return [
    alg.toLowerCase() === "none" && "The token is not signed: anybody can write such a token.",
    own.length > 0 && `The header brings a key of its own (${own.join(", ")}), which is never used.`,
    ...(key ? warningsOfKind(key, alg) : []),
    form === "jws" &&
      (jwks.some((jwk) => "d" in jwk) || (key?.kind === "pem" && key.label.endsWith("PRIVATE KEY"))) &&
      "The private key was given; the public one is enough to verify.",
    key?.kind === "jwk" &&
      header.kid !== undefined &&
      key.jwk.kid !== undefined &&
      header.kid !== key.jwk.kid &&
      "The token names another key by its kid.",
    claims && claims.exp === undefined && "The token never expires.",
    isJsonObject(claims) && header.cty === "JWT" && "The content is another token, which was not opened.",
  ].filter((warning) => typeof warning === "string");
}

/** Warnings about a secret, and about a key in place of one. */
function warningsOfKind(key: Key, alg: string): (string | false)[] {
  return [
    key.kind === "secret" &&
      key.bytes.length < (LEAST_BYTES[alg] ?? 0) &&
      `The secret is shorter than the ${LEAST_BYTES[alg]} bytes that ${alg} asks for, so it may be guessed.`,
    key.kind === "secret" &&
      key.isMaterial &&
      "The text of a key was taken as a secret, as asked: whoever has that text can sign such tokens.",
    key.kind === "other" && `The key is ${key.what}: send PEM or a JWK. It counts as a secret only with kind: secret.`,
    key.kind === "pem" &&
      /^HS/.test(alg) &&
      "The token is signed by a secret, and the key is none: whoever has the public key can write such a token.",
  ];
}
