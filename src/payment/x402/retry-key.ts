/**
 * The retry key: a random secret of each 402, in `extra` of its offers. Clients of version 2 return it with the
 * accepted offer; facilitators and the chain never see it. The rest of a payment is public after its settlement, so a
 * repeated payment counts only with the key that it first came with.
 */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { once } from "../../lib/lazy.js";

/** A random UUID: Node draws the bytes of many at once, and none of them twice. */
export const newRetryKey = (): string => randomUUID();

/** Adds the retry key of one 402 to its offers. */
export function withRetryKey<T extends { extra: Record<string, unknown> }>(accepts: T[], retryKey: string): T[] {
  return accepts.map((requirements) => ({ ...requirements, extra: { ...requirements.extra, retryKey } }));
}

const accepted = once(() => z.object({ extra: z.object({ retryKey: z.string().min(16).max(64) }) }));

/** The key in a caller's copy of an offer. */
export const retryKeyOf = (copy: Record<string, unknown>): string | undefined =>
  accepted().safeParse(copy).data?.extra.retryKey;
