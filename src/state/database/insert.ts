/** Inserts with each column beside its value, so that nobody counts parameters. */

/** A column's value as SQL, in which `?` stands for the parameter. */
class Expression {
  constructor(
    readonly sql: string,
    readonly parameter: unknown,
  ) {}
}

/**
 * A column's value that the statement computes.
 *
 * @example
 * ```ts
 * expression("nextval('@versions')");
 * expression("?::text::jsonb", JSON.stringify(meta));
 * ```
 */
export const expression = (sql: string, parameter?: unknown): Expression => new Expression(sql, parameter);

/**
 * Text and values of an insert of one row. `then` is the rest of the statement, such as `on conflict … returning …`.
 *
 * @example
 * ```ts
 * await tx.query(...insertInto("@kv", { wallet, ns, key, value }));
 * ```
 */
export function insertInto(table: string, row: Record<string, unknown>, then = ""): [text: string, values: unknown[]] {
  const values: unknown[] = [];
  const place = (value: unknown) => `$${values.push(value)}`;
  const places = Object.values(row).map((value) =>
    value instanceof Expression ? value.sql.replace("?", () => place(value.parameter)) : place(value),
  );
  // A message is given its number before it is written; without a generated column the words do nothing.
  const text = `insert into ${table} (${Object.keys(row).join(", ")}) overriding system value values (${places.join(", ")})`;
  return [`${text} ${then}`.trimEnd(), values];
}
