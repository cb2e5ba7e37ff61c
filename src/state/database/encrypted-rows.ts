/** All encrypted columns, and how to read and re-encrypt a row without changing its content. */
import { z } from "zod";
import { type Database, type Queryable, rowsOf } from "./database.js";
import { MARK_LENGTH, type RowKey } from "./encryption.js";
import { EXHAUSTED, NO_RESULT, UNREADABLE } from "./own-texts.js";

export interface SealedTable {
  /** Its name in a row key and, except for payments, in statements. */
  table: string;
  /** Columns of the primary key, which pages follow. */
  names: readonly string[];
  columns: readonly string[];
  /** Format: a text; a text as bytes; or bytes beside their digest. */
  as?: "text" | "bytes" | "file";
  /** Texts of our own, which stay plain. */
  ours?: readonly string[];
  /** Condition of its rows. */
  where?: string;
}

const OWN: readonly SealedTable[] = [
  { table: "settings", names: ["name"], columns: ["value"], where: "name like 'callback secret%' or name = 'sealing'" },
  { table: "kv", names: ["wallet", "ns", "key"], columns: ["value"] },
  { table: "blobs", names: ["wallet", "ns", "key"], columns: ["data"], as: "file" },
  {
    table: "messages",
    names: ["wallet", "queue", "id"],
    columns: ["body", "last_error"],
    ours: [EXHAUSTED, UNREADABLE],
  },
  { table: "receipts", names: ["wallet", "call"], columns: ["result"], ours: [NO_RESULT] },
  { table: "callbacks", names: ["id"], columns: ["url"] },
  { table: "schedules", names: ["id"], columns: ["payload"] },
  { table: "watchers", names: ["id"], columns: ["params", "state", "payload", "last_error"] },
  { table: "events", names: ["id"], columns: ["body"] },
];

/** Payments in the same database, in a schema of their own, where they are created. */
export const PAYMENTS: SealedTable = { table: "records", names: ["key"], columns: ["value"], as: "bytes" };

export const tablesOf = ({ payments }: Pick<Database, "payments">): readonly SealedTable[] =>
  payments ? [...OWN, PAYMENTS] : OWN;

export const sealedColumns = (table: string) => OWN.find((one) => one.table === table);

const nameOf = ({ table }: SealedTable): string => (table === PAYMENTS.table ? `coinslot.${table}` : `@${table}`);
const placeOf = ({ table }: SealedTable, column: string, names: readonly string[]): RowKey => [table, column, ...names];
/** A queue's messages are numbered. */
const named = ({ names }: SealedTable, first = 1) =>
  names.map((name, i) => `$${first + i}${name === "id" && names.length > 1 ? "::bigint" : ""}`).join(", ");

const PAGE = 200;
const markedRow = z.object({ names: z.array(z.string()), marks: z.array(z.string().nullable()) });
export type Marked = z.infer<typeof markedRow>;

/**
 * Rows in the order of their names, after one of them: the mark in front of each column, null if it is not encrypted.
 */
export function markedAfter(
  db: Queryable,
  table: SealedTable,
  after: readonly string[] | undefined,
): Promise<Marked[]> {
  const { names, columns, as = "text", ours = [], where = "true" } = table;
  const mark = (column: string) =>
    ({
      text: `case when ${column} in ('${ours.join("', '")}') then null else left(${column}, ${MARK_LENGTH}) end`,
      bytes: `encode(substring(${column} for ${MARK_LENGTH}), 'base64')`,
      file: `encode(substring(${column} for ${MARK_LENGTH}), 'base64')`,
    })[as];
  const order = names.join(", ");
  const text = `select array[${names.map((name) => `${name}::text`).join(", ")}] as names, array[${columns.map(mark).join(", ")}] as marks
    from ${nameOf(table)} where (${where}) and ${after ? `(${order}) > (${named(table)})` : "true"} order by ${order} limit ${PAGE}`;
  return rowsOf(db, markedRow, text, [...(after ?? [])]).then((rows) =>
    as === "text" ? rows : rows.map((row) => ({ ...row, marks: row.marks.map((one) => one && markOf(as, one)) })),
  );
}

