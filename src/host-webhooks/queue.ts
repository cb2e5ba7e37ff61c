/**
 * Deliveries to the host that wait in the store: one record for each event and receiver. Each receiver has a line of its
 * own, in which a delivery stands by the time when it is due: those that wait for a receiver that is down hide neither
 * its own due ones nor those of others.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { keepNewest } from "../lib/bounded.js";
import { once } from "../lib/lazy.js";
import { DAY_MS, MINUTE_MS } from "../lib/time.js";
import type { PlannedEvent } from "../payment/events/durable-events.js";
import { listed } from "../stores/listed.js";
import type { ListedRecord, Store } from "../stores/store.js";

const KEPT_MS = 7 * DAY_MS;
const PAGE = 200;
/** Events that are told once, as far as this process knows. */
const REMEMBERED = 5000;
/** A place in a line and its record are written by several writes: a place without its record is old after this. */
const GRACE_MS = MINUTE_MS;
/** Deliveries that wait for one receiver. */
const MOST_WAITING = 200_000;
/** Characters of a delivery with its place, roughly, for a store whose room is bounded. */
const CHARACTERS = 1000;

const delivery = once(() =>
  z.object({
    url: z.string(),
    body: z.string(),
    attempts: z.number(),
    nextAt: z.number(),
    leased: z.boolean().optional(),
    /** A change of which the event tells once it is made; until then `body` is empty. */
    of: z.custom<PlannedEvent>().optional(),
    /** Id of the event, where the key has another. */
    as: z.string().optional(),
    /** The time of its place in the line; records of older releases have none. */
    place: z.string().optional(),
  }),
);
export type Delivery = z.infer<ReturnType<typeof delivery>>;

export interface Waiting extends Delivery {
  key: string;
  version: number;
  /** Id of the event, the same in each attempt and for each receiver. */
  id: string;
  /** Its place in the line. */
  at: Pick<ListedRecord, "key" | "version">;
}

export type Added = Pick<Delivery, "body" | "nextAt" | "of">;

export interface Queue {
  /** Whether nobody has asked for this event in a day. Most repetitions are known without the store. */
  isFirst(id: string): Promise<boolean>;
  /** Adds a delivery, once for an event and receiver while it waits; false if too many wait for the receiver. */
  add(id: string, url: string, one: Added): Promise<boolean>;
  /** Deliveries to a receiver whose time has come, the earliest first. */
  due(url: string, now: number): AsyncIterable<Waiting>;
  /** Takes a delivery for some time; undefined if another process has it. */
  take(waiting: Waiting, until: number): Promise<Waiting | undefined>;
  /** Puts it off until the next attempt. */
  putOff(taken: Waiting, nextAt: number): Promise<void>;
  remove(taken: Waiting): Promise<void>;
  /** Makes a waiting delivery due, or adds it; removes it if it tells of nothing. */
  settle(id: string, url: string, one: Added | undefined): Promise<void>;
  /** The number of deliveries in a receiver's line, counted up to `most`. */
  waiting(url: string, most: number): Promise<number>;
  /** Whether this process could not give a delivery its place. */
  readonly lacksPlaces: boolean;
  /** Gives a place to deliveries that have none: of older releases, and of processes that died while they wrote. */
  placeAll(urls: ReadonlySet<string>, mayGoOn: () => boolean): Promise<void>;
}

interface QueueOptions {
  store: Store;
  host: string;
  formerNames?: readonly string[] | undefined;
  /** Number of receivers, which share a bounded room. */
  receivers: number;
}

const hashOf = (url: string) => createHash("sha256").update(url).digest("hex").slice(0, 12);
const placeOf = (at: number) => Math.max(0, Math.floor(at)).toString(36).padStart(9, "0");
/** An id has no colon, the names of a host have. */
const idOf = (key: string) => key.slice(key.lastIndexOf(":") + 1).split(" ")[0] ?? "";

