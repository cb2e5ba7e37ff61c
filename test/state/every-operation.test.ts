/** What holds for every operation on a wallet's state, whichever it is. */
import fc from "fast-check";
import { afterEach, expect, it } from "vitest";
import { z } from "zod";
import { cryptoFearGreed } from "../../src/capabilities/crypto/market/fear-greed.js";
import { capabilities } from "../../src/capabilities/index.js";
import * as lock from "../../src/capabilities/lock/index.js";
import * as queue from "../../src/capabilities/queue/index.js";
import * as store from "../../src/capabilities/store/index.js";
import type { AnyCapability } from "../../src/capability/types.js";
import { createResources } from "../../src/lib/resources.js";
import { rowsOf } from "../../src/state/database/database.js";
import { openWallets } from "../../src/state/database/open.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { openWalletShop, type WalletShop } from "../support/wallet-shop.js";
import { alice } from "../support/wallets.js";
import { onBothEngines } from "../support/wallets-engine.js";

/** Those on values, locks and queues. */
const OPERATIONS: AnyCapability[] = [store, lock, queue]
  .flatMap((group) => Object.values<AnyCapability>(group))
  .filter(({ id }) => /^(?:store\.(?:kv-.*|usage)|lock\..*|queue\..*)$/.test(id));
/** All of them, with the endpoint that the example of watchers.arm names. */
const ALL: AnyCapability[] = capabilities.filter(({ wallet }) => wallet);
const WALLET = `eip155:8453:${alice.address.toLowerCase()}`;
type Item = Record<string, unknown>;
type Ask = (id: string, input: object) => Promise<Item[]>;

/** What has to be there before a change can be seen, and then the change. */
const CHANGES: Record<string, (ask: Ask) => Promise<object>> = {
  "store.kv-put": async () => ({ ns: "n", key: "put", value: 1, ifVersion: 0 }),
  "store.kv-increment": async () => ({ ns: "n", key: "count" }),
  async "store.kv-delete"(ask) {
    await ask("store.kv-put", { ns: "n", key: "deleted", value: 1 });
    return { ns: "n", key: "deleted" };
  },
  "lock.acquire": async () => ({ key: "free", ttlSeconds: 60 }),
  async "lock.renew"(ask) {
    const [held] = await ask("lock.acquire", { key: "renewed", ttlSeconds: 60 });
    return { key: "renewed", token: held?.token, ttlSeconds: 120 };
  },
  async "lock.release"(ask) {
    const [held] = await ask("lock.acquire", { key: "released", ttlSeconds: 60 });
    return { key: "released", token: held?.token };
  },
  "queue.enqueue": async () => ({ queue: "enqueued", body: 1 }),
  async "queue.lease"(ask) {
    for (let i = 0; i < 3; i++) await ask("queue.enqueue", { queue: "leased", body: i });
    return { queue: "leased", count: 1 };
  },
  "queue.ack": (ask) => leased(ask, "acked", {}),
  "queue.nack": (ask) => leased(ask, "nacked", {}),
  "queue.extend": (ask) => leased(ask, "extended", { visibilitySeconds: 300 }),
  async "queue.redrive"(ask) {
    const message = await leased(ask, "redriven", {}, { maxAttempts: 1 });
    await ask("queue.nack", message);
    return { queue: "redriven", all: true };
  },
};

async function leased(ask: Ask, name: string, more: object, options: object = {}) {
  await ask("queue.enqueue", { queue: name, body: 1, ...options });
  const [message] = await ask("queue.lease", { queue: name, visibilitySeconds: 60 });
  return { queue: name, id: message?.id, leaseToken: message?.leaseToken, ...more };
}

const asker =
  ({ handle }: WalletShop, wallet: string): Ask =>
  async (id, input) => {
    const { items } = (await handle.call(id as never, input as never, { wallet })) as { items: Item[] };
    return items;
  };

