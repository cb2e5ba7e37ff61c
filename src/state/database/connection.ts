/** Statements on a connection of the host's pool: of `pg` itself, or of anything with the same two methods. */
import { createHash } from "node:crypto";
import type { PostgresConnection } from "../../capability/wallets.js";
import type { Statements } from "./database.js";

/** The client of `pg` takes named statements, and several without waiting for the answer to the first. */
interface PgClient extends PostgresConnection {
  pipeline: boolean;
  query(statement: string | { name: string; text: string; values: unknown[] }, values?: unknown[]): Answer;
}
type Answer = Promise<{ rows: unknown[] }>;

/** Clients over libpq, and releases before pipelining, are asked one statement after another, without names. */
const isPgClient = (connection: PostgresConnection): connection is PgClient =>
  "pipeline" in connection && typeof connection.pipeline === "boolean" && !("native" in connection);

/** Every connection keeps the plans of all names. */
const MAX_NAMES = 200;
/**
 * A pooler between us and the server gave us a connection that does not know the name, or knows it already; or the
 * tables changed since. The transaction is repeated without names.
 */
export const NAMELESS = ["26000", "42P05", "0A000"];

/** Names for statements that are asked again and again, so that the server parses and plans each once a connection. */
export interface Names {
  of(text: string): string | undefined;
  /** After an error of names, there are no more of them. */
  heed(error: unknown): void;
}

export function createNames(): Names {
  const names = new Map<string, string>();
  let isOver = false;
  return {
    of(text) {
      if (isOver) return undefined;
      const name = names.get(text);
      if (name || names.size >= MAX_NAMES) return name;
      // The same text has the same name in all processes, because behind a pooler they share connections.
      const made = `coinslot_${createHash("sha256").update(text).digest("hex").slice(0, 24)}`;
      names.set(text, made);
      return made;
    },
    heed(error) {
      isOver ||= NAMELESS.includes(String((error as { code?: unknown }).code));
    },
  };
}

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
