/** Finds documents by a filter on their content, and by their words. */
import { z } from "zod";
import type { Context } from "../../capability/types.js";
import { invalid } from "../../errors.js";
import { rowsOf } from "../database/database.js";
import { stateOf } from "../wallet/account.js";
import { cursorOf, fitting, lastKey, positionOf } from "../wallet/cursor.js";
import {
  filterSql,
  type Parameters,
  parameters,
  placeSql,
  type Root,
  readFilter,
  readPointer,
  TOO_LONG,
  valueAt,
  weightOf,
} from "../wallet/filter.js";
import { nowParam, type ReadScope } from "../wallet/scope.js";
import { contents, DOC_COLUMNS, docHeadRow } from "./rows.js";
import { putDocuments } from "./sample.js";
import { askedOf, type IndexQuery } from "./search-index.js";
import { QueryError, readQuery } from "./search-query.js";
import { slicedParameters, slicesOf } from "./slices.js";

const { scan } = stateOf(putDocuments);

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
 * The documents of a slice in memory: `||` decompresses them, and the fence prevents decompressing them for each
 * condition.
 */
const docsThat = (condition: string) => `(select id, bytes, version, document || '{}' as document, meta, words
    from @docs where wallet = $1 and ns = $3 and expires_at > ${nowParam(2)} and ${condition} offset 0) as docs`;

/**
 * A value to sort by: numbers come before texts, and both before all others. A text counts by its first 64 characters.
 */
const rankOf = (x: string) => ({
  kind: `case jsonb_typeof(${x}) when 'number' then 0 when 'string' then 1 else 2 end`,
  number: `case when jsonb_typeof(${x}) = 'number' then (${x} #>> '{}')::numeric else 0 end`,
  text: `case when jsonb_typeof(${x}) = 'string' then left(${x} #>> '{}', 64) else '' end collate "C"`,
});

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

/** Condition for rows after a position: the first differing value decides, and the id if none differs. */
function beyond({ id, values }: Position, columns: string[][], sort: Sort[], { add }: Parameters): string {
  const last = `id > ${add(id, "text")}`;
  return values.reduceRight((rest, [kind, number, text], i) => {
    const here = `(${columns[i]?.join(", ")})`;
    const there = `(${add(kind, "int")}, ${add(String(number), "numeric")}, ${add(text, "text")} collate "C")`;
    return `(${here} ${sort[i]?.direction === "desc" ? "<" : ">"} ${there} or (${here} = ${there} and ${rest}))`;
  }, last);
}

type Rank = Position["values"][number];
const rank = z.tuple([z.int(), z.number(), z.string()]);
/** Null if there was too much to compare. */
const judged = z.boolean().nullable();
const candidate = z.object({ id: z.string(), bytes: z.int(), judged, values: z.array(rank) });

/** Texts compare by bytes, as in collation "C". */
const compared = ([kind, number, text]: Rank, [otherKind, otherNumber, otherText]: Rank): number =>
  kind - otherKind || number - otherNumber || Buffer.compare(Buffer.from(text), Buffer.from(otherText));

const inOrder =
  (sort: Sort[]) =>
  (a: Position, b: Position): number => {
    for (const [i, { direction }] of sort.entries()) {
      const [left, right] = [a.values[i], b.values[i]];
      const order = left && right ? compared(left, right) : 0;
      if (order !== 0) return direction === "desc" ? -order : order;
    }
    return a.id < b.id ? -1 : 1;
  };

/** A filter's result for a row: null if it would compare too much. */
const judgement = (filter: unknown, given: Parameters): string =>
  filter === undefined ? "true" : filterSql(readFilter(filter, ROOTS), given);

/** Refuses documents that are too large for the filter. */
function assertJudged(found: { id: string; judged: boolean | null }[]): void {
  const beyond = found.find(({ judged }) => judged === null);
  if (beyond)
    throw invalid("filter", `has a contains that would compare ${TOO_LONG}, as the document "${beyond.id}" has`);
}

/** The sorted values in SQL: as columns of a document, as the order of rows, and as a row's position. */
function sortSql(sort: Sort[], { add }: Parameters) {
  const ranks = sort.map(({ path }) => rankOf(placeSql(readPointer(path, ROOTS), add)));
  const columns = ranks.map((_, i) => [`kind${i}`, `number${i}`, `text${i}`]);
  return {
    columns,
    order: sort.flatMap(({ direction }, i) => columns[i]?.map((column) => `${column} ${direction}`) ?? []),
    keys: ranks.map(({ kind, number, text }, i) => `${kind} as kind${i}, ${number} as number${i}, ${text} as text${i}`),
    values: columns.map(([kind, number, text]) => `json_build_array(${kind}, ${number}::float8, ${text})`),
  };
}

type Candidate = Position & { bytes: number };
const isById = ({ sort }: DocQuery): boolean => sort.length === 0;

/**
 * The first matches of all slices after a position, one more than a page may have. `until` is the last id that was
 * searched, if unsearched ones are left.
 */