onBothEngines("every operation of a wallet", (engine) => {
  const shops: WalletShop[] = [];
  const open = (options: Partial<Parameters<typeof openWalletShop>[0]> = {}) => {
    const shop = openWalletShop({ capabilities: OPERATIONS, wallets: engine.options(), ...options });
    shops.push(shop);
    return shop;
  };
  afterEach(async () => {
    for (const shop of shops.splice(0)) await shop.handle.close();
  });

  it("WAL-9 that changes something does so once for the same payment at once on two instances", async () => {
    const changing = OPERATIONS.filter(({ wallet }) => wallet?.effects).map(({ id }) => id);
    expect(Object.keys(CHANGES).sort()).toEqual(changing.sort());
    const facilitator = fakeFacilitator();
    const [one, two] = [open({ facilitator, trial: false }), open({ facilitator, trial: false })];
    for (const [id, prepare] of Object.entries(CHANGES)) {
      const input = await prepare(asker(one, WALLET));
      const payment = await one.payFor(id, input);
      const copies = Array.from({ length: 8 }, (_, i) => (i % 2 ? one : two).pay(id, input, payment));
      const answers = await Promise.all((await Promise.all(copies)).map((response) => response.text()));
      expect([id, new Set(answers).size]).toEqual([id, 1]);
      // Done a second time, each of these would say so: not stored, held by another, no lease, one more.
      expect(answers[0], id).toMatch(
        /^\{"data":\{"ok":true,"items":\[(?!\])(?!.*(?:"(?:stored|changed|deleted|acquired|renewed|released|acked|nacked|extended)":false|"redriven":0).*"total")/,
      );
    }
    expect(facilitator.settled.length).toBe(changing.length);
    const ask = asker(one, WALLET);
    expect(await ask("store.kv-get", { ns: "n", key: "count" })).toMatchObject([{ value: 1 }]);
    expect(await ask("queue.stats", { queue: "enqueued" })).toMatchObject([{ ready: 1 }]);
    expect(await ask("queue.stats", { queue: "leased" })).toMatchObject([{ leased: 1, ready: 2 }]);
  });

  it("WAL-7 leaves after a trial not one row more than before, and two at once do not see each other", async () => {
    const options = engine.options({ schema: "wallets_tried" });
    const shop = open({ capabilities: [...ALL, cryptoFearGreed], wallets: { ...options, runner: false } });
    await shop.handle.call("store.kv-put" as never, { ns: "n", key: "own", value: 1 } as never, { wallet: "own" });
    const database = await openWallets({ wallets: options, resources: createResources() });
    const tables = await rowsOf(
      database,
      z.object({ name: z.string() }),
      "select tablename::text as name from pg_tables where schemaname = $1 order by 1",
      ["wallets_tried"],
    );
    expect(tables.length).toBeGreaterThan(15);
    const count = async () =>
      // A deployment's own settings, such as the secret that callbacks are signed with, are made once.
      (
        await database.query(
          `select ${tables.filter(({ name }) => name !== "settings").map(({ name }) => `(select count(*)::int from @${name}) as ${name}`)}`,
        )
      ).rows;
    const before = await count();
    // Where there is no pgvector, vectors are refused before any trial.
    const there = ALL.filter(({ id }) => database.vectors || !id.startsWith("store.vector-"));
    expect(new Set(there.map(({ group }) => group)).size).toBe(7);
    for (const { id, example, method } of there) {
      const query = method === "GET" ? `?${new URLSearchParams(example as Record<string, string>)}` : "";
      const tries = ["198.51.100.1", "198.51.100.2"].map((clientAddress) =>
        shop.handle(
          new Request(`http://shop.test/api/${id.replace(".", "/")}${query}`, {
            ...{ method, ...(query ? {} : { body: JSON.stringify(example) }), headers: { "x-svc-trial": "1" } },
          }),
          { clientAddress },
        ),
      );
      const answers = await Promise.all(tries);
      expect([id, ...answers.map(({ status }) => status)]).toEqual([id, 200, 200]);
      const items = await Promise.all(
        answers.map(async (answer) => {
          const body = await answer.text();
          return id === "store.blob-get" ? body : JSON.stringify(JSON.parse(body).data.items);
        }),
      );
      const steady = items.map((text) => text.replace(VARYING, '"$1":0'));
      expect(steady[0], id).toBe(steady[1]);
    }
    expect(await count()).toEqual(before);
  });

  it("WAL-1 gives a wallet in company what it would get alone, whatever the other does and names", async () => {
    const shop = open();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step(), { minLength: 10, maxLength: 40 }), async (steps) => {
        const name = `run${run++}`;
        const both = await play(shop, steps, (who) => `${name}:both:${who}`);
        for (const who of ["a", "b"] as const) {
          const alone = await play(
            shop,
            steps.filter((one) => one.who === who),
            () => `${name}:alone:${who}`,
          );
          expect(alone).toEqual(both.filter((one) => one.who === who));
        }
      }),
      { numRuns: 5 },
    );
  });
});

