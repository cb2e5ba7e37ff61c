/** Exports all data of a wallet page by page, and erases it. */
import { z } from "zod";
import type { Context } from "../capability/types.js";
import { openFile } from "./blobs/rows.js";
import { rowsOf } from "./database/database.js";
import { sealedColumns } from "./database/encrypted-rows.js";
import { ifReadable, type RowKey } from "./database/encryption.js";
import { NO_RESULT } from "./database/own-texts.js";
import { putSamples } from "./samples.js";
import { type ExportedTable, KINDS, type KindName } from "./tables.js";
import { endOthers } from "./topics/rows.js";
import { mutate, scan } from "./wallet/account.js";
import { cursorOf, PAGE_BYTES, positionOf } from "./wallet/cursor.js";
import { nowParam, type ReadScope, type WriteScope } from "./wallet/scope.js";

const MAX_ROWS = 1000;

const position = z.strictObject({
  kind: z.string(),
  names: z.array(
    z
      .string()
      .max(512)
      .regex(/^[^\0\p{Cs}]*$/u),
  ),
});

type Row = Record<string, unknown>;

/** The kinds of this database: without pgvector there are no vectors. */
const kindsOf = ({ vectors }: ReadScope): KindName[] =>
  (Object.keys(KINDS) as KindName[]).filter((kind) => vectors || kind !== "vectors");

/** The rows of a kind after the given names, and their order. */
function rowsAfter({ table, names, lives = "true" }: ExportedTable, after: string[] | undefined) {
  const order = names.map((name) => `${name} collate "C"`).join(", ");
  const begin = after ? `(${order}) > (${after.map((_, i) => `$${i + 3}::text`).join(", ")})` : "true";
  return { order, from: `@${table}, now where wallet = $1 and ${lives.replace("$2", "now.moment")} and ${begin}` };
}

/** The time is a parameter of every statement, even of those that do not use it. */
const NOW = `with now(moment) as (select ${nowParam(2)})`;

const found = z.object({ names: z.array(z.string()), row: z.string(), size: z.number() });

/** As many rows of a kind as fit; a row larger than a page fits an empty one. */
async function rowsOfKind(scope: ReadScope, kind: ExportedTable, after: string[] | undefined, room: number) {
  const { order, from } = rowsAfter(kind, after);
  const text = `${NOW} select names, row, size from (
      select *, octet_length(row)::float8 as size, sum(octet_length(row)) over (order by place) as running from (
        select array[${kind.names.map((name) => `${name}::text`).join(", ")}] as names,
          row_number() over (order by ${order}) as place,
          (select row_to_json(shown)::text from (select ${kind.columns}) as shown) as row
        from ${from} order by ${order} limit ${MAX_ROWS}) as first) as sized
    where running <= ${room} or (running = size and ${room} = ${PAGE_BYTES}) order by place`;
  return rowsOf(scope, found, text, [scope.wallet, scope.now, ...(after ?? [])]);
}

async function isMore(scope: ReadScope, kind: ExportedTable, after: string[] | undefined): Promise<boolean> {
  const text = `${NOW} select from ${rowsAfter(kind, after).from} limit 1`;
  return (await scope.query(text, [scope.wallet, scope.now, ...(after ?? [])])).rows.length > 0;
}

/** Decrypted content as it was stored; null if it cannot be decrypted, so that all other data can be exported. */
function opened(scope: ReadScope, { table }: ExportedTable, row: Row): Row {
  const { names = [], columns = [], ours = [] } = sealedColumns(table) ?? {};
  const place = (column: string): RowKey => [
    ...([table, column] as const),
    ...names.map((name) => (name === "wallet" ? scope.wallet : String(row[name]))),
  ];
  const open = (column: string, value: string) =>
    ifReadable(() => {
      if (table !== "blobs") return ours.includes(value) ? value : scope.encryption.decrypt(place(column), value);
      const file = row as { ns: string; key: string; sha256: string };
      return openFile(scope, { ...file, data: Buffer.from(value, "base64") }).toString("base64");
    });
  const sealed = columns.flatMap((column): [string, string | undefined][] => {
    const value = row[column];
    return typeof value === "string" ? [[column, open(column, value)]] : [];
  });
  const closed = sealed.filter(([, value]) => value === undefined).map(([column]) => column);
  const values = Object.fromEntries(sealed.map(([column, value]) => [column, value ?? null]));
  return { ...row, ...values, ...(closed.length > 0 ? { unreadable: closed.map(asShown) } : {}) };
}