async function firstMatches(scope: ReadScope, query: DocQuery, begin: Position | undefined) {
  const { ns, filter, sort, limit } = query;
  const given = parameters(slicedParameters(scope, ns));
  const { columns, order, keys, values } = sortSql(sort, given);
  const kept = judgement(filter, given);
  const follows = begin && !isById(query) ? beyond(begin, columns, sort, given) : "true";
  const most = given.add(limit + 1, "int");
  let best: Candidate[] = [];
  let until: string | undefined;
  for await (const slice of slicesOf(scope, {
    table: "docs",
    given,
    ns,
    after: isById(query) ? begin?.id : undefined,
    row: candidate,
    weight: 1 + sort.length + weightOf(filter),
    rows: (between) => `select id, bytes, judged, json_build_array(${values.join(", ")}) as values from (
          select ${["id", "bytes", `${kept} as judged`, ...keys].join(", ")} from ${docsThat(between)}) as docs
        where judged is not false and ${follows} order by ${["judged desc", ...order, "id"].join(", ")} limit ${most}`,
  })) {
    assertJudged(slice.rows);
    best = [...best, ...slice.rows].sort(inOrder(sort)).slice(0, limit + 1);
    if (slice.leaves) until = slice.until;
    // In the order of ids the first page may be complete before the last slice.
    if (isById(query) && fitting(best.slice(0, limit)).length < best.length) break;
  }
  return { best, until };
}

export const queryDocs = (ctx: Context, query: DocQuery) =>
  scan(ctx, async (scope) => {
    const { ns, filter, sort, limit, after, fields } = query;
    const begin = positionOf(after, position);
    if (begin && begin.values.length !== sort.length) throw invalid("after", "is of a list in another order");
    const { best, until } = await firstMatches(scope, query, begin);
    const page = fitting(best.slice(0, limit));
    const isCut = until !== undefined;
    // Too much for one answer: in the order of ids the next page continues there.
    const next = followingPage(page, best) ?? (isCut && isById(query) ? { id: until, values: [] } : undefined);
    const docs = await fetched(scope, ns, page, filter);
    return {
      items: docs.map(({ contents: doc, ...head }) => ({
        ...head,
        ...(fields ? { fields: picked(doc, fields) } : doc),
      })),
      ...(next ? { nextCursor: cursorOf(next) } : {}),
      cut: isCut && !isById(query),
    };
  });

/** The position after a page that leaves matches out. */
function followingPage(page: Candidate[], best: Candidate[]): Position | undefined {
  const last = page.at(-1);
  return last && page.length < best.length ? { id: last.id, values: last.values } : undefined;
}

const picked = (doc: Record<Root, unknown>, fields: string[]): Record<string, unknown> =>
  Object.fromEntries(fields.map((path) => [path, fieldOf(doc, path)]));

const fetchedRow = docHeadRow.extend({ contents });

/** The current documents of a page, without those that changed and no longer match. */
async function fetched(scope: ReadScope, ns: string, page: { id: string }[], filter?: unknown) {
  if (page.length === 0) return [];
  const ids = page.map(({ id }) => id);
  const given = parameters([scope.wallet, scope.now, ns, ids]);
  const text = `select ${DOC_COLUMNS}, body as contents from @docs
    where wallet = $1 and ns = $3 and id = any($4::text[]) and expires_at > ${nowParam(2)} and (${judgement(filter, given)}) is true`;
  const docs = new Map((await rowsOf(scope, fetchedRow, text, given.values)).map((doc) => [doc.id, doc]));
  return ids.flatMap((id) => docs.get(id) ?? []);
}

const fieldOf = (doc: Record<Root, unknown>, path: string): unknown => valueAt(doc, readPointer(path, ROOTS)) ?? null;

export interface DocSearch {
  ns: string;
  query: string;
  filter?: unknown;
  limit: number;
  bodies: boolean;
}

/** Rejects an invalid query, naming the field. */
export function assertQuery(text: string): void {
  askedIn(text);
}

function askedIn(text: string): IndexQuery | undefined {
  try {
    return askedOf(readQuery(text));
  } catch (error) {
    if (error instanceof QueryError) throw invalid("query", error.message);
    throw error;
  }
}

const matching = z.object({ id: z.string(), bytes: z.int(), judged, score: z.number() });

/** Best first; equal ranks in the order of ids. Ends before 2 MB of documents, and says so. */
export const search = (ctx: Context, { ns, query, filter, limit, bodies }: DocSearch) =>
  scan(ctx, async (scope) => {
    const asked = askedIn(query);
    if (!asked) return { items: [], cut: false };
    const given = parameters(slicedParameters(scope, ns));
    const condition = given.add(asked.condition, "text::tsquery");
    const kept = judgement(filter, given);
    // guard: wallets: the order of what was found is made of words alone | ranked, -> condition, | state/search
    const score = asked.ranked ? `ts_rank(words, ${given.add(asked.ranked, "text::tsquery")}, 32)::float8` : "0";
    const most = given.add(limit, "int");
    let best: z.infer<typeof matching>[] = [];
    let cut = false;
    for await (const slice of slicesOf(scope, {
      table: "docs",
      given,
      ns,
      words: true,
      row: matching,
      weight: 2 + weightOf(filter),
      rows: (between) => `select id, bytes, judged, ${score} as score from (
          select *, ${kept} as judged from ${docsThat(`${between} and words @@ ${condition}`)}) as docs
        where judged is not false order by judged desc, score desc, id limit ${most}`,
    })) {
      assertJudged(slice.rows);
      best = [...best, ...slice.rows].sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, limit);
      cut ||= slice.leaves;
    }
    const page = bodies ? fitting(best) : best;
    const scores = new Map(page.map(({ id, score }) => [id, score]));
    const docs = await fetched(scope, ns, page, filter);
    return {
      items: docs.map(({ id, contents: { body, meta } }) => ({
        id,
        score: scores.get(id) ?? 0,
        meta,
        ...(bodies ? { body } : {}),
      })),
      cut: cut || page.length < best.length,
    };
  });
