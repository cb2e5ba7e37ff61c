/** One attempt at one delivery. */

import { CapabilityError } from "../../errors.js";
import type { UrlOptions } from "../../upstream/allowed-url.js";
import { type OutboundContext, postOutbound } from "../../upstream/outbound.js";
import type { Database } from "../database/database.js";
import type { Claimed } from "./claim.js";
import { type Attempt, finishAll, type Outcome, putBack } from "./deliveries.js";
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
  /** Counts so many more of a name within a minute, over all instances; false, and none, where there would be more than `max`. */
  mayStart(name: string, max: number, by?: number): Promise<boolean>;
}

/** Those that may leave this minute, of what was taken together; the others are put back. */
export async function paced(sender: Sender, taken: readonly Claimed[], now: Date): Promise<Claimed[]> {
  const { encryption } = sender.database;
  const minute = Math.floor(now.getTime() / MINUTE_MS);
  const groups = new Map<string, Claimed[]>();
  for (const delivery of taken) {
    const isKnown = delivery.confirmed || delivery.successes >= KNOWN_SUCCESSES;
    const name = `${isKnown ? PER_MINUTE_KNOWN : PER_MINUTE} ${encryption.digest(new URL(delivery.url).origin)}`;
    groups.set(name, [...(groups.get(name) ?? []), delivery]);
  }
  const leaving = new Set<Claimed>();
  for (const [name, group] of groups) {
    const [max, origin] = name.split(" ");
    const start = (by: number) => sender.mayStart(`callbacks ${origin} ${minute}`, Number(max), by);
    if (await start(group.length)) for (const one of group) leaving.add(one);
    else if (group.length > 1) for (const one of group) if (await start(1)) leaving.add(one);
  }
  const late = taken.filter((one) => !leaving.has(one));
  await putBack(sender.database, late, new Date((minute + 1) * MINUTE_MS));
  return taken.filter((one) => leaving.has(one));
}

/** One attempt, at whose beginning the time is `sentAt`. */
export async function send(sender: Sender, delivery: Claimed, sentAt: Date): Promise<Attempt> {
  const headers = {
    "content-type": "application/json",
    "user-agent": sender.userAgent,
    ...(await sender.keys.headersFor(delivery, { id: delivery.event, sentAt, body: delivery.body })),
    [`x-${sender.slug}-attempt`]: String(delivery.attempts),
  };
  return { holder: delivery, outcome: await attempt(sender, delivery, { headers, sentAt }) };
}

/** Takes attempts that have ended; what ends while others are noted is noted together next. */
export function createNotes({ database, now, random }: Sender): (attempt: Attempt) => Promise<void> {
  let next: { attempts: Attempt[]; noted: Promise<void> } | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return (attempt) => {
    if (next) {
      next.attempts.push(attempt);
      return next.noted;
    }
    const attempts = [attempt];
    const noted = last.then(async () => {
      next = undefined;
      await finishAll(database, attempts, { now: await now(), random });
    });
    next = { attempts, noted };
    last = noted.catch(() => {});
    return noted;
  };
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