const asShown = (column: string): string => column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** A row as callers read it: names in their form, times in UTC, and JSON parsed. */
function shown(scope: ReadScope, kind: KindName, { row: text }: z.infer<typeof found>): Row {
  const { json = [] }: ExportedTable = KINDS[kind];
  const columns = opened(scope, KINDS[kind], JSON.parse(text) as Row);
  const entries = Object.entries(columns).map(([column, value]): [string, unknown] => {
    const name = asShown(column);
    if (json.includes(column) && typeof value === "string") return [name, JSON.parse(value)];
    const isTime = /(?:^|_)(?:at|until)$/.test(column) && typeof value === "string";
    return [name, isTime ? new Date(value).toISOString() : value];
  });
  const { contents, ...row } = Object.fromEntries(entries) as Row;
  return { ...row, ...(contents as Row | undefined), kind };
}

export interface Export {
  after?: string | undefined;
  kinds?: string[] | undefined;
}

const positionIn = (kinds: KindName[]) =>
  position.refine(({ kind, names }) => {
    const known: ExportedTable | undefined = Object.hasOwn(KINDS, kind) ? KINDS[kind as KindName] : undefined;
    return kinds.includes(kind as KindName) && known?.names.length === names.length;
  });

interface Page {
  items: Row[];
  /** Bytes of rows that still fit. */
  room: number;
}

/** Adds the rows of a kind after the given names while they fit. Returns the names of the last one. */
async function fill(page: Page, scope: ReadScope, kind: KindName, after: string[] | undefined) {
  const { sample }: ExportedTable = KINDS[kind];
  if (sample) await putSamples(scope, [sample]);
  let last = after;
  for (;;) {
    const rows = await rowsOfKind(scope, KINDS[kind], last, page.room);
    for (const one of rows) {
      page.items.push(shown(scope, kind, one));
      page.room -= one.size;
      last = one.names;
    }
    if (rows.length < MAX_ROWS) return last;
  }
}

/** 2 MB of rows a page, kind by kind. Extends no life. */
export const exportAll = (ctx: Context, { after, kinds }: Export) =>
  scan(ctx, async (scope) => {
    const wanted = kindsOf(scope).filter((kind) => !kinds || kinds.includes(kind));
    const begin = positionOf(after, positionIn(wanted));
    const page: Page = { items: [], room: PAGE_BYTES };
    for (const kind of wanted.slice(begin ? wanted.indexOf(begin.kind as KindName) : 0)) {
      const last = await fill(page, scope, kind, kind === begin?.kind ? begin.names : undefined);
      if (await isMore(scope, KINDS[kind], last)) {
        // No row of this kind fitted, so it begins the next page.
        return { items: page.items, nextCursor: cursorOf({ kind, names: last ?? KINDS[kind].names.map(() => "") }) };
      }
    }
    return { items: page.items };
  });

/** Kinds with a namespace. */
const OBJECTS = ["kv", "docs", "vectors", "blobs"];
/** Dependent kinds are deleted first, so that each is counted. */
const ORDER: KindName[] = [
  ...(["deliveries", "events", "subscriptions", "topics", "schedules", "watchers", "callbacks"] as const),
  ...(["dedups", "queue", "locks", "kv", "docs", "vectors", "blobs"] as const),
];

/** Counts by kind. Pending deliveries are dropped. Receipts stay, without their results. */
export const erase = (ctx: Context, { ns }: { ns?: string | undefined }): Promise<Record<string, number>> =>
  mutate(ctx, {
    endpoint: "store.erase",
    async work(scope) {
      const there = kindsOf(scope);
      const kinds = ORDER.filter((kind) => there.includes(kind) && (ns === undefined || OBJECTS.includes(kind)));
      const counts: Record<string, number> = {};
      // Subscriptions of other wallets to its topics have their own receivers.
      if (ns === undefined) {
        await putSamples(scope, ["callbacks"]);
        await endOthers(scope);
      }
      for (const kind of kinds) counts[kind] = await eraseKind(scope, kind, ns);
      if (ns === undefined)
        await scope.query(`update @receipts set result = '${NO_RESULT}', facts = null where wallet = $1`, [
          scope.wallet,
        ]);
      return counts;
    },
  });

async function eraseKind(scope: WriteScope, kind: KindName, ns: string | undefined): Promise<number> {
  const { table, sized, sample }: ExportedTable = KINDS[kind];
  const bytes = sized ? "bytes" : "0 as bytes";
  if (sample) await putSamples(scope, [sample]);
  const [gone] = await rowsOf(
    scope,
    z.object({ count: z.int(), bytes: z.number() }),
    `with gone as (delete from @${table} where wallet = $1 ${ns === undefined ? "" : "and ns = $2"} returning ${bytes})
      select count(*)::int as count, coalesce(sum(bytes), 0)::float8 as bytes from gone`,
    ns === undefined ? [scope.wallet] : [scope.wallet, ns],
  );
  scope.grow(-(gone?.bytes ?? 0));
  return gone?.count ?? 0;
}
