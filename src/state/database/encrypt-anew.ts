/**
 * Re-encrypts rows with the first key: rows of former keys, of older releases, and plain rows written before there was
 * a key. It works in rounds, until a former key can be removed and plain rows are refused.
 */
import { z } from "zod";
import { type Database, rowsOf } from "./database.js";
import {
  isLast,
  type Marked,
  markedAfter,
  needsOf,
  PAYMENTS,
  type SealedTable,
  sealAnew,
  tablesOf,
} from "./encrypted-rows.js";
import { FORMER, ifReadable, type RowKey, SEALED, type Taken } from "./encryption.js";

/** Work of one round; the next one continues. */
const MAX_PAGES = 50;
const MAX_ROWS = 500;

type Group = "wallets" | "payments";
const groupOf = (table: SealedTable): Group => (table === PAYMENTS ? "payments" : "wallets");

/** One pass through all tables. */
interface Pass {
  /** The table, and the last row of it that was handled. */
  table: number;
  after?: string[] | undefined;
  /** Rows that could not be changed. */
  left: Record<Group, Taken>;
}
const passes = /* @__PURE__ */ new WeakMap<Database, Pass>();

const NAME = "sealing";
const PLACE: RowKey = ["settings", "value", NAME];
const taken = z.object({ plain: z.boolean(), former: z.boolean() });
const takes = z.object({ wallets: taken, payments: taken.optional() });
const valueRow = z.object({ value: z.string() });
const NOTHING: Taken = { plain: false, former: false };

/**
 * The legacy formats that this database still accepts, as its encrypted note says: undefined without a note. A note
 * that cannot be decrypted allows none.
 */
async function noted(database: Database) {
  const [row] = await rowsOf(database, valueRow, `select value from @settings where name = '${NAME}'`, []);
  if (!row) return undefined;
  const text = row.value.startsWith(SEALED)
    ? ifReadable(() => database.encryption.decrypt(PLACE, row.value))
    : undefined;
  return text === undefined ? { wallets: NOTHING, payments: NOTHING } : takes.parse(JSON.parse(text));
}

async function note(database: Database, what: z.infer<typeof takes>, isNew: boolean): Promise<void> {
  const onConflict = isNew ? "nothing" : "update set value = excluded.value";
  await database.query(
    `insert into @settings (name, value) values ('${NAME}', $1) on conflict (name) do ${onConflict}`,
    [database.encryption.encrypt(PLACE, JSON.stringify(what))],
  );
}

/** Whether the database contains data already. A row with a key's id proves that a note existed and was removed. */
async function older({ encryption, ...database }: Database, tables: readonly SealedTable[]): Promise<Taken> {
  const pages = await Promise.all(
    tables.map((table) => markedAfter({ encryption, query: database.query }, table, undefined)),
  );
  const marks = pages.flat().flatMap((row) => row.marks.filter((mark) => mark !== null));
  const isNoted = tables.includes(PAYMENTS) ? false : marks.some((mark) => mark.startsWith(SEALED));
  return isNoted || marks.length === 0 ? NOTHING : { plain: true, former: true };
}

/** Called when a database is opened: decides which legacy formats it may read. */
export async function openSealing(database: Database): Promise<void> {
  const { encryption } = database;
  const found = await noted(database);
  if (encryption.marks.length === 0) encryption.lacksKey = found !== undefined;
  else if (found) encryption.takes.wallets = found.wallets;
  else {
    const wallets = await older(database, tablesOf({ payments: false }));
    await note(database, { wallets }, true);
    encryption.takes.wallets = (await noted(database))?.wallets ?? wallets;
  }
}

/** The same for payments, once their tables exist. */
export async function openPaymentsSealing(database: Database): Promise<void> {
  const { encryption } = database;
  database.payments = true;
  if (encryption.marks.length === 0) return;
  const found = (await noted(database)) ?? { wallets: encryption.takes.wallets };
  const payments = found.payments ?? (await older(database, [PAYMENTS]));
  if (!found.payments) await note(database, { ...found, payments }, false);
  encryption.takes.payments = payments;
}

/** Nothing to do with a single key that encrypted everything. */
const isDue = ({ encryption }: Database): boolean =>
  encryption.marks.length > 1 ||
  (encryption.marks.length === 1 && Object.values(encryption.takes).some(({ plain, former }) => plain || former));

