/** Sample data of a trial: a little of each kind, under the names that the examples of the operations use. */
import { HOUR_MS } from "../lib/time.js";
import { fileOf, writeFile } from "./blobs/rows.js";
import { wordsOf, writeDoc } from "./docs/rows.js";
import { SAMPLE_TOKEN } from "./fields.js";
import { writeValue } from "./kv/rows.js";
import { take } from "./locks/rows.js";
import { messageKey } from "./queues/rows.js";
import { addSchedule } from "./schedules/rows.js";
import type { WriteScope } from "./scope.js";
import { addSubscription, addTopic, confirm } from "./topics/rows.js";
import { writeVector } from "./vectors/rows.js";
import { addWatcher } from "./watchers/rows.js";
import { addEvent, deliverEvent } from "./webhooks/rows.js";

const VALUES = { greeting: { text: "hello" }, farewell: { text: "bye" }, visits: 3 };

/** One leased, two waiting and one set aside. Numbers below 1001 are reserved for samples. */
const MESSAGES = [
  { id: 1, task: "resize", lease: SAMPLE_TOKEN },
  { id: 2, task: "crop" },
  { id: 3, task: "upload" },
  { id: 4, task: "explode", dead: true },
];

async function addMessage(
  { wallet, now, encryption, query }: WriteScope,
  { id, task, lease, dead }: (typeof MESSAGES)[number],
) {
  const hour = new Date(now.getTime() + HOUR_MS);
  await query(
    `insert into @messages (wallet, queue, id, body, bytes, state, attempts, max_attempts, visible_at, lease, leased_since,
       last_error, dead_at, created_at, expires_at)
     overriding system value values ($1, 'jobs', $2::bigint, $3, 0, $4, $5::int, 10, $6, $7, $8, $9, $10, $8, $11)`,
    [
      wallet,
      id,
      encryption.encrypt(messageKey({ wallet, queue: "jobs", id: String(id) }, "body"), JSON.stringify({ task })),
      dead ? "dead" : "ready",
      dead ? 10 : lease ? 1 : 0,
      lease ? hour : now,
      lease ?? null,
      now,
      dead ? "sample failure" : null,
      dead ? now : null,
      hour,
    ],
  );
}

const DOCS = [
  { id: "tea", body: { title: "Green tea", price: 4, tags: ["drink", "hot"] }, meta: { lang: "en" } },
  { id: "lemonade", body: { title: "Lemonade", price: 3, tags: ["drink", "cold"] }, meta: { lang: "en" } },
  { id: "note", body: "Buy green tea and lemons.", meta: { lang: "en" } },
];

const VECTORS = [
  { id: "tea", embedding: [0.9, 0.1, 0], body: "Green tea", meta: { lang: "en" } },
  { id: "coffee", embedding: [0.8, 0.3, 0.1], body: "Coffee", meta: { lang: "en" } },
  { id: "train", embedding: [0, 0.2, 0.9], body: "Night train", meta: { lang: "en" } },
];
const SCHEDULE = {
  callbackUrl: "https://example.com/hooks/daily",
  everySeconds: 86_400,
  timeZone: "UTC",
  expiresInSeconds: 7_776_000,
  catchUp: "once" as const,
};

async function addDelivered(scope: WriteScope, source: string, id: string): Promise<void> {
  const { wallet, now, query } = scope;
  const happening = { wallet, source, number: 1, type: "schedule.fired", data: { fireNumber: 1 }, now };
  scope.grow(await deliverEvent(scope, happening, id));
  await query("update @deliveries set state = 'delivered', done_at = $2 where event = $1", [id, now]);
}

const WATCHER = {
  endpoint: "crypto.fear-greed",
  params: {},
  everySeconds: 21_600,
  callbackUrl: "https://example.com/hooks/fear",
  condition: { type: "below" as const, path: "/items/0/value", threshold: 20 },
  maxFires: 1,
  expiresInSeconds: 2_592_000,
};

const TOPIC = "top_00000000000000000000000000000001";
const SUBSCRIBED = { topicId: TOPIC, url: "https://example.com/hooks/prices" };

async function addPublished(scope: WriteScope): Promise<void> {
  const { wallet, now } = scope;
  const [subscription, message] = ["sub_00000000000000000000000000000001", "msg_00000000000000000000000000000002"];
  await addTopic(scope, TOPIC, "prices");
  await addSubscription(scope, subscription, SUBSCRIBED);
  await confirm(scope, SUBSCRIBED, subscription);
  await scope.query("update @topics set numbers = 1 where wallet = $1 and id = $2", [wallet, TOPIC]);
  const data = { topicId: TOPIC, messageId: message, publishedAt: now.toISOString(), message: { tea: 4 } };
  const happening = { wallet, source: TOPIC, number: 1, type: "topic.message", data, now };
  scope.grow(await addEvent(scope, happening, message));
  await scope.query(
    `insert into @deliveries (event, callback, wallet, state, attempts, due_at, last_status, created_at, done_at)
     values ($1, $2, $3, 'delivered', 1, $4, 204, $4, $4)`,
    [message, subscription, wallet, now],
  );
}

interface Samples {
  /** Tables whose statements need these samples. */
  tables: RegExp;
  put(scope: WriteScope): Promise<void>;
}

const tables = (...names: string[]) => new RegExp(`@(${names.join("|")})\\b`);

const KINDS: Samples[] = [
  {
    tables: tables("kv"),
    async put(scope) {
      for (const [key, value] of Object.entries(VALUES)) await writeValue(scope, { ns: "memory", key, value }, 0);
    },
  },
  {
    tables: tables("locks"),
    async put(scope) {
      await take(scope, { key: "nightly-report", ttlSeconds: 3600, holder: "sample", token: SAMPLE_TOKEN });
    },
  },
  {
    tables: tables("messages"),
    async put(scope) {
      for (const message of MESSAGES) await addMessage(scope, message);
    },
  },
  {
    tables: tables("blobs"),
    async put(scope) {
      await writeFile(scope, fileOf({ ns: "files", key: "hello.txt", data: "aGVsbG8=", contentType: "text/plain" }), 0);
    },
  },
  {
    tables: tables("docs"),
    async put(scope) {
      for (const doc of DOCS) await writeDoc(scope, { ns: "menu", ...doc }, 0, await wordsOf(doc));
    },
  },
  {
    tables: tables("vectors"),
    async put(scope) {
      if (scope.vectors) for (const vector of VECTORS) await writeVector(scope, { ns: "ideas", ...vector }, 0);
    },
  },
  {
    tables: tables("callbacks", "deliveries", "events", "schedules", "watchers", "topics", "subscriptions"),
    async put(scope) {
      await addSchedule(scope, "sch_00000000000000000000000000000001", SCHEDULE);
      await addWatcher(scope, "wat_00000000000000000000000000000001", WATCHER, { value: 42, holds: false });
      await addPublished(scope);
      await addDelivered(scope, "sch_00000000000000000000000000000001", "msg_00000000000000000000000000000001");
    },
  },
];

/**
 * The scope of a trial. Samples of a kind are written before the first statement that names one of its tables, so that
 * a trial runs only the statements that its operation needs; everything is rolled back.
 */
export function withSamples(scope: WriteScope): WriteScope {
  const begun = new Map<Samples, Promise<void>>();
  return {
    ...scope,
    async query(text, values) {
      for (const kind of KINDS.filter(({ tables }) => tables.test(text))) {
        const put = begun.get(kind) ?? kind.put(scope);
        begun.set(kind, put);
        await put;
      }
      return scope.query(text, values);
    },
  };
}
