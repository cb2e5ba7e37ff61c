/** Statements on a connection of the host's pool: of `pg` itself, or of anything with the same two methods. */
import type { PostgresConnection } from "../../capability/wallets.js";
import type { Statements } from "./database.js";
import type { Names } from "./statement-names.js";

/** The client of `pg` takes named statements, and several without waiting for the answer to the first. */
interface PgClient extends PostgresConnection {
  pipeline: boolean;
  query(statement: string | { name: string; text: string; values: unknown[] }, values?: unknown[]): Answer;
}
type Answer = Promise<{ rows: unknown[] }>;

/** Clients over libpq, and releases before pipelining, are asked one statement after another, without names. */
const isPgClient = (connection: PostgresConnection): connection is PgClient =>
  "pipeline" in connection && typeof connection.pipeline === "boolean" && !("native" in connection);

interface Asked {
  text: string;
  values?: unknown[] | undefined;
  /** In a comment in front of the text: a name that only this connection's statements bear, for as long as it lives. */
  mark?: string;
}

/** Asks under a name, if the connection takes any and the statement has values. */
export async function askNamed(connection: PostgresConnection, names: Names, { text, values, mark }: Asked): Answer {
  const whole = mark ? `/* ${mark} */ ${text}` : text;
  const name = values?.length && isPgClient(connection) ? names.of(text) : undefined;
  if (!name || !values) return connection.query(whole, values);
  const named = { name: mark ? `${name}_${mark.slice(0, 8)}` : name, text: whole, values };
  return (connection as PgClient).query(named).catch((error: unknown) => {
    names.heed(error);
    throw error;
  });
}

/** Statements in their order, none of which waits for its caller to get the answer before. `end` returns to one by one. */
export function inOrder(connection: PostgresConnection, names: Names | undefined): Statements & { end(): void } {
  const query = (text: string, values?: unknown[]) =>
    names ? askNamed(connection, names, { text, values }) : connection.query(text, values);
  if (isPgClient(connection)) {
    const before = connection.pipeline;
    connection.pipeline = true;
    const end = () => {
      connection.pipeline = before;
    };
    return { query, end };
  }
  let last: Promise<unknown> = Promise.resolve();
  return {
    query(text, values) {
      const answer = last.then(() => query(text, values));
      last = answer;
      return answer;
    },
    end: () => {},
  };
}
