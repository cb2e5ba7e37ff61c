/**
 * The retry key: a random secret of each 402, in `extra` of its offers. Clients of version 2 return it with the
 * accepted offer; facilitators and the chain never see it. The rest of a payment is public after its settlement, so a
 * repeated payment counts only with the key that it first came with.
 */
import { randomBytes } from "node:crypto";
import { z } from "zod";
import { once } from "../../lib/lazy.js";

const KEY_BYTES = 16;
/**
 * Random bytes for many keys at once, because drawing them singly costs more than the rest of a quote. No byte is used
 * twice.
 */
let random = Buffer.alloc(0);
let used = 0;

export function newRetryKey(): string {
  if (used === random.length) {
    random = randomBytes(256 * KEY_BYTES);
    used = 0;
  }
  used += KEY_BYTES;
  return random.toString("base64url", used - KEY_BYTES, used);
}

/** Adds the retry key of one 402 to its offers. */
export function withRetryKey<T extends { extra: Record<string, unknown> }>(accepts: T[], retryKey: string): T[] {
  return accepts.map((requirements) => ({ ...requirements, extra: { ...requirements.extra, retryKey } }));
}

const accepted = once(() => z.object({ extra: z.object({ retryKey: z.string().min(16).max(64) }) }));

/** The key in a caller's copy of an offer. */
export const retryKeyOf = (copy: Record<string, unknown>): string | undefined =>
  accepted().safeParse(copy).data?.extra.retryKey;
