/**
 * Ids of challenges: a random half, which makes each challenge unique, and a MAC of it, under a key for the challenge's
 * content. The MAC is one block of AES: enough where all messages have the length of one block, and many are made at
 * once, for which an HMAC of each would cost more than the rest of a quote.
 */
import { createCipheriv, createHmac, randomFillSync, timingSafeEqual } from "node:crypto";

/** The parts of a challenge that its id vouches for. */
export interface ChallengeContent {
  method: "evm" | "solana";
  realm: string;
  /** The requested terms, as canonical JSON. */
  request: string;
  /** RFC 3339. */
  expires: string;
}

/** Bytes of either half. */
const HALF = 16;
const IDS_AT_ONCE = 16;
const NO_IV = Buffer.alloc(0);

/** Makes the ids of all challenges with a content. */
export function challengeIds(secret: string, content: ChallengeContent): () => string {
  const macsOf = createMacs(secret, content);
  const random = Buffer.allocUnsafeSlow(HALF * IDS_AT_ONCE);
  let macs: Buffer = random;
  let at = random.length;
  return () => {
    if (at === random.length) {
      macs = macsOf(randomFillSync(random));
      at = 0;
    }
    const from = at;
    at += HALF;
    return random.toString("base64url", from, at) + macs.toString("base64url", from, at);
  };
}

/** Whether an id was made with this secret for this content. */
export function isIdOf(id: string, secret: string, content: ChallengeContent): boolean {
  const random = Buffer.from(id, "base64url").subarray(0, HALF);
  if (random.length < HALF) return false;
  // Compared in text, because other letters may stand for the same bytes.
  const made = Buffer.from(random.toString("base64url") + createMacs(secret, content)(random).toString("base64url"));
  // guard: an id of a challenge has one spelling | id -> random.toString("base64url") + id.slice(22) | mpp
  const sent = Buffer.from(id);
  return sent.length === made.length && timingSafeEqual(sent, made);
}

/** The MACs of blocks that stand one behind the other. */
function createMacs(secret: string, { method, realm, request, expires }: ChallengeContent): (blocks: Buffer) => Buffer {
  const key = createHmac("sha256", secret)
    // Challenges of EVM networks are older than the others, and are taken from instances that know no other.
    .update(JSON.stringify(["mpp", realm, request, expires, ...(method === "evm" ? [] : [method])]))
    .digest();
  // Without an initialization vector; Cloudflare's older runtimes do not take null for it.
  const cipher = createCipheriv("aes-256-ecb", key, NO_IV).setAutoPadding(false);
  return (blocks) => cipher.update(blocks);
}
