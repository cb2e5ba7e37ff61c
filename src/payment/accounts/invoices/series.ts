/**
 * Numbers without gaps. One record has the last number with all of its document, so that taking a number and having a
 * document for it is one compare-and-set; whoever takes the next one first files the document before it.
 */
import { createHash, randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { once } from "../../../lib/lazy.js";
import { onWorkers } from "../../../lib/packages/platform.js";
import type { Store } from "../../../stores/store.js";
import { FOREVER_MS } from "../record/forever.js";
import { type StoredInvoice, storedInvoice, writeStored } from "../record/invoice-record.js";

const MAX_PAUSE_MS = 50;

const register = once(() =>
  z.object({
    last: z.number(),
    /** The last number's document, until it is filed under it. */
    document: storedInvoice().optional(),
  }),
);

const hashOf = (...names: string[]) => createHash("sha256").update(JSON.stringify(names)).digest("hex");
const place = (n: number) => String(n).padStart(12, "0");
const registerKey = (host: string) => `invoice-series:${host}`;
const documentKey = (host: string, n: number) => `invoice:${host}:${place(n)}`;
const nameKey = (host: string, name: string) => `invoice-name:${hashOf(host, name)}`;
const accountPrefix = (host: string, account: string) => `invoice-of:${hashOf(host, account)}:`;

export interface Series {
  /** Gives a name its number, once, whoever repeats it on whatever instance. */
  issue(name: string, make: (n: number) => StoredInvoice): Promise<StoredInvoice>;
  find(name: string): Promise<StoredInvoice | undefined>;
  read(n: number): Promise<StoredInvoice | undefined>;
  /** Of an account, from the oldest on, those after a number. */
  ofAccount(account: string, page: { after: number; limit: number }): Promise<StoredInvoice[]>;
  /** All of the host in the order of their numbers, those after one. */
  all(page: { after: number; limit: number }): Promise<StoredInvoice[]>;
  /** Changes a document; undefined for one that is not there. */
  change(n: number, edit: (document: StoredInvoice) => StoredInvoice): Promise<StoredInvoice | undefined>;
  /** Takes out of all documents of an account who it was. The numbers and their sums stay. */
  forget(account: string, lean: (document: StoredInvoice) => StoredInvoice): Promise<void>;
}

const CREATED = { ifVersion: 0, ttlMs: FOREVER_MS };

/** `names` are those of the host in the store's keys: it writes on under the name that has a series. */
export function createSeries(store: Store, names: readonly string[]): Series {
  let known: string | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  async function hostName(): Promise<string> {
    for (const name of known === undefined ? names : []) {
      // guard: invoices: another treasury does not begin at 1 again | never | invoices/numbers
      if (await store.get(registerKey(name))) {
        known = name;
        break;
      }
    }
    return known ?? names[0] ?? "";
  }

  const documentOf = async (host: string, n: number) => {
    const found = await store.get(documentKey(host, n));
    return found && { ...found, document: storedInvoice().parse(JSON.parse(found.value)) };
  };

  async function find(name: string): Promise<StoredInvoice | undefined> {
    const host = await hostName();
    const found = await store.get(nameKey(host, name));
    return found && (await documentOf(host, Number(found.value)))?.document;
  }

  /** Files a document under its number, then what leads to it. A repetition after a crash writes the same. */
  async function file(host: string, document: StoredInvoice): Promise<void> {
    const { n, name = "", account = "" } = document;
    await store.put(documentKey(host, n), writeStored(document), CREATED);
    await store.put(nameKey(host, name), String(n), CREATED);
    await store.put(`${accountPrefix(host, account)}${place(n)}`, String(n), CREATED);
  }

  /** The last number, whose document is filed by now. */
  async function settled(host: string) {
    const found = await store.get(registerKey(host));
    const { last, document } = found ? register().parse(JSON.parse(found.value)) : { last: 0, document: undefined };
    // guard: invoices: a number whose process died has its document | never | invoices/numbers
    if (document) await file(host, document);
    return { last, version: found?.version ?? 0, isFiled: document === undefined };
  }

  /** Takes the document of the last number out of the register, since it may name a person. */
  async function clear(host: string): Promise<void> {
    const { last, version, isFiled } = await settled(host);
    if (!isFiled) await store.put(registerKey(host), writeStored({ last }), { ...CREATED, ifVersion: version });
  }

  async function issue(name: string, make: (n: number) => StoredInvoice): Promise<StoredInvoice> {
    for (let conflicts = 0; ; conflicts++) {
      if (conflicts > 0) await sleep(randomInt(1, Math.min(MAX_PAUSE_MS, 2 ** conflicts) + 1));
      const host = await hostName();
      const { last, version } = await settled(host);
      // Looked for after the register was read: whatever was named until then is filed.
      // guard: invoices: a purchase gets one number | = undefined | invoices/numbers
      const there = await find(name);
      if (there) return there;
      const document = make(last + 1);
      const next = writeStored({ last: last + 1, document });
      // guard: invoices: two instances give no number twice |
      //   version -> (await store.get(registerKey(host)))?.version ?? 0 | invoices/numbers
      if ((await store.put(registerKey(host), next, { ...CREATED, ifVersion: version })) === undefined) continue;
      await clear(host);
      return document;
    }
  }

  async function change(n: number, edit: (document: StoredInvoice) => StoredInvoice) {
    for (;;) {
      const host = await hostName();
      const found = await documentOf(host, n);
      if (!found) return undefined;
      const changed = edit(found.document);
      if (changed === found.document) return changed;
      const options = { ...CREATED, ifVersion: found.version };
      if ((await store.put(documentKey(host, n), writeStored(changed), options)) !== undefined) return changed;
    }
  }

  async function remove(key: string): Promise<void> {
    const found = await store.get(key);
    if (found) await store.remove(key, found.version);
  }

  return {
    find,
    change,
    issue(name, make) {
      // On Workers what one request waits for ends with another one's answer.
      if (onWorkers()) return issue(name, make);
      const mine = queue.then(() => issue(name, make));
      queue = mine.catch(() => {});
      return mine;
    },
    read: async (n) => (await documentOf(await hostName(), n))?.document,
    async ofAccount(account, { after, limit }) {
      const host = await hostName();
      const prefix = accountPrefix(host, account);
      const rows = await store.list(prefix, { limit, after: prefix + place(after) });
      const documents = await Promise.all(rows.map(({ value }) => documentOf(host, Number(value))));
      return documents.flatMap((found) => (found ? [found.document] : []));
    },
    async all({ after, limit }) {
      const host = await hostName();
      // The last one may not be filed yet.
      await clear(host);
      const rows = await store.list(documentKey(host, 0).slice(0, -place(0).length), {
        limit,
        after: documentKey(host, after),
      });
      return rows.map(({ value }) => storedInvoice().parse(JSON.parse(value)));
    },
    async forget(account, lean) {
      const host = await hostName();
      await clear(host);
      const next = () => store.list(accountPrefix(host, account), { limit: 100 });
      for (let rows = await next(); rows.length > 0; rows = await next())
        for (const { key, value } of rows) {
          const { name } = (await documentOf(host, Number(value)))?.document ?? {};
          if (name !== undefined) await remove(nameKey(host, name));
          await change(Number(value), lean);
          await remove(key);
        }
    },
  };
}
