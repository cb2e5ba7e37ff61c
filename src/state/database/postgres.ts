/** The state of wallets on the host's Postgres, over the host's own pool, which only the host closes. */
import { randomUUID } from "node:crypto";
import PQueue from "p-queue";
import type { PostgresConnection, PostgresConnections } from "../../capability/wallets.js";
import { survive } from "../../lib/pool-errors.js";
import { askNamed, inOrder } from "./connection.js";
import { CANCELLED, type Driver, type Limits, type Statements, type TransactionStatements } from "./database.js";
import { createNames } from "./statement-names.js";
import { transact } from "./transact.js";

/** None of our statements is long; one that runs this long blocks others. */
const STATEMENT_TIMEOUT_MS = 5000;
/** Default size of a Pool of pg. */
const CONNECTIONS = 10;

/**
 * Works behind a pooler that assigns connections by transaction: no state of a connection outlives one, except the
 * names of statements, which are given up where the pooler does not know them.
 */
export function postgresDriver(pool: PostgresConnections): Driver {
  survive(pool);
  const names = createNames();
  const marks = new WeakMap<PostgresConnection, string>();
  // Leaves half of the connections to payments and to the host, so that these never wait for wallets.
  // guard: wallets: payments have connections of their own | Math.max(1, -> Math.max(1000, | state/hostile
  const share = new PQueue({ concurrency: Math.max(1, Math.floor((pool.options?.max ?? CONNECTIONS) / 2)) });
  const inShare = async <T>(work: (connection: PostgresConnection) => Promise<T>, signal?: AbortSignal): Promise<T> =>
    share.add(async () => {
      signal?.throwIfAborted();
      return work(await pool.connect());
    });

  const query = (connection: PostgresConnection, limits: Limits | undefined): Statements["query"] => {
    if (!limits) return (text, values) => askNamed(connection, names, { text, values });
    const mark = marks.get(connection) ?? randomUUID();
    marks.set(connection, mark);
    return (text, values) =>
      stoppably(() => askNamed(connection, names, { text, values, mark }), {
        pool,
        mark,
        limits: { statementMs: STATEMENT_TIMEOUT_MS, ...limits },
      });
  };

  const transaction = <T>(
    work: (tx: TransactionStatements) => Promise<T>,
    { statementMs = STATEMENT_TIMEOUT_MS, signal }: Limits = {},
  ): Promise<T> =>
    inShare(async (connection) => {
      // Searches and trials have texts of their own.
      const ordered = inOrder(connection, signal ? undefined : names);
      const begin = `begin; set local statement_timeout = ${statementMs}`;
      try {
        const result = await transact(signal ? stoppable(pool, ordered, signal) : ordered, begin, work);
        ordered.end();
        connection.release();
        return result;
      } catch (error) {
        await rollBack(connection, ordered.end);
        throw error;
      }
    }, signal);

  return {
    query: (text, values, limits) =>
      inShare(async (connection) => {
        try {
          const answer = await query(connection, limits)(text, values);
          connection.release();
          return answer;
        } catch (error) {
          // As a pool of pg does. A statement that is stopped late must not be the next one of this connection.
          connection.release(error instanceof Error ? error : true);
          throw error;
        }
      }, limits?.signal),
    transaction,
    reading: transaction,
    urgent: { query: (text, values) => pool.query(text, values) },
    async close() {},
  };
}

interface Stopped {
  pool: PostgresConnections;
  /** In a comment in front of the statement's text: it is found by it, so that no other one is cancelled. */
  mark: string;
  limits: Limits;
}

/** A statement that the server cancels at its time limit or when its caller leaves. */
async function stoppably<T>(
  run: () => Promise<T>,
  { pool, mark, limits: { statementMs, signal } }: Stopped,
): Promise<T> {
  signal?.throwIfAborted();
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    void pool.query(STOP, [`/* ${mark} */`]).catch(() => {});
  };
  const timer = statementMs === undefined ? undefined : setInterval(stop, statementMs).unref();
  // guard: wallets: a read is stopped when its caller has gone | gone | state/hostile
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const answer = await run();
    if (isStopped) throw Object.assign(new Error("the statement ended as it was cancelled"), { code: CANCELLED });
    return answer;
  } finally {
    clearInterval(timer);
    signal?.removeEventListener("abort", stop);
  }
}

/** The same for each statement of a transaction, under a mark of its own. */
const stoppable = (pool: PostgresConnections, on: Statements, signal: AbortSignal): Statements => ({
  query(text, values) {
    const mark = randomUUID();
    return stoppably(() => on.query(`/* ${mark} */ ${text}`, values), { pool, mark, limits: { signal } });
  },
});

const STOP = `select pg_cancel_backend(pid) from pg_stat_activity
  where usename = current_user and state = 'active' and starts_with(query, $1::text)`;

/** A connection that cannot roll back must not return to the pool. */
async function rollBack(connection: PostgresConnection, end: () => void): Promise<void> {
  try {
    await connection.query("rollback");
    end();
    connection.release();
  } catch (error) {
    end();
    connection.release(error instanceof Error ? error : true);
  }
}
