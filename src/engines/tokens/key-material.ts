/**
 * Finds the key in a text, whatever it is wrapped in. Everybody has a public key, and so whoever takes its text for the secret
 * of a symmetric algorithm accepts what anybody signs: such a text must be known in any form in which keys are passed on.
 */
import { createPublicKey, ECDH, type KeyObject, X509Certificate } from "node:crypto";
import { gunzipSync, inflateSync } from "node:zlib";
import { beginsDerSequence, isDerSequence } from "./der.js";

export type FoundKey =
  | { kind: "pem"; pem: string; label: string }
  /** JSON, of which only the form is known. */
  | { kind: "json"; value: unknown }
  /** A key, in a form that no token is judged by. */
  | { kind: "other"; what: string };

/** Wrappings within one another: base64 of a JSON text that has PEM, say. */
const MAX_LAYERS = 4;
/** Characters of all layers together. */
const MAX_READ = 400_000;
const MAX_INFLATED = 100_000;

/** Undefined for a text that is neither a key nor JSON. */
export function keyMaterialIn(text: string): FoundKey | undefined {
  return new Search().inText(text, 0);
}

const PEM = /-----BEGIN ([A-Z0-9][A-Z0-9 ]{0,60})-----([^-]*)-----END \1-----/g;
const KEY_LABEL = /(?:PUBLIC KEY|PRIVATE KEY|CERTIFICATE)$/;
const ARMOUR = /--\s{0,20}BEGIN[\s+_][^-]{0,60}--/i;
const OTHERS: readonly [RegExp, string][] = [
  [ARMOUR, "a key in an armour that is not PEM"],
  [
    /(?:^|[\s"',@])(?:sk-)?(?:ssh|ecdsa-sha2|webauthn-sk)-[\w@.-]{1,60}\s{1,20}AAAA[A-Za-z0-9+/]{16}/,
    "a key of OpenSSH",
  ],
  [/<(?:\w{1,20}:)?(?:RSAKeyValue|DSAKeyValue|ECKeyValue|X509Certificate|X509Data|Modulus)[\s>]/i, "a key in XML"],
  [/^PuTTY-User-Key-File-/m, "a key of PuTTY"],
  [/\bage1[02-9ac-hj-np-z]{58}\b/, "a key of age"],
  [/\bdid:(?:key|jwk):/, "a key as a decentralized identifier"],
  [/["']?\bkty\b["']?\s{0,20}[:=]/, "a JWK in other text than JSON"],
  [/^https?:\/\/\S+$/i, "an address, and nothing is fetched"],
];
/** Base64 within other text, of at least 32 bytes. */
const RUN = /[A-Za-z0-9+/_-]{43,}={0,2}/g;
/** Readings of DER by OpenSSL. */
const MAX_READINGS = 100;

class Search {
  #left = MAX_READ;
  #readings = MAX_READINGS;

  inText(given: string, layer: number): FoundKey | undefined {
    this.#left -= given.length;
    if (layer > MAX_LAYERS || this.#left < 0) return undefined;
    const text = given.replace(/^\uFEFF/, "").trim();
    return this.#inJson(text, layer) ?? this.#escaped(text, layer) ?? this.#plain(text) ?? this.#inBase(text, layer);
  }

  #inJson(text: string, layer: number): FoundKey | undefined {
    const value = jsonOf(text);
    if (value === undefined) return undefined;
    const only = Array.isArray(value) && value.length === 1 ? value[0] : value;
    const inner = typeof only === "string" ? this.inText(only, layer + 1) : undefined;
    // Within other forms short texts are often JSON by chance.
    return inner ?? (layer === 0 || HOLDS_KEY.test(text) ? { kind: "json", value } : undefined);
  }

  #plain(text: string): FoundKey | undefined {
    const blocks = [...text.matchAll(PEM)];
    const [pem, label = "", body = ""] = blocks.find(([, one = ""]) => KEY_LABEL.test(one)) ?? blocks[0] ?? [];
    if (pem !== undefined) return pemOf(label, bodyOf(body));
    const other = OTHERS.find(([pattern]) => pattern.test(text));
    return other && { kind: "other", what: other[1] };
  }

  /** Line ends and signs that were escaped for a setting, an address or a page. */
  #escaped(text: string, layer: number): FoundKey | undefined {
    const plain = unescaped(text);
    return plain === text ? undefined : this.inText(plain, layer + 1);
  }

  #inBase(given: string, layer: number): FoundKey | undefined {
    const text = given.replace(/^data:[^,]{0,200},/, "");
    // Long texts are often written in pieces, and bytes with colons between them.
    const joined = text.replace(/[\s"'\\]/g, "");
    const runs = [...(text.match(RUN) ?? []), ...(joined.match(RUN) ?? [])];
    for (const part of new Set([joined, joined.replaceAll(":", ""), ...runs]))
      for (const bytes of decodingsOf(part)) {
        const found = this.#inBytes(bytes, layer + 1);
        if (found) return found;
      }
    return undefined;
  }

  #inBytes(bytes: Buffer, layer: number): FoundKey | undefined {
    this.#left -= bytes.length;
    if (layer > MAX_LAYERS || this.#left < 0) return undefined;
    const known = this.#inDer(bytes) ?? blobOf(bytes);
    if (known) return known;
    const inflated = inflatedOf(bytes);
    if (inflated) return this.#inBytes(inflated, layer + 1);
    const text = textOf(bytes);
    return text === undefined ? undefined : this.inText(text, layer);
  }

  #inDer(bytes: Buffer): FoundKey | undefined {
    if (!beginsDerSequence(bytes) || --this.#readings < 0) return undefined;
    return pemOfDer(bytes) ?? (isDerSequence(bytes) ? { kind: "other", what: "DER, but no public key" } : undefined);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const HOLDS_KEY = /"(?:kty|keys|x5c)"\s*:/;

/** The base64 of a block, without the headers of an older form. */
const bodyOf = (body: string): string =>
  (body.includes(":") ? (body.split(/\n[ \t\r]*\n/).pop() ?? "") : body).replace(/\\+[nrt]|\s/g, "");

function pemOf(label: string, base64: string): FoundKey {
  const lines = base64.replace(/.{64}(?!$)/g, "$&\n");
  return { kind: "pem", pem: `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----`, label };
}

const ENTITIES: Record<string, string> = {
  "&#10;": "\n",
  "&#13;": "",
  "&#45;": "-",
  "&#x2d;": "-",
  "&quot;": '"',
  "&amp;": "&",
};

function unescaped(text: string): string {
  const plain = text
    .replace(/\\+([nrt"'/])/g, (_, sign: string) => ({ n: "\n", r: "", t: " " })[sign] ?? sign)
    .replace(/\\+u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/&(?:#10|#13|#45|#x2d|quot|amp);/gi, (entity) => ENTITIES[entity.toLowerCase()] ?? entity)
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/[\0\u200B-\u200D\u2060\uFEFF]/g, "")
    .replace(/\u00A0/g, " ");
  return plain.replace(/(?:%[0-9a-f]{2})+/gi, (part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
}

function decodingsOf(text: string): Buffer[] {
  const bare = text.replace(/^0x/i, "");
  const isHex = bare.length % 2 === 0 && /^[0-9a-f]{64,}$/i.test(bare);
  const isBase64 = /^(?:[A-Za-z0-9+/]{32,}|[\w-]{32,})={0,2}$/.test(text);
  return [...(isHex ? [Buffer.from(bare, "hex")] : []), ...(isBase64 ? [Buffer.from(text, "base64")] : [])];
}

/** The text of bytes in UTF-8, if it is one. */
function textOf(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.length >= 32 ? text : undefined;
  } catch {
    return undefined;
  }
}

function inflatedOf(bytes: Buffer): Buffer | undefined {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const isZlib = bytes[0] === 0x78 && bytes.readUInt16BE(0) % 31 === 0;
  if (!isGzip && !isZlib) return undefined;
  try {
    return (isGzip ? gunzipSync : inflateSync)(bytes, { maxOutputLength: MAX_INFLATED });
  } catch {
    return undefined;
  }
}

/** A blob of OpenSSH, or a point of a curve. */
function blobOf(bytes: Buffer): FoundKey | undefined {
  if (/^\0\0\0.(?:sk-)?(?:ssh|ecdsa-sha2)-/s.test(bytes.toString("latin1", 0, 24)))
    return { kind: "other", what: "a key of OpenSSH" };
  return isPoint(bytes) ? { kind: "other", what: "a point of an elliptic curve" } : undefined;
}

function pemOfDer(der: Buffer): FoundKey | undefined {
  const readings: (() => KeyObject)[] = [
    () => createPublicKey({ key: der, format: "der", type: "spki" }),
    () => createPublicKey({ key: der, format: "der", type: "pkcs1" }),
    () => new X509Certificate(der).publicKey,
  ];
  for (const read of readings)
    try {
      return pemOf("PUBLIC KEY", read().export({ type: "spki", format: "der" }).toString("base64"));
    } catch {
      // The bytes are none of this kind.
    }
  return undefined;
}

/** Curves by the bytes of a coordinate. */
const CURVES: Record<number, readonly string[]> = {
  32: ["prime256v1", "secp256k1"],
  48: ["secp384r1"],
  66: ["secp521r1"],
};

function isPoint(bytes: Buffer): boolean {
  const isWhole = bytes[0] === 4;
  if (!isWhole && bytes[0] !== 2 && bytes[0] !== 3) return false;
  const curves = CURVES[isWhole ? (bytes.length - 1) / 2 : bytes.length - 1] ?? [];
  return curves.some((curve) => {
    try {
      ECDH.convertKey(bytes, curve);
      return true;
    } catch {
      return false;
    }
  });
}
