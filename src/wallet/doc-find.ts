/** Finding documents: by what is in them, and by their words. */
import { z } from "zod";
import type { Context } from "../capability/types.js";
import { invalid } from "../errors.js";
import { look } from "./account.js";
import { rowsOf } from "./database.js";
import { COLUMNS, contents, headRow } from "./doc-rows.js";
import { filterSql, type Parameters, parameters, placeOf, placeSql, type Root, readFilter, valueAt } from "./filter.js";
import { cursorOf, lastKey, PAGE_BYTES, positionOf } from "./page.js";
import { QueryError, querySql, readQuery } from "./search-query.js";
import { at } from "./view.js";

const ROOTS: Root[] = ["body", "meta"];

export interface Sort {
  path: string;
  direction: "asc" | "desc";
}

export interface DocQuery {
  ns: string;
  filter?: unknown;
  sort: Sort[];
  limit: number;
  after?: string | undefined;
  fields?: string[] | undefined;
}

/**
 * The document in memory: `||` unpacks it, and the fence keeps it from being unpacked again for each condition.
 * `$1` is the wallet, `$2` the time, `$3` the namespace.
 */
const docsThat = (condition = "true") => `(select id, body, bytes, version, expires_at, words,
      document || '{}' as document, meta
    from @docs where wallet = $1 and ns = $3 and expires_at > ${at(2)} and ${condition} offset 0) as docs`;

/** A value to sort by: numbers stand before texts, and both before all else. A text counts by its first 64 characters. */
const rankOf = (x: string) => ({
  kind: `case jsonb_typeof(${x}) when 'number' then 0 when 'string' then 1 else 2 end`,
  number: `case when jsonb_typeof(${x}) = 'number' then (${x} #>> '{}')::numeric else 0 end`,
  text: `case when jsonb_typeof(${x}) = 'string' then left(${x} #>> '{}', 64) else '' end collate "C"`,
});

const queriedRow = headRow.extend({ contents, found: z.int(), place: z.string() });
const searchedRow = z.object({ id: z.string(), score: z.number(), contents, found: z.int() });
const position = z.strictObject({
  id: lastKey(),
  values: z.array(
    z.tuple([
      z.int().min(0).max(2),
      z.number(),
      z
        .string()
        .max(128)
        .regex(/^[^\0\p{Cs}]*$/u),
    ]),
  ),
});
type Position = z.infer<typeof position>;

/** What comes after a position: the first value that differs decides, and the id where none does. */
function beyond({ id, values }: Position, columns: string[][], sort: Sort[], { add }: Parameters): string {
  const last = `id > ${add(id, "text")}`;
  return values.reduceRight((rest, [kind, number, text], i) => {
    const here = `(${columns[i]?.join(", ")})`;
    const there = `(${add(kind, "int")}, ${add(String(number), "numeric")}, ${add(text, "text")} collate "C")`;
    return `(${here} ${sort[i]?.direction === "desc" ? "<" : ">"} ${there} or (${here} = ${there} and ${rest}))`;
  }, last);
}

export const query = (ctx: Context, { ns, filter, sort, limit, after, fields }: DocQuery) =>
  look(ctx, async (view) => {
    const begin = positionOf(after, position);
    if (begin && begin.values.length !== sort.length) throw invalid("after", "is of a list in another order");
    const given = parameters([view.wallet, view.now, ns]);
    const ranks = sort.map(({ path }) => rankOf(placeSql(placeOf(path, ROOTS), given.add)));
    const columns = ranks.map((_, i) => [`kind${i}`, `number${i}`, `text${i}`]);
    const sorted = sort.flatMap(({ direction }, i) => columns[i]?.map((column) => `${column} ${direction}`) ?? []);
    const order = [...sorted, "id"].join(", ");
    const keys = ranks.map(
      ({ kind, number, text }, i) => `${kind} as kind${i}, ${number} as number${i}, ${text} as text${i}`,
    );
    const matching = `select ${["docs.*", ...keys].join(", ")} from ${docsThat()}
      where ${filter === undefined ? "true" : filterSql(readFilter(filter, ROOTS), given)}`;
    const values = columns.map(([kind, number, text]) => `json_build_array(${kind}, ${number}::float8, ${text})`);
    const text = `select ${COLUMNS}, body as contents, found::int as found, json_build_array(${values.join(", ")})::text as place
      from (
        select *, sum(bytes) over (order by ${order}) as running, count(*) over () as found from (
          select * from (${matching}) as matching where ${begin ? beyond(begin, columns, sort, given) : "true"}
          order by ${order} limit ${given.add(limit + 1, "int")}) as first) as docs
      where running <= ${PAGE_BYTES} or running = bytes order by ${order}`;
    const rows = await rowsOf(view, queriedRow, text, given.values);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const more = last && last.found > page.length;
    return {
      items: page.map(({ contents: doc, found: _, place: __, ...head }) => ({
        ...head,
        ...(fields ? { fields: Object.fromEntries(fields.map((path) => [path, fieldOf(doc, path)])) } : doc),
      })),
      ...(more ? { nextCursor: cursorOf({ id: last.id, values: JSON.parse(last.place) }) } : {}),
    };
  });

const fieldOf = (doc: Record<Root, unknown>, path: string): unknown => valueAt(doc, placeOf(path, ROOTS)) ?? null;

export interface DocSearch {
  ns: string;
  query: string;
  filter?: unknown;
  limit: number;
  bodies: boolean;
}

/** Rejects what is no query, naming the field. */
export function assertQuery(text: string): void {
  try {
    readQuery(text);
  } catch (error) {
    if (error instanceof QueryError) throw invalid("query", error.message);
    throw error;
  }
}

/** Best first; equals in the order of their ids. Ends before 2 MB of documents, and says so. */
export const search = (ctx: Context, { ns, query, filter, limit, bodies }: DocSearch) =>
  look(ctx, async (view) => {
    const given = parameters([view.wallet, view.now, ns]);
    const asked = querySql(readQuery(query), given);
    const kept = filter === undefined ? "true" : filterSql(readFilter(filter, ROOTS), given);
    const text = `select id, score, body as contents, found::int as found from (
        select *, sum(bytes) over (order by score desc, id) as running, count(*) over () as found from (
          select id, body, bytes, ts_rank(words, ${asked}, 32)::float8 as score
          from ${docsThat(`words @@ ${asked}`)} where ${kept}
          order by score desc, id limit ${given.add(limit, "int")}) as best) as docs
      where ${bodies ? `running <= ${PAGE_BYTES} or running = bytes` : "true"} order by score desc, id`;
    const rows = await rowsOf(view, searchedRow, text, given.values);
    return {
      items: rows.map(({ id, score, contents: { body, meta } }) => ({ id, score, meta, ...(bodies ? { body } : {}) })),
      cut: rows.length < (rows[0]?.found ?? 0),
    };
  });
