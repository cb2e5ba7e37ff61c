/** One attempt at one delivery. */

import { CapabilityError } from "../errors.js";
import type { UrlOptions } from "../upstream/allowed-url.js";
import { type OutboundContext, postOutbound } from "../upstream/outbound.js";
import type { Database } from "./database.js";
import { type Claimed, finish, type Outcome, putBack } from "./deliveries.js";
import type { Keys } from "./keys.js";

const TIMEOUT_MS = 15_000;
const MINUTE_MS = 60_000;
/** How many a minute and destination, over all wallets; one that confirmed it, or has often received, may get more. */
const PER_MINUTE = 60;
const PER_MINUTE_KNOWN = 600;
const KNOWN_SUCCESSES = 10;

/** What sending needs of a host. */
export interface Sender {
  database: Database;
  keys: Keys;
  outbound(): OutboundContext;
  rules: UrlOptions;
  /** Of the brand, in the names of headers. */
  slug: string;
  userAgent: string;
  now(): Promise<Date>;
  random(): number;
  /** Counts one more of a name within a minute, over all instances; false where there were `max` already. */
  mayStart(name: string, max: number): Promise<boolean>;
}

/** Resolves to whether it was delivered; undefined where it was not its turn. */
export async function send(sender: Sender, delivery: Claimed): Promise<boolean | undefined> {
  const { database, keys } = sender;
  const sentAt = await sender.now();
  const isKnown = delivery.confirmed || delivery.successes >= KNOWN_SUCCESSES;
  const pace = isKnown ? PER_MINUTE_KNOWN : PER_MINUTE;
  const minute = Math.floor(sentAt.getTime() / MINUTE_MS);
  const origin = database.seal.digest(new URL(delivery.url).origin);
  if (!(await sender.mayStart(`callbacks ${origin} ${minute}`, pace))) {
    await putBack(database, delivery, new Date((minute + 1) * MINUTE_MS));
    return undefined;
  }
  const headers = {
    "content-type": "application/json",
    "user-agent": sender.userAgent,
    ...(await keys.headersFor(delivery, { id: delivery.event, sentAt, body: delivery.body })),
    [`x-${sender.slug}-attempt`]: String(delivery.attempts),
  };
  const outcome = await attempt(sender, delivery, { headers, sentAt });
  await finish(database, delivery, outcome, { now: await sender.now(), random: sender.random() });
  return outcome.status !== undefined && outcome.status >= 200 && outcome.status <= 299;
}

/** The URL is judged again: the socket goes to an address of this very attempt. However it fails, it says the same. */
async function attempt(
  sender: Sender,
  { url, body }: Claimed,
  { headers, sentAt }: { headers: Record<string, string>; sentAt: Date },
): Promise<Outcome> {
  try {
    const options = { headers, body, timeoutMs: TIMEOUT_MS, maxBytes: 0, ...sender.rules };
    const { status, header } = await postOutbound(sender.outbound(), url, options);
    const retryAfterSeconds = readRetryAfter(header("retry-after"), sentAt);
    return { outcome: "answered", status, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
  } catch (error) {
    const isRefused = CapabilityError.is(error) && error.code === "URL_NOT_ALLOWED";
    return { outcome: isRefused ? "not allowed" : "unreachable" };
  }
}

/** Seconds or a date, as HTTP has it; anything else counts as nothing. */
function readRetryAfter(text: string | undefined, now: Date): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const at = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now.getTime()) / 1000);
}
