/** The state of wallets on the host's Postgres, over its own pool, which stays the host's to close. */
import type { PostgresConnection, PostgresConnections } from "../capability/wallets.js";
import type { Driver } from "./database.js";

/** No statement of ours is long; one that is stands in somebody's way. */
const STATEMENT_TIMEOUT_MS = 5000;

/** Works behind a pooler that deals out connections by the transaction: nothing of a connection outlives one. */
export function postgresDriver(pool: PostgresConnections): Driver {
  // A pool without a listener ends the process when the server closes an idle connection; the next query tells.
  pool.on?.("error", () => {});
  return {
    query: (text, values) => pool.query(text, values),
    async transaction(work) {
      const connection = await pool.connect();
      try {
        await connection.query(`begin; set local statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
        const result = await work(connection);
        await connection.query("commit");
        connection.release();
        return result;
      } catch (error) {
        await rollBack(connection);
        throw error;
      }
    },
    async close() {},
  };
}

/** A connection that cannot even roll back is none to give back. */
async function rollBack(connection: PostgresConnection): Promise<void> {
  try {
    await connection.query("rollback");
    connection.release();
  } catch (error) {
    connection.release(error instanceof Error ? error : true);
  }
}
