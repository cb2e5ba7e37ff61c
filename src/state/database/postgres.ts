/** The state of wallets on the host's Postgres, over the host's own pool, which only the host closes. */
import { randomUUID } from "node:crypto";
import PQueue from "p-queue";
import type { PostgresConnection, PostgresConnections } from "../../capability/wallets.js";
import { survive } from "../../lib/pool-errors.js";
import type { Driver, Limits, Statements } from "./database.js";

/** None of our statements is long; one that runs this long blocks others. */
const STATEMENT_TIMEOUT_MS = 5000;
/** Default size of a Pool of pg. */
const CONNECTIONS = 10;

/** Works behind a pooler that assigns connections by transaction: no state of a connection outlives one. */
export function postgresDriver(pool: PostgresConnections): Driver {
  survive(pool);
  // Leaves half of the connections to payments and to the host, so that these never wait for wallets.
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
 * Statements that the server cancels at their time limit or when their caller leaves. They are found by a unique mark,
 * so that no other statement on the connection is cancelled.
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

/** A connection that cannot roll back must not return to the pool. */
async function rollBack(connection: PostgresConnection): Promise<void> {
  try {
    await connection.query("rollback");
    connection.release();
  } catch (error) {
    connection.release(error instanceof Error ? error : true);
  }
}
