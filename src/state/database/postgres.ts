/** The state of wallets on the host's Postgres, over its own pool, which stays the host's to close. */
import { randomUUID } from "node:crypto";
import PQueue from "p-queue";
import type { PostgresConnection, PostgresConnections } from "../../capability/wallets.js";
import { survive } from "../../lib/pool-errors.js";
import type { Driver, Limits, Statements } from "./database.js";

/** No statement of ours is long; one that is stands in somebody's way. */
const STATEMENT_TIMEOUT_MS = 5000;
/** What a Pool of pg has where nobody says otherwise. */
const CONNECTIONS = 10;

/** Works behind a pooler that deals out connections by the transaction: nothing of a connection outlives one. */
export function postgresDriver(pool: PostgresConnections): Driver {
  survive(pool);
  // Half of them are left to payments and to the host: however many wallets wait, those do not.
  const share = new PQueue({ concurrency: Math.max(1, Math.floor((pool.options?.max ?? CONNECTIONS) / 2)) });
  const inShare = async <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> =>
    share.add(() => {
      signal?.throwIfAborted();
      return work();
    });

  const transaction = <T>(
    work: (tx: Statements) => Promise<T>,
    { statementMs = STATEMENT_TIMEOUT_MS, signal }: Limits = {},
  ): Promise<T> =>
    inShare(async () => {
      const connection = await pool.connect();
      try {
        await connection.query(`begin; set local statement_timeout = ${statementMs}`);
        const result = await work(signal ? stoppable(pool, connection, { signal }) : connection);
        await connection.query("commit");
        connection.release();
        return result;
      } catch (error) {
        await rollBack(connection);
        throw error;
      }
    }, signal);

  return {
    query: (text, values, limits) =>
      inShare(
        () =>
          (limits ? stoppable(pool, pool, { statementMs: STATEMENT_TIMEOUT_MS, ...limits }) : pool).query(text, values),
        limits?.signal,
      ),
    transaction,
    reading: transaction,
    urgent: { query: (text, values) => pool.query(text, values) },
    async close() {},
  };
}

/**
 * Statements that the server is told to stop when their time is up or their caller has gone. It finds them by a mark of
 * their own: whatever runs on the connection by then, nobody else's is stopped.
 */
const stoppable = (pool: PostgresConnections, on: Statements, { statementMs, signal }: Limits): Statements => ({
  async query(text, values) {
    signal?.throwIfAborted();
    const mark = `/* ${randomUUID()} */`;
    const stop = () => void pool.query(STOP, [mark]).catch(() => {});
    const timer = statementMs === undefined ? undefined : setInterval(stop, statementMs).unref();
    signal?.addEventListener("abort", stop, { once: true });
    try {
      return await on.query(`${mark} ${text}`, values);
    } finally {
      clearInterval(timer);
      signal?.removeEventListener("abort", stop);
    }
  },
});

const STOP = `select pg_cancel_backend(pid) from pg_stat_activity
  where usename = current_user and state = 'active' and starts_with(query, $1::text)`;

/** A connection that cannot even roll back is none to give back. */
async function rollBack(connection: PostgresConnection): Promise<void> {
  try {
    await connection.query("rollback");
    connection.release();
  } catch (error) {
    connection.release(error instanceof Error ? error : true);
  }
}
