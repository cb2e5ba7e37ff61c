/** Sends the host's webhooks, signed by Standard Webhooks, at least once: an event is stored before it is sent. */
import { createHmac } from "node:crypto";
import { within } from "../lib/abort.js";
import { BACK_OFF, isDelivered, type Reply, readRetryAfter, waitSeconds } from "../lib/http/webhook-delivery.js";
import type { Logger } from "../lib/logger.js";
import { onLambda, onWorkers } from "../lib/packages/platform.js";
import { retry } from "../lib/retry.js";
import { createTally } from "../lib/tally.js";
import { HOUR_MS } from "../lib/time.js";
import type { DurableEvents, PlannedEvent, PlannedOutcome } from "../payment/events/durable-events.js";
import { WHILE_SILENT } from "../stores/fail-closed.js";
import type { Store } from "../stores/store.js";
import { type HostEvent, type HostWebhook, secretBytes } from "./options.js";
import { createEventPlanner, type Named, nameOf, typeOf, write } from "./planned-events.js";
import { type Added, createQueue, type Waiting } from "./queue.js";

const TIMEOUT_MS = 15_000;
const LEASE_MS = 60_000;
const EVERY_MS = 15_000;
/** At once to one receiver: one that hangs keeps nobody else waiting. */
const AT_ONCE = 8;
/** How often a process looks for deliveries that stand in no line. */
const PLACE_EVERY_MS = HOUR_MS;

export interface HostWebhooks extends Pick<DurableEvents, "planEvent"> {
  /** Stores an event for each receiver that wants it. The same `id` and time are one event. */
  tell(type: HostEvent, data: object, event: Named): Promise<void>;
  /** The same without waiting for the store; a failure is logged. */
  note(type: HostEvent, data: object, event: Named): void;
  /** How many events wait for each receiver, by the host of its URL; at most `most` are counted. */
  waiting(most: number): Promise<ReadonlyMap<string, number>>;
  /** Starts the rounds in a long-lived process, with its first request. */
  begin(): void;
  /** Sends what is due, and starts nothing after `endsAt` (of `performance.now()`). Resolves to a count. */
  run(endsAt?: number): Promise<number>;
  close(): Promise<void>;
}

export interface HostWebhooksOptions {
  webhooks: readonly HostWebhook[];
  store: Store;
  /** Names the host: others may use the same store. */
  host: string;
  /** Other names under which this host may have stored events. */
  formerNames?: readonly string[];
  fetch: typeof globalThis.fetch;
  logger: Logger;
  userAgent: string;
  /** Looks a change that was planned up in the store's records. */
  find: (of: PlannedEvent) => Promise<PlannedOutcome>;
  /** Looks for what nobody lived to tell, at the begin of each round. */
  review?: () => Promise<void> | undefined;
  now: () => number;
}

