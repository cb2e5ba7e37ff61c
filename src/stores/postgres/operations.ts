/** The operations of a Postgres store, each sent with others of its kind where that is possible. */
import { z } from "zod";
import type { StoredRecord } from "../store.js";
import { type BatchOptions, createBatches, UNDECIDED } from "./batches.js";
import {
  incrementManySql,
  incrementSql,
  insertManySql,
  insertSql,
  selectManySql,
  selectSql,
  updateManySql,
  updateSql,
} from "./statements.js";

/** Sends a statement and checks its rows. */
export type Rows = <T>(row: z.ZodType<T>, text: string, values: unknown[]) => Promise<T[]>;

export interface PostgresPut {
  key: string;
  value: string;
  ttlMs: number;
  dueAt: number | null;
  /** Above 0: only an update. */
  ifVersion: number;
}

export interface PostgresIncrement {
  key: string;
  by: number;
  ttlMs: number;
  max: number;
}

export interface PostgresOperations {
  get(key: string): Promise<StoredRecord | undefined>;
  insert(put: PostgresPut): Promise<number | undefined>;
  update(put: PostgresPut): Promise<number | undefined>;
  increment(increment: PostgresIncrement): Promise<number | undefined>;
}

export const keyRow = z.object({ key: z.string() });
export const recordRow = keyRow.extend({
  value: z.instanceof(Uint8Array).transform((bytes) => Buffer.from(bytes).toString("utf8")),
  version: z.coerce.number(),
});
const versionRow = z.object({ version: z.coerce.number() });
const keyVersionRow = keyRow.extend(versionRow.shape);
const totalRow = z.object({ total: z.coerce.number() });
const keyTotalRow = keyRow.extend(totalRow.shape);

/**
 * Errors of a statement that the server rolled back, and that one row may have caused: its data (22), a constraint (23),
 * its size (54), a wait that was ended (57014, 55P03, 40P01). A lost connection leaves open what has happened.
 */
// guard: a batch: a lost connection says nothing of what has happened | 54 -> 54|57P01|08 | BATCHES
const UNDONE = /^(?:22|23|54)|^(?:57014|55P03|40P01)$/;
const isUndone = (error: unknown): boolean =>
  error instanceof Error && "code" in error && typeof error.code === "string" && UNDONE.test(error.code);

const byKey = <T extends { key: string }>(found: readonly T[]) => new Map(found.map((row) => [row.key, row]));
const keyOf = ({ key }: { key: string }) => key;
const toRecord = (row: z.infer<typeof recordRow> | undefined): StoredRecord | undefined =>
  row && { value: row.value, version: row.version };
const fieldsOf = ({ key, value, ttlMs, dueAt }: PostgresPut) => [key, Buffer.from(value), ttlMs, dueAt];
/** No text of Postgres contains NUL, so such a value goes alone, as bytes. */
// guard: a batch: a value with NUL goes as bytes | never | BATCHES
const sizeOfPut = ({ key, value }: PostgresPut) =>
  value.includes("\0") ? Number.POSITIVE_INFINITY : key.length + value.length;

/** @param together false: each operation is a statement of its own */
export function postgresOperations(rows: Rows, schema: string, together: boolean): PostgresOperations {
  const lane = <Op, Result>(options: Omit<BatchOptions<Op, Result>, "isUndone">) =>
    together ? createBatches({ ...options, isUndone }) : options.one;

  return {
    get: lane<string, StoredRecord | undefined>({
      keyOf: (key) => key,
      sizeOf: (key) => key.length,
      one: async (key) => toRecord((await rows(recordRow, selectSql(schema), [key]))[0]),
      async many(keys) {
        const found = byKey(await rows(recordRow, selectManySql(schema), [JSON.stringify(keys)]));
        return keys.map((key) => toRecord(found.get(key)));
      },
    }),

    insert: lane<PostgresPut, number | undefined>({
      keyOf,
      sizeOf: sizeOfPut,
      one: async (put) => (await rows(versionRow, insertSql(schema), fieldsOf(put)))[0]?.version,
      async many(puts) {
        const written = byKey(await rows(keyVersionRow, insertManySql(schema), [JSON.stringify(puts)]));
        return puts.map(({ key }) => written.get(key)?.version);
      },
    }),

    update: lane<PostgresPut, number | undefined>({
      keyOf,
      sizeOf: sizeOfPut,
      one: async (put) => (await rows(versionRow, updateSql(schema), [...fieldsOf(put), put.ifVersion]))[0]?.version,
      async many(puts) {
        const written = byKey(await rows(keyVersionRow, updateManySql(schema), [JSON.stringify(puts)]));
        // A row that was left out has another version, or was locked: by itself it waits, and is told which.
        // guard: a batch: a record that it left out is asked for alone | - ?? UNDECIDED | BATCHES
        return puts.map(({ key }) => written.get(key)?.version ?? UNDECIDED);
      },
    }),

    increment: lane<PostgresIncrement, number | undefined>({
      keyOf,
      sizeOf: ({ key }) => key.length,
      one: async ({ key, by, ttlMs, max }) =>
        (await rows(totalRow, incrementSql(schema), [key, by, ttlMs, max]))[0]?.total,
      async many(increments) {
        const counted = byKey(await rows(keyTotalRow, incrementManySql(schema), [JSON.stringify(increments)]));
        return increments.map(({ key }) => counted.get(key)?.total);
      },
    }),
  };
}
