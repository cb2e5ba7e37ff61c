/** The public keys of a domain's signatures (RFC 6376, 8463). */
import { createPublicKey } from "node:crypto";
import { type Dns, DnsFailure } from "../../upstream/dns/dns.js";
import { readTags, type TagRecord } from "./tags.js";

export interface DkimKey extends TagRecord {
  selector: string;
  keyType: string | null;
  /** Of an RSA key, in bits. */
  keyBits: number | null;
  /** An empty key says that the selector was given up. */
  revoked: boolean;
  /** t=y: the domain only tries it out. */
  testing: boolean;
}

/** Receivers take no shorter keys (RFC 8301). */
const LEAST_BITS = 1024;
const ED25519_BYTES = 32;

export async function readDkim(domain: string, selector: string, dns: Dns): Promise<DkimKey> {
  const name = `${selector}._domainkey.${domain}`;
  const absent = { selector, present: false, valid: false, record: null, keyType: null, keyBits: null };
  const none = { ...absent, revoked: false, testing: false };
  try {
    const texts = await dns.ask(name, "TXT");
    const [record, ...more] = texts.filter((text) => /(?:^|;)\s*(?:p|k|v)\s*=/i.test(text));
    if (record === undefined) return { ...none, errors: [] };
    return { selector, ...judge(record, more.length > 0 ? [`${name} has ${more.length + 1} keys.`] : []) };
  } catch (error) {
    if (!(error instanceof DnsFailure)) throw error;
    return { ...none, errors: [error.message] };
  }
}

function judge(record: string, others: string[]): Omit<DkimKey, "selector"> {
  const { tags, errors: syntax } = readTags(record);
  const errors = [...others, ...syntax];
  const version = tags.get("v");
  if (version !== undefined && (version !== "DKIM1" || [...tags.keys()][0] !== "v"))
    errors.push("v must be DKIM1, and first.");
  const keyType = (tags.get("k") ?? "rsa").toLowerCase();
  const key = tags.get("p")?.replace(/\s/g, "");
  const { bits, wrong } = key === undefined ? { bits: null, wrong: "p, the key, is missing." } : judgeKey(keyType, key);
  if (wrong !== undefined) errors.push(wrong);
  const revoked = key === "";
  const testing = (tags.get("t") ?? "").split(":").some((flag) => flag.trim() === "y");
  return {
    present: true,
    valid: errors.length === 0 && !revoked,
    record,
    keyType,
    keyBits: bits,
    revoked,
    testing,
    errors,
  };
}

function judgeKey(type: string, key: string): { bits: number | null; wrong?: string } {
  if (key === "") return { bits: null };
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(key)) return { bits: null, wrong: "p is not base64." };
  const bytes = Buffer.from(key, "base64");
  if (type === "ed25519")
    return bytes.length === ED25519_BYTES
      ? { bits: null }
      : { bits: null, wrong: `An Ed25519 key has ${ED25519_BYTES} bytes.` };
  if (type !== "rsa") return { bits: null, wrong: `k=${type} is not a known kind of key.` };
  const bits = rsaBits(bytes);
  if (bits === undefined) return { bits: null, wrong: "p is not an RSA key." };
  return bits < LEAST_BITS ? { bits, wrong: `The RSA key has ${bits} bits, and must have ${LEAST_BITS}.` } : { bits };
}

/** Undefined for bytes that are no key, in either of the two forms that are in use. */
function rsaBits(bytes: Buffer): number | undefined {
  for (const type of ["spki", "pkcs1"] as const) {
    try {
      const key = createPublicKey({ key: bytes, format: "der", type });
      return key.asymmetricKeyDetails?.modulusLength;
    } catch {
      // The other form.
    }
  }
  return undefined;
}
