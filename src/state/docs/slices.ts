/**
 * Searches a namespace in slices by id: no statement runs longer than others can wait, a caller's leaving is noticed
 * between slices, and the embedded database serves other calls there.
 */
import { z } from "zod";
import { rowsOf } from "../database/database.js";
import type { Parameters } from "../wallet/filter.js";
import type { ReadScope } from "../wallet/scope.js";
import { rewordBetween } from "./reword.js";

/** Size of a slice in stored bytes, divided by the number of comparisons: a few milliseconds. */
const SLICE_BYTES = 2 * 1024 * 1024;
/** Smaller slices would take longer to begin than to search. */
const MIN_SLICE_BYTES = 64 * 1024;
const SLICE_ROWS = 500;
/** More than a wallet of 50 MB has, whatever the query. */
const MAX_SLICES = 1000;

export interface Sliced<Row> {
  table: "docs" | "vectors";
  /** `$1` is the wallet, `$2` the time, `$3` the namespace, `$4` the id that a slice begins after. */
  given: Parameters;
  ns: string;
  /** The id after which the search begins. */
  after?: string | undefined;
  /** Work for each byte: about the number of comparisons. */
  weight: number;
  /** Whether it searches words, which an older release may have indexed. */
  words?: boolean;
  /** A select of the matching rows, whose condition contains `between`. */
  rows(between: string): string;
  row: z.ZodType<Row>;
}

export interface Slice<Row> {
  rows: Row[];
  /** The last id that was searched. */
  until: string;
  /** Whether unsearched ids are left, because the limit was reached. */
  leaves: boolean;
}

const BETWEEN = "id > $4 and id <= (select until from span)";

const slicedRow = z.object({
  until: z.string().nullable(),
  more: z.boolean(),
  stale: z.boolean(),
  found: z.string().transform((json): unknown[] => JSON.parse(json)),
});

export const slicedParameters = (scope: ReadScope, ns: string, after = ""): unknown[] => [
  scope.wallet,
  scope.now,
  ns,
  after,
];

export async function* slicesOf<Row>(scope: ReadScope, sliced: Sliced<Row>): AsyncGenerator<Slice<Row>> {
  const { table, given, ns, weight, words = false, row } = sliced;
  // guard: wallets: a namespace is read in slices | MIN_SLICE_BYTES -> 1e15 | state/hostile
  const text = `with next as materialized (
      select id, bytes, stale, sum(bytes) over (order by id) as running from (
        select id, bytes, ${words ? "worded is distinct from version" : "false"} as stale
        from @${table} where wallet = $1 and ns = $3 and id > $4 order by id limit ${SLICE_ROWS}) as following),
    span as materialized (
      select max(id) as until, count(*) as taken, coalesce(bool_or(stale), false) as stale
      from next where running <= ${Math.max(MIN_SLICE_BYTES, Math.ceil(SLICE_BYTES / weight))} or running = bytes)
    select until, stale, taken < (select count(*) from next) or taken = ${SLICE_ROWS} as more,
      coalesce((select json_agg(found) from (${sliced.rows(BETWEEN)}) as found), '[]')::text as found
    from span`;
  let after = sliced.after ?? "";
  for (let i = 1; ; i++) {
    const look = async () => (await rowsOf(scope, slicedRow, text, given.values.with(3, after)))[0];
    let slice = await look();
    // guard: wallets: words of an older release are written anew | never | state/search
    if (slice?.stale && slice.until !== null) {
      await rewordBetween(scope, { ns, after, until: slice.until });
      slice = await look();
    }
    if (!slice || slice.until === null) return;
    const { until, more, found } = slice;
    yield { rows: found.map((one) => row.parse(one)), until, leaves: more && i === MAX_SLICES };
    if (!more || i === MAX_SLICES) return;
    after = until;
  }
}