/** One round; resolves to the number of re-encrypted rows. */
export async function resealSome(database: Database, mayGoOn: () => boolean): Promise<number> {
  // guard: wallets: what a former key sealed is sealed anew | always | encryption
  if (!isDue(database)) return 0;
  const pass = passes.get(database) ?? { table: 0, left: { wallets: { ...NOTHING }, payments: { ...NOTHING } } };
  passes.set(database, pass);
  let done = 0;
  for (let page = 0; page < MAX_PAGES && done < MAX_ROWS; page++) {
    const table = tablesOf(database)[pass.table];
    if (!table) {
      passes.delete(database);
      await conclude(database, pass.left);
      break;
    }
    const rows = await markedAfter(database, table, pass.after);
    for (const row of rows) {
      if (!mayGoOn()) return done;
      done += await seen(database, table, row, pass.left[groupOf(table)]);
      pass.after = row.names;
    }
    if (!isLast(rows)) continue;
    pass.table++;
    pass.after = undefined;
  }
  return done;
}

async function seen(database: Database, table: SealedTable, { names, marks }: Marked, left: Taken): Promise<number> {
  const [first] = database.encryption.marks;
  const stale = marks.filter((mark): mark is string => mark !== null && mark !== first);
  if (stale.length === 0) return 0;
  const isSealed = await sealAnew(database, table, names).catch((error: unknown) => {
    ifReadable(() => {
      throw error;
    });
    return undefined;
  });
  if (isSealed) return 1;
  // A plain file may begin with any bytes.
  left.plain ||= stale.some((mark) => table.as === "file" || !(mark.startsWith(SEALED) || mark.startsWith(FORMER)));
  left.former ||= stale.some((mark) => table.as === "file" || mark.startsWith(FORMER));
  return 0;
}

/** Stops accepting a legacy format that no longer occurs, on all instances; a refused format stays refused. */
async function conclude(database: Database, left: Record<Group, Taken>): Promise<void> {
  const { encryption } = database;
  const found = await noted(database);
  const both = (a: Taken, b: Taken): Taken => ({ plain: a.plain && b.plain, former: a.former && b.former });
  const now = (group: Group) =>
    both(both(encryption.takes[group], left[group]), found?.[group] ?? encryption.takes[group]);
  encryption.takes.wallets = now("wallets");
  if (database.payments) encryption.takes.payments = now("payments");
  await note(
    database,
    { wallets: encryption.takes.wallets, ...(database.payments ? { payments: encryption.takes.payments } : {}) },
    false,
  );
}

/** Number of rows that need a key. */
export interface KeyUse {
  /**
   * Position in `wallets.encryption`, from 0; "none" for plain rows, "unlisted" for rows that no listed key decrypts.
   */
  key: number | "none" | "unlisted";
  rows: number;
}

/** Reads every row. A former key without rows may be removed. */
export async function keyUses(database: Database): Promise<KeyUse[]> {
  const { marks } = database.encryption;
  const counts = new Map<KeyUse["key"], number>([
    ...marks.map((_, i): [number, number] => [i, 0]),
    ["none", 0],
    ["unlisted", 0],
  ]);
  const listed = (mark: string | undefined) => (mark === "" ? "none" : mark === undefined ? -1 : marks.indexOf(mark));
  for (const table of tablesOf(database))
    for (let after: string[] | undefined; ; ) {
      const rows = await markedAfter(database, table, after);
      for (const row of rows)
        for (const key of await keysOf(database, table, row)) counts.set(key, (counts.get(key) ?? 0) + 1);
      after = rows.at(-1)?.names;
      if (isLast(rows)) break;
    }
  return [...counts].map(([key, rows]) => ({ key, rows }));

  async function keysOf(db: Database, of: SealedTable, row: Marked): Promise<Set<KeyUse["key"]>> {
    const known = row.marks.filter((mark) => mark !== null);
    const isClear = known.every((mark) => marks.includes(mark));
    const needs = isClear ? known : await needsOf(db, of, row.names);
    return new Set(needs.map(listed).map((key) => (key === -1 ? "unlisted" : key)));
  }
}
