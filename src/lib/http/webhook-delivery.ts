/** When a webhook is sent again, the same for callbacks of wallets and for the host's own webhooks. */

/** Seconds before each attempt; after the last one a delivery is dead. */
export const BACK_OFF: readonly number[] = [0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
const MAX_RETRY_AFTER_SECONDS = 86_400;

/** How a receiver answered, if it did. */
export interface Reply {
  status?: number;
  /** Pause that the receiver asked for. */
  retryAfterSeconds?: number;
}

export const isDelivered = ({ status }: Reply): boolean => status !== undefined && status >= 200 && status <= 299;

/**
 * Seconds until the next attempt after so many. The receiver's Retry-After replaces a shorter pause, for statuses that
 * overloaded servers send. `random` is from 0 to 1.
 */
export function waitSeconds(attempts: number, { status, retryAfterSeconds = 0 }: Reply, random: number): number {
  const planned = (BACK_OFF[attempts] ?? 0) * (0.9 + 0.2 * random);
  const asked = status === 429 || status === 503 ? Math.min(retryAfterSeconds, MAX_RETRY_AFTER_SECONDS) : 0;
  return Math.max(planned, asked);
}

/** Seconds or a date, as in HTTP; anything else is ignored. */
export function readRetryAfter(text: string | undefined, now: Date): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const at = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now.getTime()) / 1000);
}