export function createHostWebhooks(options: HostWebhooksOptions): HostWebhooks {
  const { webhooks, now, logger } = options;
  const receivers = new Map(webhooks.map((one) => [one.url, one]));
  const { store, host, formerNames } = options;
  const queue = createQueue({ store, host, formerNames, receivers: receivers.size });
  const noting = new Set<Promise<void>>();
  /** Running lines by receiver, and those in which something came meanwhile. */
  const lines = new Map<string, Promise<void>>();
  const again = new Set<string>();
  const tally = createTally(now);
  let timer: NodeJS.Timeout | undefined;
  let preparing: Promise<void> | undefined;
  let placedAt = Number.NEGATIVE_INFINITY;
  let sent = 0;
  let closed = false;

  const wantedBy = (type: HostEvent) => webhooks.filter(({ events }) => !events || events.includes(type));
  const wake = () => {
    if (timer) setImmediate(() => void run().catch(() => {})).unref();
  };

  async function tell(type: HostEvent, data: object, event: Named): Promise<void> {
    const wanted = wantedBy(type);
    if (wanted.length === 0) return;
    const body = write(type, event, data);
    // guard: webhooks: an empty balance is told once an hour | gone | webhooks
    if (event.once && !(await queue.isFirst(nameOf(event)))) return;
    await Promise.all(wanted.map(({ url }) => add(nameOf(event), url, { body, nextAt: now() })));
    wake();
  }

  /** A receiver for which too many events wait must not use up the room of sales. */
  async function add(id: string, url: string, one: Added): Promise<void> {
    if (await retry(() => queue.add(id, url, one), WHILE_SILENT)) return;
    const events = tally(url);
    if (events === undefined) return;
    const receiver = new URL(url).host;
    logger.error({ receiver, events }, "webhooks: too many events wait for a receiver, so new ones are not told");
  }

  async function run(endsAt = Number.POSITIVE_INFINITY): Promise<number> {
    const before = sent;
    const sendAll = () => Promise.all([...receivers.keys()].map((url) => line(url, endsAt)));
    // Deliveries that stand in a line already wait for nothing else.
    const begun = sendAll();
    preparing ??= prepare(endsAt).finally(() => {
      preparing = undefined;
    });
    await preparing;
    await Promise.all([begun, sendAll()]);
    return sent - before;
  }

  /** Finds what nobody lived to tell, or to put in a line. */
  async function prepare(endsAt: number): Promise<void> {
    const failed = (error: unknown) =>
      logger.error({ error }, "webhooks: finding events and their order failed; the next round tries again");
    // guard: webhooks: a budget's step that nobody lived to tell is told | gone | handler/webhook-crashes
    await options.review?.()?.catch(failed);
    if (now() - placedAt < PLACE_EVERY_MS && !queue.lacksPlaces) return;
    const mayGoOn = () => !closed && performance.now() < endsAt;
    await queue.placeAll(new Set(receivers.keys()), mayGoOn).then(() => {
      if (mayGoOn()) placedAt = now();
    }, failed);
  }

  /** Sends what is due to a receiver. */
  function line(url: string, endsAt: number): Promise<void> {
    const running = lines.get(url);
    if (running) {
      again.add(url);
      return running;
    }
    const done = sendDue(url, endsAt)
      .catch((error: unknown) =>
        logger.error({ error }, "webhooks: a round of deliveries failed; the next one sends what is due"),
      )
      .finally(() => lines.delete(url));
    lines.set(url, done);
    return done;
  }

  async function sendDue(url: string, endsAt: number): Promise<void> {
    const mayGoOn = () => !closed && performance.now() < endsAt;
    do {
      again.delete(url);
      // The workers share one iterator, so each takes the next due delivery.
      const due = queue.due(url, now())[Symbol.asyncIterator]();
      const next = async () => (mayGoOn() ? (await due.next()).value : undefined);
      const work = async () => {
        for (let one = await next(); one; one = await next()) if (await deliver(one)) sent++;
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
    } while (again.has(url) && mayGoOn());
  }

  /** One attempt; false if another process made it. */
  async function deliver(waiting: Waiting): Promise<boolean> {
    // guard: webhooks: one process sends an event | LEASE_MS) -> LEASE_MS) ?? waiting | webhooks
    const taken = await queue.take(waiting, now() + LEASE_MS);
    if (!taken) return false;
    const known = await withEvent(taken);
    if (known === "open") await queue.putOff({ ...taken, attempts: waiting.attempts }, now() + LEASE_MS);
    else if (known) await send(known);
    else await queue.remove(taken);
    return true;
  }

  async function send(taken: Waiting): Promise<void> {
    const receiver = receivers.get(taken.url);
    const reply = receiver ? await post(receiver, taken) : undefined;
    if (!reply || isDelivered(reply)) await queue.remove(taken);
    else if (taken.attempts >= BACK_OFF.length) {
      logger.error({ id: taken.id, status: reply.status }, "webhooks: gave up on an event");
      await queue.remove(taken);
    } else await queue.putOff(taken, now() + waitSeconds(taken.attempts, reply, Math.random()) * 1000);
  }

  /** A delivery with its event: of a change that was planned, if it was made. */
  async function withEvent(taken: Waiting): Promise<Waiting | "open" | undefined> {
    if (!taken.of || taken.body) return taken;
    const found = await options.find(taken.of).catch((error: unknown) => {
      logger.error({ error }, "webhooks: an event is looked up again later");
      return "open" as const;
    });
    if (typeof found !== "object") return found;
    const as = nameOf(found);
    return { ...taken, body: write(typeOf(taken.of), found, found.data), as, id: as };
  }

  async function post({ url, secret }: HostWebhook, { id, body }: Waiting): Promise<Reply> {
    const sentAt = new Date(now());
    const headers = {
      "content-type": "application/json",
      "user-agent": options.userAgent,
      ...signatureOf(secret, { id, sentAt, body }),
    };
    try {
      return await within(TIMEOUT_MS, async (signal) => {
        const response = await options.fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
        await response.body?.cancel().catch(() => {});
        const retryAfterSeconds = readRetryAfter(response.headers.get("retry-after") ?? undefined, sentAt);
        return { status: response.status, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
      });
    } catch {
      return {};
    }
  }

  /** Work that nothing waits for but the end of the host. */
  function later(work: Promise<unknown>, facts: object): Promise<void> {
    const done = work
      .then(
        () => {},
        (error: unknown) => logger.error({ ...facts, error }, "webhooks: an event was not stored"),
      )
      .finally(() => noting.delete(done));
    noting.add(done);
    return done;
  }

  return {
    tell,
    run,
    note: (type, data, event) => void later(tell(type, data, event), { type, id: event.id }),
    async waiting(most) {
      const counts = new Map<string, number>();
      for (const url of receivers.keys()) {
        const receiver = new URL(url).host;
        counts.set(receiver, (counts.get(receiver) ?? 0) + (await queue.waiting(url, most)));
      }
      return counts;
    },
    planEvent: createEventPlanner({ add, settle: queue.settle, wantedBy, later, wake, now }),
    begin() {
      if (timer || closed || onWorkers() || onLambda()) return;
      timer = setInterval(() => void run(), EVERY_MS).unref();
      void run();
    },
    async close() {
      clearInterval(timer);
      await Promise.allSettled([...noting]);
      closed = true;
      await Promise.all([preparing, ...lines.values()]);
    },
  };
}

/** The headers of Standard Webhooks. */
function signatureOf(secret: string, { id, sentAt, body }: { id: string; sentAt: Date; body: string }) {
  const seconds = Math.floor(sentAt.getTime() / 1000);
  const key = secretBytes(secret) ?? "";
  const signature = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": String(seconds), "webhook-signature": `v1,${signature}` };
}
