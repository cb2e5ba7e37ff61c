/** All kinds of data that a wallet has: the table, and the columns that an export contains. No tokens or secrets. */

import type { SampleKind } from "./samples.js";

export interface ExportedTable {
  table: string;
  /** Names of a row within its wallet, all texts; pages follow their order. */
  names: readonly string[];
  columns: string;
  /** Columns that hold JSON as text. */
  json?: readonly string[];
  /** Condition of exported rows; default: all. */
  lives?: string;
  /** Whether its rows have `bytes`, which count towards the quota. */
  sized?: true;
  /** The sample data of a trial that has rows of it. */
  sample?: SampleKind;
}

const OBJECT = "bytes, version, expires_at, updated_at";
const LIVES = "expires_at > $2";

/** In the order of an export. */
export const KINDS = {
  kv: {
    table: "kv",
    sample: "kv",
    sized: true,
    names: ["ns", "key"],
    json: ["value"],
    lives: LIVES,
    columns: `ns, key, value, ${OBJECT}`,
  },
  docs: {
    table: "docs",
    sample: "docs",
    sized: true,
    names: ["ns", "id"],
    columns: `ns, id, body as contents, ${OBJECT}`,
    json: ["contents"],
    lives: LIVES,
  },
  vectors: {
    table: "vectors",
    sample: "vectors",
    sized: true,
    names: ["ns", "id"],
    json: ["embedding", "body"],
    lives: LIVES,
    columns: `ns, id, embedding::text as embedding, body, meta, ${OBJECT}`,
  },
  blobs: {
    table: "blobs",
    sample: "blobs",
    sized: true,
    names: ["ns", "key"],
    lives: LIVES,
    columns: `ns, key, content_type, sha256, translate(encode(data, 'base64'), E'\\n', '') as data, ${OBJECT}`,
  },
  queue: {
    table: "messages",
    sample: "queue",
    sized: true,
    names: ["queue", "lpad(id::text, 20, '0')"],
    json: ["body"],
    lives: LIVES,
    columns: `queue, id::text as id, body, state, attempts, max_attempts, visible_at, last_error, dead_at, created_at,
      expires_at, bytes`,
  },
  dedups: {
    table: "dedups",
    sized: true,
    names: ["queue", "dedup"],
    columns: "queue, dedup, message, until, bytes",
    lives: "until > $2",
  },
  locks: {
    table: "locks",
    sample: "locks",
    names: ["key"],
    columns: "key, fencing, holder, expires_at",
    lives: `token_hash is not null and ${LIVES}`,
  },
  callbacks: {
    table: "callbacks",
    sample: "callbacks",
    names: ["id"],
    columns: "id, url, state, reason, failures, successes, created_at",
  },
  schedules: {
    table: "schedules",
    sample: "callbacks",
    sized: true,
    names: ["id"],
    json: ["payload"],
    columns: `id, callback, kind as trigger, at, every_seconds, cron, time_zone, payload, label, catch_up, max_fires, fires, missed,
      next_at, status, reason, expires_at, created_at, ended_at, bytes`,
  },
  watchers: {
    table: "watchers",
    sample: "callbacks",
    sized: true,
    names: ["id"],
    json: ["params", "payload"],
    columns: `id, callback, endpoint, params, every_seconds, condition, state, payload, label, max_fires, fires, polls,
      max_polls, failures, last_error, last_polled_at, next_at, status, reason, expires_at, created_at, ended_at, bytes`,
  },
  topics: { table: "topics", sample: "callbacks", names: ["id"], columns: "id, name, expires_at, created_at" },
  subscriptions: {
    table: "subscriptions",
    sample: "callbacks",
    names: ["id"],
    columns: "id, topic, callback, label, confirmed_at, expires_at, created_at",
  },
  events: {
    table: "events",
    sample: "callbacks",
    sized: true,
    names: ["id"],
    json: ["body"],
    columns: "id, source, number, dedup, type, body, created_at, expires_at, bytes",
  },
  deliveries: {
    table: "deliveries",
    sample: "callbacks",
    names: ["event", "callback"],
    columns: "event, callback, state, attempts, due_at, last_status, last_outcome, log, created_at, done_at",
  },
} satisfies Record<string, ExportedTable>;

export type KindName = keyof typeof KINDS;