/** What is random, counted over all wallets, or a time. */
const VARYING =
  /"(secret|[A-Za-z]+(?:Id|At|Fire|Poll|Until)|token|leaseToken|id|version|timestamp|fencing|fencingToken|nextCursor|expiresAt|updatedAt|leaseExpiresAt|enqueuedAt|deadAt|oldestSeconds|retryInSeconds|expiresInSeconds)":("[^"]*"|\d+)/g;

interface Step {
  who: "a" | "b";
  id: string;
  name: string;
  /** With the token and the id that the other wallet got last, instead of its own. */
  foreign: boolean;
}
const step = (): fc.Arbitrary<Step> =>
  fc.record({
    who: fc.constantFrom("a", "b"),
    id: fc.constantFrom(...OPERATIONS.map(({ id }) => id)),
    name: fc.constantFrom("x", "y"),
    foreign: fc.boolean(),
  });

const inputOf = (id: string, name: string, { token, message }: Known): object => {
  const receipt = { queue: name, id: message.id, leaseToken: message.leaseToken };
  const inputs: Record<string, object> = {
    "store.kv-put": { ns: "n", key: name, value: name },
    "store.kv-get": { ns: "n", key: name },
    "store.kv-delete": { ns: "n", key: name },
    "store.kv-increment": { ns: "counts", key: name },
    "store.kv-scan": { ns: "n", values: true },
    "store.usage": {},
    "lock.acquire": { key: name, ttlSeconds: 600 },
    "lock.renew": { key: name, token, ttlSeconds: 600 },
    "lock.release": { key: name, token },
    "queue.enqueue": { queue: name, body: name, dedupId: name },
    "queue.lease": { queue: name, visibilitySeconds: 600 },
    "queue.ack": receipt,
    "queue.nack": receipt,
    "queue.extend": { ...receipt, visibilitySeconds: 900 },
    "queue.redrive": { queue: name, all: true },
    "queue.dead-letters": { queue: name },
    "queue.stats": { queue: name },
  };
  const input = inputs[id];
  if (!input) throw new Error(`${id} is not played here`);
  return input;
};

interface Known {
  token: unknown;
  message: { id: unknown; leaseToken: unknown };
}
/** Of nobody: what a foreign one must be as good as. */
const nothing = (): Known => ({ token: "A".repeat(22), message: { id: "999999999", leaseToken: "B".repeat(22) } });

async function play(shop: WalletShop, steps: readonly Step[], walletOf: (who: "a" | "b") => string) {
  const known = { a: nothing(), b: nothing() };
  const seen: { who: string; id: string; answer: string }[] = [];
  for (const { who, id, name, foreign } of steps) {
    const other = who === "a" ? "b" : "a";
    const input = inputOf(id, name, known[foreign ? other : who]);
    const result = await asker(shop, walletOf(who))(id, input).catch(
      ({ code, message }) => [{ code, message }] as Item[],
    );
    const [first] = result;
    if (first?.token) known[who].token = first.token;
    if (first?.leaseToken) known[who].message = { id: first.id, leaseToken: first.leaseToken };
    seen.push({ who, id, answer: JSON.stringify(result).replace(VARYING, '"$1":0') });
  }
  return seen;
}
