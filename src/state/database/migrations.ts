/**
 * The tables, one entry a version: never edit a released entry, append the next. Names compare by bytes (collation
 * "C"); `wallet` is in every row, since every statement filters by it. Data counts by its column `bytes`, and is
 * invisible to every statement once `expires_at` is past.
 */
import type { Migration } from "../../lib/migrations.js";

const WALLET = `wallet text collate "C" not null`;
const NAME = (name: string) => `${name} text collate "C" not null`;
const KEPT = `bytes int not null, version bigint not null, rolling boolean not null,
      expires_at timestamptz not null, updated_at timestamptz not null`;

export const MIGRATIONS: readonly Migration[] = [
  (s) => `
    create sequence if not exists ${s}.versions maxvalue ${Number.MAX_SAFE_INTEGER};
    create sequence if not exists ${s}.fencing maxvalue ${Number.MAX_SAFE_INTEGER};
    create table if not exists ${s}.settings (name text primary key, value text not null);
    create table if not exists ${s}.wallets (
      wallet text collate "C" primary key, bytes bigint not null default 0 check (bytes >= 0),
      created_at timestamptz not null, seen_at timestamptz not null);
    create index if not exists wallets_empty on ${s}.wallets (seen_at) where bytes = 0;
    create table if not exists ${s}.receipts (
      ${WALLET}, ${NAME("call")}, endpoint text not null, result text not null,
      expires_at timestamptz not null, primary key (wallet, call));
    create index if not exists receipts_expiry on ${s}.receipts (expires_at);

    create table if not exists ${s}.kv (
      ${WALLET}, ${NAME("ns")}, ${NAME("key")}, value text not null, ${KEPT}, primary key (wallet, ns, key));
    create table if not exists ${s}.docs (
      ${WALLET}, ${NAME("ns")}, ${NAME("id")}, body text not null, document jsonb, meta jsonb, words tsvector,
      ${KEPT}, primary key (wallet, ns, id));
    create index if not exists docs_words on ${s}.docs using gin (words);
    create table if not exists ${s}.blobs (
      ${WALLET}, ${NAME("ns")}, ${NAME("key")}, content_type text not null, sha256 text not null, data bytea not null,
      ${KEPT}, primary key (wallet, ns, key));
    alter table ${s}.blobs alter column data set storage external;
    create index if not exists kv_expiry on ${s}.kv (expires_at);
    create index if not exists docs_expiry on ${s}.docs (expires_at);
    create index if not exists blobs_expiry on ${s}.blobs (expires_at);

    create table if not exists ${s}.locks (
      ${WALLET}, ${NAME("key")}, token_hash text, fencing bigint not null, holder text,
      expires_at timestamptz not null, kept_until timestamptz not null, primary key (wallet, key));
    create index if not exists locks_kept on ${s}.locks (kept_until);
    create table if not exists ${s}.messages (
      ${WALLET}, ${NAME("queue")}, id bigint generated always as identity (start 1001), body text not null, bytes int not null,
      state text not null check (state in ('ready', 'dead')), attempts int not null default 0, max_attempts int not null,
      visible_at timestamptz not null, lease text, leased_since timestamptz,
      last_error text, dead_at timestamptz, created_at timestamptz not null, expires_at timestamptz not null,
      primary key (wallet, queue, id));
    create index if not exists messages_ready on ${s}.messages (wallet, queue, visible_at, id) where state = 'ready';
    create index if not exists messages_expiry on ${s}.messages (expires_at);
    create table if not exists ${s}.dedups (
      ${WALLET}, ${NAME("queue")}, ${NAME("dedup")}, message text not null, until timestamptz not null,
      primary key (wallet, queue, dedup));
    create index if not exists dedups_expiry on ${s}.dedups (until);

    create table if not exists ${s}.callbacks (
      id text primary key, ${WALLET}, url text not null, origin text not null, secret_version int not null default 1,
      rotated_at timestamptz, state text not null, reason text, failures int not null default 0,
      successes int not null default 0, failing_since timestamptz, created_at timestamptz not null);
    create index if not exists callbacks_wallet on ${s}.callbacks (wallet);
    create table if not exists ${s}.schedules (
      id text primary key, ${WALLET}, callback text not null references ${s}.callbacks on delete cascade,
      kind text not null, at timestamptz, every_seconds int, cron text, time_zone text, payload text, label text,
      catch_up text not null, max_fires int not null, fires int not null default 0, missed int not null default 0,
      next_at timestamptz, status text not null, reason text, expires_at timestamptz not null,
      created_at timestamptz not null, ended_at timestamptz);
    create index if not exists schedules_due on ${s}.schedules (next_at) where status = 'active';
    create index if not exists schedules_wallet on ${s}.schedules (wallet, id);
    create table if not exists ${s}.watchers (
      id text primary key, ${WALLET}, callback text not null references ${s}.callbacks on delete cascade,
      endpoint text not null, params text not null, every_seconds int not null, condition jsonb not null,
      state text, payload text, label text, max_fires int not null, fires int not null default 0,
      polls int not null default 0, max_polls int not null, failures int not null default 0, last_error text,
      last_polled_at timestamptz, next_at timestamptz, lease text, lease_until timestamptz, status text not null,
      reason text, expires_at timestamptz not null, created_at timestamptz not null, ended_at timestamptz);
    create index if not exists watchers_due on ${s}.watchers (next_at) where status in ('armed', 'failing');
    create index if not exists watchers_wallet on ${s}.watchers (wallet, id);
    create table if not exists ${s}.topics (
      id text primary key, ${WALLET}, ${NAME("name")}, numbers bigint not null default 0,
      expires_at timestamptz not null, created_at timestamptz not null, unique (wallet, name));
    create table if not exists ${s}.subscriptions (
      id text primary key, topic text not null references ${s}.topics on delete cascade, ${WALLET},
      callback text not null references ${s}.callbacks on delete cascade, url text not null, label text,
      challenges int not null default 0, confirmed_at timestamptz, expires_at timestamptz not null,
      created_at timestamptz not null);
    create unique index if not exists subscriptions_confirmed on ${s}.subscriptions (topic, url) where confirmed_at is not null;
    create unique index if not exists subscriptions_own on ${s}.subscriptions (topic, wallet, url);
    create table if not exists ${s}.events (
      id text primary key, ${WALLET}, source text not null, number bigint not null, dedup text, type text not null,
      body text not null, created_at timestamptz not null, expires_at timestamptz not null, unique (source, number));
    create unique index if not exists events_dedup on ${s}.events (source, dedup) where dedup is not null;
    create index if not exists events_expiry on ${s}.events (expires_at);
    create table if not exists ${s}.deliveries (
      event text not null references ${s}.events on delete cascade,
      callback text not null references ${s}.callbacks on delete cascade, ${WALLET},
      state text not null check (state in ('pending', 'delivered', 'dead', 'dropped')), attempts int not null default 0,
      due_at timestamptz not null, lease text, lease_until timestamptz, last_status int, last_outcome text,
      log jsonb not null default '[]', created_at timestamptz not null, done_at timestamptz, primary key (event, callback));
    create index if not exists deliveries_due on ${s}.deliveries (due_at) where state = 'pending';
    create index if not exists deliveries_callback on ${s}.deliveries (callback, state, due_at);`,
  // When a URL was last asked for confirmation, over all wallets: by digest, since a URL may belong to anybody.
  (s) => `
    create table if not exists ${s}.challenges (url text primary key, times timestamptz[] not null, last_at timestamptz not null);
    create index if not exists challenges_last on ${s}.challenges (last_at);
    create index if not exists subscriptions_wallet on ${s}.subscriptions (wallet);
    create index if not exists subscriptions_expiry on ${s}.subscriptions (expires_at);
    create index if not exists topics_expiry on ${s}.topics (expires_at);
    create index if not exists schedules_ended on ${s}.schedules (ended_at) where ended_at is not null;
    create index if not exists watchers_ended on ${s}.watchers (ended_at) where ended_at is not null;`,
  // A digest of the question that a watcher asks: equal questions have equal digests, even if their content is
  // encrypted.
  (s) => `alter table ${s}.watchers add column if not exists question text not null default '';`,
  // Version of the word splitting of a document; documents of other versions are indexed again, in rounds. One word
  // index over all wallets would slow everyone's writes and searches down with the largest wallet.
  (s) => `
    alter table ${s}.docs add column if not exists worded bigint;
    create index if not exists docs_unworded on ${s}.docs (wallet, ns, id) where worded is distinct from version;
    drop index if exists ${s}.docs_words;`,
  // Events that are waiting, sent, or remembered against duplicates count, too; rows of older releases count as
  // nothing.
  (s) =>
    ["events", "dedups", "schedules", "watchers"]
      .map((table) => `alter table ${s}.${table} add column if not exists bytes int not null default 0;`)
      .join("\n"),
  // Indexes for the oldest pending delivery of a receiver, and for the next receiver that has any.
  (s) =>
    `create index if not exists deliveries_waiting on ${s}.deliveries (callback, created_at, event) where state = 'pending';`,
  // Locks a wallet, or makes it, so that statements may follow without waiting for the answer: a call that has a
  // receipt fails here, and they with it. Each statement of it sees what was committed during the wait.
  (s) => `
    create or replace function ${s}.open_change(which text, named text, out held bigint, out at timestamptz)
      language plpgsql as $open$
    begin
      select bytes into held from ${s}.wallets where wallet = which for update;
      if not found then
        insert into ${s}.wallets (wallet, created_at, seen_at) values (which, now(), now()) on conflict do nothing;
        select bytes into held from ${s}.wallets where wallet = which for update;
      end if;
      if exists (select from ${s}.receipts where wallet = which and call = named) then
        raise exception using errcode = 'CSDON', message = 'the call has a receipt';
      end if;
      at := clock_timestamp();
    end
    $open$;`,
  // Rows that a change answered with, for a change that is one statement together with its receipt: such a statement
  // locks the wallet itself.
  (s) => `
    alter table ${s}.receipts add column if not exists facts text;
    drop function if exists ${s}.open_change(text, text);`,
];

/** Created when pgvector is available, at any time. */
export const VECTORS = (s: string): string[] => [
  `create table if not exists ${s}.vectors (
    ${WALLET}, ${NAME("ns")}, ${NAME("id")}, dim int not null, embedding vector not null, body text, meta jsonb,
    ${KEPT}, primary key (wallet, ns, id))`,
  `alter table ${s}.vectors alter column embedding set storage external`,
  `create index if not exists vectors_expiry on ${s}.vectors (expires_at)`,
];
