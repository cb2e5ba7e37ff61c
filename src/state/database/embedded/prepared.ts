/** Prepared statements for PGlite, whose own `query` parses and plans each time, which takes several times as long. */
import type { messages, PGlite, protocol } from "@electric-sql/pglite";
import { LRUCache } from "lru-cache";

/** Each keeps its plan in the database's memory, and filters create new statements all the time. */
const MAX_PREPARED = 200;
const MAX_CHARS = 10_000;
/** Any other statement may change tables, so that a cached plan no longer fits. */
const PREPARABLE = /^\s*(select|insert|update|delete|with|begin|commit|rollback)\b/i;

interface Column {
  name: string;
  /** OID of its type. */
  dataTypeID: number;
}

interface Prepared {
  name: string;
  /** OIDs of types. */
  parameters: readonly number[];
  columns: readonly Column[];
}

type Messages = readonly { name: string }[];
const find = <T>(all: Messages, name: string): T | undefined => all.find((one) => one.name === name) as T | undefined;

/**
 * Queries as `database.query` does, with the same types. For one session only, because prepared statements belong to
 * it.
 */
export function preparedStatements(database: PGlite, { serialize }: Pick<typeof protocol, "serialize">) {
  const ended: string[] = [];
  let last = 0;
  const known = new LRUCache<string, Promise<Prepared>>({
    max: MAX_PREPARED,
    dispose: (prepared) => void prepared.then(({ name }) => ended.push(name)).catch(() => {}),
  });

  /** One round trip to the database, however many messages. */
  async function ask(...parts: Uint8Array[]): Promise<Messages> {
    const closed = ended.splice(0).map((name) => serialize.close({ type: "S", name }));
    return (await database.execProtocol(Buffer.concat([...closed, ...parts, serialize.sync()]))).messages;
  }

  async function prepare(text: string): Promise<Prepared> {
    const name = `coinslot_${++last}`;
    const told = await ask(serialize.parse({ name, text }), serialize.describe({ type: "S", name }));
    return {
      name,
      parameters: find<messages.ParameterDescriptionMessage>(told, "parameterDescription")?.dataTypeIDs ?? [],
      columns: find<messages.RowDescriptionMessage>(told, "rowDescription")?.fields ?? [],
    };
  }

  function preparedOf(text: string): Promise<Prepared> {
    const before = known.get(text);
    if (before) return before;
    const begun = prepare(text);
    known.set(text, begun);
    // It may have failed because of its transaction.
    begun.catch(() => known.peek(text) === begun && known.delete(text));
    return begun;
  }

  return async (text: string, values: readonly unknown[]): Promise<{ rows: unknown[] }> => {
    const changesTables = !PREPARABLE.test(text);
    if (changesTables || text.length > MAX_CHARS) {
      const answer = await database.query(text, [...values]);
      if (changesTables) known.clear();
      return answer;
    }
    const { name, parameters, columns } = await preparedOf(text);
    if (values.length !== parameters.length)
      throw new Error(`the statement takes ${parameters.length} values and was given ${values.length}: ${text}`);
    const texts = values.map((value, i) => {
      if (value === null || value === undefined) return null;
      return database.serializers[parameters[i] ?? 0]?.(value) ?? String(value);
    });
    const told = await ask(serialize.bind({ statement: name, values: texts }), serialize.execute({}));
    const rows = told.filter((one): one is messages.DataRowMessage => one.name === "dataRow");
    const read = ({ name: column, dataTypeID }: Column, field: string | null | undefined) => {
      const parse = database.parsers[dataTypeID];
      return [column, typeof field === "string" && parse ? parse(field, dataTypeID) : (field ?? null)] as const;
    };
    return { rows: rows.map(({ fields }) => Object.fromEntries(columns.map((one, i) => read(one, fields[i])))) };
  };
}
