/** Sends one delivery once. */

import { CapabilityError } from "../../errors.js";
import { readRetryAfter } from "../../lib/http/webhook-delivery.js";
import type { UrlOptions } from "../../upstream/outbound/allowed-url.js";
import { type OutboundContext, postOutbound } from "../../upstream/outbound/outbound.js";
import type { Database } from "../database/database.js";
import type { Claimed } from "./claim.js";
import { type Attempt, type DeliveryOutcome, finishAll, KNOWN_SUCCESSES, postpone, putBack } from "./deliveries.js";
import type { Keys } from "./keys.js";

const TIMEOUT_MS = 15_000;
const MINUTE_MS = 60_000;
/** Limit per minute and destination over all wallets; a destination that confirmed, or accepted many, may get more. */
const PER_MINUTE = 60;
const PER_MINUTE_KNOWN = 600;

/** Dependencies of sending. */
export interface WebhookSender {
  database: Database;
  keys: Keys;
  outbound(): OutboundContext;
  rules: UrlOptions;
  /** The brand's slug, for header names. */
  slug: string;
  userAgent: string;
  now(): Promise<Date>;
  random(): number;
  /**
   * Counts this many more events of a name within a minute, over all instances; false, and none counted, if that would
   * exceed `max`.
   */
  mayStart(name: string, max: number, by?: number): Promise<boolean>;
}

/** The deliveries that may leave in this minute; the others are returned for later. */
export async function paced(sender: WebhookSender, taken: readonly Claimed[], now: Date): Promise<Claimed[]> {
  const { encryption } = sender.database;
  const minute = Math.floor(now.getTime() / MINUTE_MS);
  const groups = new Map<string, Claimed[]>();
  for (const delivery of taken) {
    const isKnown = delivery.confirmed || delivery.successes >= KNOWN_SUCCESSES;
    const name = `${isKnown ? PER_MINUTE_KNOWN : PER_MINUTE} ${encryption.digest(new URL(delivery.url).origin)}`;
    groups.set(name, [...(groups.get(name) ?? []), delivery]);
  }
  const leaving = new Set<Claimed>();
  const until = new Date((minute + 1) * MINUTE_MS);
  for (const [name, group] of groups) {
    const [max, origin = ""] = name.split(" ");
    const start = (by: number) => sender.mayStart(`callbacks ${origin} ${minute}`, Number(max), by);
    const started = await startable(group, start);
    for (const one of started) leaving.add(one);
    // Otherwise all the others would be taken, counted and returned as well, a few at a time.
    const isKnown = Number(max) === PER_MINUTE_KNOWN;
    // guard: wallets: a destination whose minute is over is not counted again and again | gone | statements
    if (started.length < group.length) await postpone(sender.database, { origin, isKnown }, { now, until });
  }
  const late = taken.filter((one) => !leaving.has(one));
  await putBack(sender.database, late, until);
  return taken.filter((one) => leaving.has(one));
}

/** Those of a group that may start: all at once, or as many as there is room for. */
async function startable(group: readonly Claimed[], start: (by: number) => Promise<boolean>): Promise<Claimed[]> {
  if (await start(group.length)) return [...group];
  const started: Claimed[] = [];
  if (group.length === 1) return started;
  for (const one of group) {
    if (!(await start(1))) break;
    started.push(one);
  }
  return started;
}

/** One attempt, which begins at `sentAt`. */
export async function sendWebhook(sender: WebhookSender, delivery: Claimed, sentAt: Date): Promise<Attempt> {
  const headers = {
    "content-type": "application/json",
    "user-agent": sender.userAgent,
    ...(await sender.keys.headersFor(delivery, { id: delivery.event, sentAt, body: delivery.body })),
    [`x-${sender.slug}-attempt`]: String(delivery.attempts),
  };
  return { holder: delivery, outcome: await attempt(sender, delivery, { headers, sentAt }) };
}

/** Records the outcomes of attempts; outcomes that arrive during a write are written together next. */
export function createNotes({ database, now, random }: WebhookSender): (attempt: Attempt) => Promise<void> {
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

/**
 * The URL is checked again, and the socket connects to an address checked in this attempt. All network failures have
 * the same text.
 */
async function attempt(
  sender: WebhookSender,
  { url, body }: Claimed,
  { headers, sentAt }: { headers: Record<string, string>; sentAt: Date },
): Promise<DeliveryOutcome> {
  try {
    const options = { headers, body, timeoutMs: TIMEOUT_MS, maxBytes: 0, ...sender.rules };
    // guard: wallets: a callback's URL is judged again at every attempt |
    //   sender.outbound() -> { ...sender.outbound(), outbound: { allowPrivate: true } } | callbacks callback-urls
    const { status, header } = await postOutbound(sender.outbound(), url, options);
    const retryAfterSeconds = readRetryAfter(header("retry-after"), sentAt);
    return { outcome: "answered", status, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
  } catch (error) {
    const isRefused = CapabilityError.is(error) && error.code === "URL_NOT_ALLOWED";
    return { outcome: isRefused ? "not allowed" : "unreachable" };
  }
}
