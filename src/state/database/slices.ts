/**
 * A namespace in slices, in the order of its ids: no statement has more to look through than others can wait for, whoever
 * gave up is noticed between two of them, and on the embedded database others have their turn there.
 */
import { z } from "zod";
import type { Parameters } from "../docs/filter.js";
import { rewordBetween } from "../docs/reword.js";
import type { ReadScope } from "../scope.js";
import { rowsOf } from "./database.js";

/** Of what was put: what it is to be compared with divides it. */
const SLICE_BYTES = 16 * 1024 * 1024;
const SLICE_ROWS = 2000;
/** More than a wallet of 50 MB has, whatever is asked of it. */
const MAX_SLICES = 250;

export interface Sliced<Row> {
  table: "docs" | "vectors";
  /** `$1` is the wallet, `$2` the time, `$3` the namespace, `$4` the id that a slice begins after. */
  given: Parameters;
  ns: string;
  /** Where to begin: after this id. */
  after?: string | undefined;
  /** How much work a byte is: the number of its conditions, about. */
  weight: number;
  /** Whether it is about words, which an older release may have written. */
  words?: boolean;
  /** A select of the rows that count, in whose condition `between` stands. */
  rows(between: string): string;
  row: z.ZodType<Row>;
}

export interface Slice<Row> {
  rows: Row[];
  /** The last id that was looked at. */
  until: string;
  /** Whether there is more beyond, which is left: it would be too much. */
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
  const text = `with next as materialized (
      select id, bytes, stale, sum(bytes) over (order by id) as running from (
        select id, bytes, ${words ? "worded is distinct from version" : "false"} as stale
        from @${table} where wallet = $1 and ns = $3 and id > $4 order by id limit ${SLICE_ROWS}) as following),
    span as materialized (
      select max(id) as until, count(*) as taken, coalesce(bool_or(stale), false) as stale
      from next where running <= ${Math.ceil(SLICE_BYTES / weight)} or running = bytes)
    select until, stale, taken < (select count(*) from next) or taken = ${SLICE_ROWS} as more,
      coalesce((select json_agg(found) from (${sliced.rows(BETWEEN)}) as found), '[]')::text as found
    from span`;
  let after = sliced.after ?? "";
  for (let i = 1; ; i++) {
    const look = async () => (await rowsOf(scope, slicedRow, text, given.values.with(3, after)))[0];
    let slice = await look();
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
