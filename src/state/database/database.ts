/** The common interface to the two databases that keep state. */
import { randomInt } from "node:crypto";
import type { z } from "zod";
import { CapabilityError, missingPackage } from "../../errors.js";
import { migrate, tablesAreNewer } from "../../lib/migrations.js";
import { retry } from "../../lib/retry.js";
import type { Encryption } from "./encryption.js";
import { MIGRATIONS, VECTORS } from "./migrations.js";
import { NAMELESS } from "./statement-names.js";

export interface Statements {
  /**
   * `@name` in a statement is the table or sequence of that name. The two drivers return int8, numeric, bytea and times
   * differently: cast them in SQL (`::float8`, `encode(…, 'base64')`) and read rows through `rowsOf`.
   */
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

export interface Limits {
  /** Time limit of one statement. Default: 5 s; embedded: 10 s. */
  statementMs?: number;
  /** Cancels the running statement, and starts no other. */
  signal?: AbortSignal;
}

/** The statements of a transaction. */
export interface TransactionStatements extends Statements {
  /**
   * Asks something whose rows nobody reads, together with the next statement or the commit; if it fails, so does the
   * transaction. Takes only values that every driver can write.
   */
  send(text: string, values: (string | number | Date | null)[]): void;
}

/** A driver for statements without further processing. */
export interface Driver {
  query(text: string, values?: unknown[], limits?: Limits): Promise<{ rows: unknown[] }>;
  /** One connection from begin to commit; an error of `work` rolls back. */
  transaction<T>(work: (tx: TransactionStatements) => Promise<T>, limits?: Limits): Promise<T>;
  /** Long searches: with a single connection, other calls get their turn between the statements. */
  reading<T>(work: (db: Statements) => Promise<T>, limits?: Limits): Promise<T>;
  /** For payments, which never wait for wallets. */
  readonly urgent: Statements;
  close(): Promise<void>;
  /**
   * For a database with one process: runs `work` once after opening, before any user continues. Leases of an earlier
   * process are void, because that process is dead.
   */
  once?<T>(name: string, work: () => Promise<T>): Promise<T>;
}

export interface Queryable extends Statements {
  /** Encrypts wallets' contents that no statement searches. */
  readonly encryption: Encryption;
}

export interface Transaction extends Queryable, TransactionStatements {}

export interface Database extends Queryable {
  /** Without limits it may take any time. */
  query(text: string, values?: unknown[], limits?: Limits): Promise<{ rows: unknown[] }>;
  /** One connection from begin to commit; an error of `work` rolls back. */
  transaction<T>(work: (tx: Transaction) => Promise<T>, limits?: Limits): Promise<T>;
  /** For long searches. */
  reading<T>(work: (db: Queryable) => Promise<T>, limits?: Limits): Promise<T>;
  /** For payments, which never wait for wallets. */
  readonly urgent: Queryable;
  close(): Promise<void>;
  /** Whether it has pgvector. */
  readonly vectors: boolean;
  /** Whether payments are also kept in it, with the same encryption. */
  payments: boolean;
  /** The last version of payments written by a process that is dead; 0 if unknown. */
  readonly orphanedVersion: number;
}

/** Serialization failure, deadlock, and a lost name: the server undid the transaction, and it may be repeated. */
const REPEATABLE = ["40001", "40P01", ...NAMELESS];
const MAX_ATTEMPTS = 5;

/** Migrates the tables to this release's version, and hides the differences of the drivers. */
export async function openDatabase(driver: Driver, schema: string, encryption: Encryption): Promise<Database> {
  await repeated(() => asked(driver.query(migrate(schema, MIGRATIONS))));
  const vectors = await openVectors(driver, schema);
  // guard: wallets: what a dead process had taken is due when the next one starts |
  //   () => endLeases(driver, schema) -> async () => {} | embedded
  await driver.once?.(`leases of ${schema}`, () => endLeases(driver, schema));
  const orphanedVersion = (await driver.once?.("payments", () => lastVersion(driver))) ?? 0;
  const named = (text: string) => text.replaceAll(TABLE, `${schema}.`);
  const within = (inner: Statements): Queryable => ({
    encryption,
    query: (text, values) => asked(inner.query(named(text), values)),
  });
  const inside = (tx: TransactionStatements): Transaction => ({
    ...within(tx),
    send: (text, values) => tx.send(named(text), values),
  });
  return {
    vectors,
    encryption,
    payments: false,
    orphanedVersion,
    query: (text, values, limits) => repeated(() => asked(driver.query(named(text), values, limits))),
    transaction: (work, limits) => repeated(() => asked(driver.transaction((tx) => work(inside(tx)), limits))),
    reading: (work, limits) => repeated(() => asked(driver.reading((db) => work(within(db)), limits))),
    urgent: { encryption, query: (text, values) => repeated(() => within(driver.urgent).query(text, values)) },
    close: () => driver.close(),
  };
}

/** Releases the leases of a dead process; an attempt that it started counts. */
async function endLeases(driver: Driver, schema: string): Promise<void> {
  for (const table of ["deliveries", "watchers"])
    await asked(driver.query(`update ${schema}.${table} set lease = null, lease_until = null where lease is not null`));
}

/** The version up to which payments were written, whose leases are separate; 0 if there are none. */
async function lastVersion(driver: Driver): Promise<number> {
  const there = await asked(driver.query("select to_regclass('coinslot.versions') is not null as there"));
  if (!(there.rows[0] as { there: boolean }).there) return 0;
  // guard: wallets: the first version of all does not belong to a dead process | = "last_value" | embedded
  const last = "case when is_called then last_value else 0 end";
  const { rows } = await asked(driver.query(`select (${last})::float8 as version from coinslot.versions`));
  return (rows[0] as { version: number }).version;
}

const TABLE = /@(?=[a-z_])/g;

/** Without the extension, or the right to create it, everything except vectors works. */
async function openVectors(driver: Driver, schema: string): Promise<boolean> {
  try {
    await driver.query("create extension if not exists vector");
    for (const statement of VECTORS(schema)) await driver.query(statement);
    return true;
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (isState(code)) return false;
    throw unreachable(error);
  }
}

/** The rows of an answer, each parsed by `row`. */
export async function rowsOf<T>(db: Statements, row: z.ZodType<T>, text: string, values: unknown[]): Promise<T[]> {
  const { rows } = await db.query(text, values);
  return rows.map((found) => row.parse(found));
}

const isRepeatable = (error: unknown): boolean => REPEATABLE.includes(String((error as { code?: unknown }).code));

const repeated = <T>(work: () => Promise<T>): Promise<T> =>
  retry(work, {
    attempts: MAX_ATTEMPTS,
    isPassing: isRepeatable,
    pauseMs: (attempt) => randomInt(1, 2 ** attempt * 5),
  }).catch((error: unknown) => {
    throw isRepeatable(error) ? unreachable(error) : error;
  });

/** An SQLSTATE: five letters and digits of the SQL standard. */
const isState = (code: unknown): code is string => typeof code === "string" && /^[0-9A-Z]{5}$/.test(code);

/** Cancelled by its time limit, or because the caller left. */
export const CANCELLED = "57014";

const tooLong = (cause: unknown): CapabilityError =>
  new CapabilityError(
    "OVERLOADED",
    "The database exceeded its time limit and the statement was cancelled; ask for less at once.",
    {
      retryAfter: 5,
      cause,
    },
  );

/** Connections, resources, an operator's intervention: the same statement may succeed soon. */
const PASSING = /^(?:08|53|57)/;

/** An unreachable database differs from a faulty statement. */
async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const refused = CapabilityError.is(error) ? error : tablesAreNewer(error);
    if (refused) throw refused;
    const { code } = error as { code?: unknown };
    const told = isState(code) ? bare(error as Error, code) : error;
    if (code === CANCELLED) throw tooLong(told);
    if (isState(code) ? PASSING.test(code) : isConnectionError(error)) throw unreachable(told);
    throw missingPackage(told) ?? told;
  }
}

/** A statement's error without the values that drivers include: parameters, the row, or a message that quotes one. */
function bare(error: Error & { table?: unknown; constraint?: unknown }, code: string): Error {
  const { message, table, constraint } = error;
  const told = code.startsWith("22") ? "a value is none that its column takes" : message;
  return Object.assign(new Error(told), { code, ...(table ? { table } : {}), ...(constraint ? { constraint } : {}) });
}

/** Error codes of sockets and pools. Any other error without an SQLSTATE is a bug of ours. */
const isConnectionError = (error: unknown): boolean =>
  error instanceof Error &&
  (/^E[A-Z]+$/.test(String((error as { code?: unknown }).code)) || /connection|timeout/i.test(error.message));

const unreachable = (cause: unknown): CapabilityError =>
  new CapabilityError("OVERLOADED", "The state of wallets cannot be reached; try the same request again shortly.", {
    retryAfter: 5,
    cause,
  });
