/**
 * Deliveries to the host that wait in the store: one record for each event and receiver, under a key that begins with
 * the event's time, so that they are read in order.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { keepNewest } from "../lib/bounded.js";
import { once } from "../lib/lazy.js";
import { DAY_MS } from "../lib/time.js";
import type { Foretold } from "../payment/durable-events.js";
import type { ListedRecord, Store } from "../stores/store.js";

const KEPT_MS = 7 * DAY_MS;
const PAGE = 200;
/** So many waiting deliveries are looked at in a round. */
const MOST = 5000;
/** Events that are told once, as far as this process knows. */
const REMEMBERED = 5000;

const delivery = once(() =>
  z.object({
    url: z.string(),
    body: z.string(),
    attempts: z.number(),
    nextAt: z.number(),
    leased: z.boolean().optional(),
    /** A change of which the event tells once it is made; until then `body` is empty. */
    of: z.custom<Foretold>().optional(),
    /** Id of the event, where the key has another. */
    as: z.string().optional(),
  }),
);
export type Delivery = z.infer<ReturnType<typeof delivery>>;

export interface Waiting extends Delivery {
  key: string;
  version: number;
  /** Id of the event, the same in each attempt and for each receiver. */
  id: string;
}

export type Added = Pick<Delivery, "body" | "nextAt" | "of">;

export interface Queue {
  /** Whether nobody has asked for this event in a day. Most repetitions are known without the store. */
  isFirst(id: string): Promise<boolean>;
  /** Adds a delivery, once for an event and receiver while it waits. */
  add(id: string, url: string, one: Added): Promise<void>;
  /** Waiting deliveries whose time has come, in the order of their events. */
  due(now: number): AsyncIterable<Waiting>;
  /** Takes a delivery for some time; undefined if another process has it. */
  take(waiting: Waiting, until: number): Promise<Waiting | undefined>;
  /** Puts it off until the next attempt. */
  putOff(taken: Waiting, nextAt: number): Promise<void>;
  remove(taken: Waiting): Promise<void>;
  /** Makes a waiting delivery due, or adds it; removes it if it tells of nothing. */
  settle(id: string, url: string, one: Added | undefined): Promise<void>;
}

export function createQueue(store: Store, host: string, formerNames: readonly string[] = []): Queue {
  const prefixOf = (name: string) => `webhook:${name}:`;
  const prefix = prefixOf(host);
  const write = ({ url, body, attempts, nextAt, of, as }: Delivery) =>
    JSON.stringify({ url, body, attempts, nextAt, of, as });
  const put = (key: string, one: Delivery, ifVersion: number) =>
    store.put(key, write(one), { ifVersion, ttlMs: KEPT_MS });

  async function* under(prefix: string): AsyncGenerator<ListedRecord & { id: string }> {
    let seen = 0;
    for (let after: string | undefined; seen < MOST; ) {
      const page = await store.list(prefix, { limit: PAGE, ...(after === undefined ? {} : { after }) });
      for (const record of page) yield { ...record, id: record.key.slice(prefix.length).split(" ")[0] ?? "" };
      const last = page.at(-1);
      if (!last || page.length < PAGE) return;
      seen += page.length;
      after = last.key;
    }
  }

  async function* all() {
    for (const name of [host, ...formerNames]) yield* under(prefixOf(name));
  }

  const asked = new Map<string, true>();
  const keyOf = (id: string, url: string) =>
    `${prefix}${id} ${createHash("sha256").update(url).digest("hex").slice(0, 12)}`;

  return {
    async isFirst(id) {
      if (asked.has(id)) return false;
      keepNewest(asked, id, true, REMEMBERED);
      const version = await store.put(`webhook-once:${host}:${id}`, "", { ifVersion: 0, ttlMs: DAY_MS });
      return version !== undefined;
    },
    async add(id, url, one) {
      await put(keyOf(id, url), { url, attempts: 0, ...one }, 0);
    },
    async settle(id, url, one) {
      const key = keyOf(id, url);
      const found = await store.get(key);
      if (one) await put(key, { url, attempts: 0, ...one }, found?.version ?? 0);
      else if (found) await store.remove(key, found.version);
    },
    async *due(now) {
      for await (const { id, key, value, version } of all()) {
        const one = delivery().safeParse(JSON.parse(value)).data;
        if (one && one.nextAt <= now) yield { ...one, key, version, id: one.as ?? id };
      }
    },
    async take(waiting, until) {
      const taken = { ...waiting, attempts: waiting.attempts + 1, nextAt: until };
      const version = await put(waiting.key, taken, waiting.version);
      return version === undefined ? undefined : { ...taken, version };
    },
    async putOff(taken, nextAt) {
      await put(taken.key, { ...taken, nextAt }, taken.version);
    },
    async remove({ key, version }) {
      await store.remove(key, version);
    },
  };
}