export function createQueue({ store, host, formerNames = [], receivers }: QueueOptions): Queue {
  const prefixOf = (name: string) => `webhook:${name}:`;
  const lineOf = (url: string) => `webhook-line:${host}:${hashOf(url)}:`;
  const keyOf = (id: string, url: string) => `${prefixOf(host)}${id} ${hashOf(url)}`;
  const options = { ttlMs: KEPT_MS };
  const most = Math.min(MOST_WAITING, Math.floor((store.room ?? Number.POSITIVE_INFINITY) / CHARACTERS / receivers));

  const write = ({ url, body, attempts, nextAt, of, as, place }: Delivery) =>
    JSON.stringify({ url, body, attempts, nextAt, of, as, place });
  const put = (key: string, one: Delivery, ifVersion: number) => store.put(key, write(one), { ...options, ifVersion });
  const placeKey = (url: string, place: string, key: string) => `${lineOf(url)}${place} ${idOf(key)}`;
  /** The place of a delivery leads to its record. */
  const stand = (url: string, place: string, key: string) =>
    store.put(placeKey(url, place, key), key, { ...options, ifVersion: 0 });
  const count = (url: string, by: number) => store.increment(`webhook-waiting:${host}:${hashOf(url)}`, by, options);
  const read = (value: string): Delivery | undefined => delivery().safeParse(JSON.parse(value)).data;

  async function leave(url: string, place: string | undefined, key: string): Promise<void> {
    if (place === undefined) return;
    const at = placeKey(url, place, key);
    const found = await store.get(at);
    if (found) await store.remove(at, found.version);
  }

  async function* pagesOf(prefix: string): AsyncGenerator<ListedRecord[]> {
    for (let after: string | undefined; ; ) {
      const page = await store.list(prefix, { limit: PAGE, ...(after === undefined ? {} : { after }) });
      yield page;
      if (page.length < PAGE) return;
      after = page.at(-1)?.key;
    }
  }

  /** The delivery of a place, if its time has come. */
  async function standing({ key: at, value: key, version }: ListedRecord, place: string, now: number) {
    const found = await store.get(key);
    const one = found && read(found.value);
    if (!found || !one || (one.place ?? place) !== place) {
      if (Number.parseInt(place, 36) + GRACE_MS < now) await store.remove(at, version);
      return undefined;
    }
    if (one.nextAt > now) return undefined;
    return { ...one, key, version: found.version, id: one.as ?? idOf(key), at: { key: at, version } };
  }

  async function remove({ url, key, version, at }: Pick<Waiting, "url" | "key" | "version" | "at">): Promise<void> {
    const isRemoved = await store.remove(key, version);
    await Promise.all([store.remove(at.key, at.version), isRemoved ? count(url, -1) : undefined]);
  }

  const asked = new Map<string, true>();
  let lacksPlaces = false;

  return {
    remove,
    async isFirst(id) {
      if (asked.has(id)) return false;
      keepNewest(asked, id, true, REMEMBERED);
      const version = await store.put(`webhook-once:${host}:${id}`, "", { ifVersion: 0, ttlMs: DAY_MS });
      return version !== undefined;
    },
    async add(id, url, one) {
      const key = keyOf(id, url);
      const place = placeOf(one.nextAt);
      // The place first: without its record it is nothing. A record without a place is found, though only later.
      const unplaced = () => {
        lacksPlaces = true;
        return undefined;
      };
      const [at, waiting = 0] = await Promise.all([
        stand(url, place, key).catch(unplaced),
        count(url, 1).catch(() => undefined),
      ]);
      const version = await put(key, { url, attempts: 0, ...one, place }, 0);
      if (version === undefined) await count(url, -1);
      if (version === undefined || waiting <= most) return true;
      await remove({ url, key, version, at: { key: placeKey(url, place, key), version: at ?? 0 } });
      return false;
    },
    async settle(id, url, one) {
      const key = keyOf(id, url);
      const found = await store.get(key);
      const before = found && read(found.value)?.place;
      if (one) {
        const place = placeOf(one.nextAt);
        await stand(url, place, key);
        await put(key, { url, attempts: 0, ...one, place }, found?.version ?? 0);
        if (!found) await count(url, 1);
        if (before !== place) await leave(url, before, key);
      } else if (found) {
        if (await store.remove(key, found.version)) await count(url, -1);
        await leave(url, before, key);
      }
    },
    async *due(url, now) {
      const line = lineOf(url);
      for await (const page of pagesOf(line))
        for (const one of page) {
          const place = one.key.slice(line.length).split(" ")[0] ?? "";
          if (place > placeOf(now)) return;
          const found = await standing(one, place, now);
          if (found) yield found;
        }
    },
    async take(waiting, until) {
      const taken = { ...waiting, attempts: waiting.attempts + 1, nextAt: until };
      const version = await put(waiting.key, taken, waiting.version);
      return version === undefined ? undefined : { ...taken, version };
    },
    async putOff(taken, nextAt) {
      const { url, key, at, version } = taken;
      const place = placeOf(nextAt);
      await stand(url, place, key);
      const isPut = (await put(key, { ...taken, nextAt, place }, version)) !== undefined;
      if (isPut && placeKey(url, place, key) !== at.key) await store.remove(at.key, at.version);
    },
    async waiting(url, most) {
      // A delivery that moves stands at two places for a moment.
      const ids = new Set<string>();
      for await (const { key } of listed(store, lineOf(url), most)) ids.add(key.slice(key.indexOf(" ")));
      return ids.size;
    },
    get lacksPlaces() {
      return lacksPlaces;
    },
    async placeAll(urls, mayGoOn) {
      lacksPlaces = false;
      for (const name of [host, ...formerNames])
        for await (const page of pagesOf(prefixOf(name))) {
          if (!mayGoOn()) return;
          const known = page.flatMap(({ key, value }) => ({ key, one: read(value) }));
          await Promise.all(
            known.map(({ key, one }) =>
              one && urls.has(one.url) ? stand(one.url, one.place ?? placeOf(one.nextAt), key) : undefined,
            ),
          );
        }
    },
  };
}