export const isLast = (rows: readonly Marked[]): boolean => rows.length < PAGE;

/** The mark of a text, from its first bytes. Files have the mark as bytes, not as text. */
function markOf(as: "bytes" | "file", base64: string): string {
  const bytes = Buffer.from(base64, "base64");
  if (as === "bytes") return bytes.toString("latin1");
  return String.fromCharCode(bytes[0] ?? 0) + bytes.subarray(1, 7).toString("base64");
}

/** A column of a row as stored; for a file, whether it is the content. */
interface Written {
  column: string;
  rowKey: RowKey;
  written: string;
  isPlain: boolean;
}

const fullRow = z.object({
  stamp: z.string(),
  texts: z.array(z.string().nullable()),
  plain: z.boolean(),
});

async function readRow(db: Queryable, table: SealedTable, names: readonly string[]) {
  const { columns, as = "text", ours = [] } = table;
  const shown = (column: string) => (as === "text" ? column : `encode(${column}, 'base64')`);
  const text = `select xmin::text as stamp, array[${columns.map(shown).join(", ")}] as texts,
      ${as === "file" ? "sha256 = encode(sha256(data), 'hex')" : "false"} as plain
    from ${nameOf(table)} where (${table.names.join(", ")}) = (${named(table)})`;
  const [row] = await rowsOf(db, fullRow, text, [...names]);
  const read = (text: string) => (as === "bytes" ? Buffer.from(text, "base64").toString() : text);
  const all = (row?.texts ?? []).map((text, i): Written[] => {
    const column = columns[i] ?? "";
    if (text === null || ours.includes(text)) return [];
    return [{ column, rowKey: placeOf(table, column, names), written: read(text), isPlain: row?.plain ?? false }];
  });
  return { stamp: row?.stamp, all: all.flat() };
}

/** Marks of the keys that a row needs; undefined for an unlisted key, "" for plain text. */
export async function needsOf(db: Queryable, table: SealedTable, names: readonly string[]) {
  const { all } = await readRow(db, table, names);
  return all.map(({ rowKey, written, isPlain }) => {
    if (table.as === "file") return isPlain ? "" : db.encryption.markOfBytes(rowKey, Buffer.from(written, "base64"));
    return db.encryption.markOf(rowKey, written);
  });
}

/** Re-encrypts a row with the first key; undefined after a concurrent change. Throws if it cannot be decrypted. */
export async function sealAnew(db: Queryable, table: SealedTable, names: readonly string[]): Promise<true | undefined> {
  const { encryption } = db;
  const { stamp, all } = await readRow(db, table, names);
  const isFile = table.as === "file";
  const values: unknown[] = [...names, stamp];
  const sets = all.map(({ column, rowKey, written, isPlain }) => {
    const sealed = isFile
      ? encryption
          .encryptBytes(rowKey, encryption.decryptBytes(rowKey, Buffer.from(written, "base64"), isPlain))
          .toString("base64")
      : encryption.encrypt(rowKey, encryption.decrypt(rowKey, written));
    values.push(table.as === "bytes" ? Buffer.from(sealed).toString("base64") : sealed);
    return `${column} = ${table.as ? `decode($${values.length}, 'base64')` : `$${values.length}`}`;
  });
  if (table.table === "callbacks") {
    const [url] = all.map(({ rowKey, written }) => encryption.decrypt(rowKey, written));
    values.push(encryption.digest(new URL(url ?? "").origin));
    sets.push(`origin = $${values.length}`);
  }
  if (sets.length === 0) return true;
  const text = `update ${nameOf(table)} set ${sets.join(", ")}
    where (${table.names.join(", ")}) = (${named(table)}) and xmin::text = $${names.length + 1} returning 1 as done`;
  return (await db.query(text, values)).rows.length > 0 || undefined;
}
