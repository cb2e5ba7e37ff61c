/** Reads datasets of Socrata's portals (SODA 2.1). Empty columns are omitted from a row. */
import { z } from "zod";
import type { Provider } from "../../capability/provider.js";
import type { Context } from "../../capability/types.js";
import { CapabilityError } from "../../errors.js";
import { DAY_MS, HOUR_MS } from "../../lib/time.js";
import { type ReadOptions, segments, upstream } from "../../upstream/client.js";
import { identifiedRows } from "../../upstream/fields.js";

export interface Dataset {
  portal: Provider;
  /** Two times four characters. */
  id: string;
}

export interface RowQuery {
  /** Columns; default: all. Empty columns are omitted in either case; only unknown names are refused. */
  select?: readonly string[];
  /** SoQL, made with the functions of `soql.ts`. */
  where: string;
  /** Sort columns, so that pages do not overlap. */
  order?: string;
  limit: number;
  offset?: number;
}

export async function readRows<Row extends z.ZodType>(
  dataset: Dataset,
  { select, where, order, limit, offset = 0 }: RowQuery,
  row: Row,
  ctx: Context,
): Promise<z.output<Row>[]> {
  // guard: a register's columns are asked for by name, so that the portal refuses one that it calls otherwise |
  //   select?.join(",") -> undefined | sos-search
  const query = { $select: select?.join(","), $where: where, $order: order, $limit: limit, $offset: offset };
  return read(dataset, { query, schema: identifiedRows(row, []), ttlMs: 12 * HOUR_MS, staleMs: 7 * DAY_MS }, ctx);
}

/** Number of rows. */
export async function countRows(dataset: Dataset, where: string, ctx: Context): Promise<number> {
  const query = { $select: "count(*) as total", $where: where };
  const schema = z.tuple([z.object({ total: z.coerce.number().int() })]);
  const [{ total }] = await read(dataset, { query, schema, ttlMs: 12 * HOUR_MS, staleMs: 7 * DAY_MS }, ctx);
  return total;
}

/** A token only raises the allowance, so a refused one is dropped. */
async function read<T>({ portal, id }: Dataset, options: ReadOptions<T>, ctx: Context): Promise<T> {
  const path = `${segments(id)}.json`;
  try {
    return await upstream(ctx, portal).get(path, options);
  } catch (error) {
    if (!CapabilityError.is(error) || error.code !== "PROVIDER_NOT_CONFIGURED") throw error;
    ctx.logger.warn({ error }, "socrata: asked again without the token");
    return upstream(ctx, withoutToken(portal)).get(path, options);
  }
}

const withoutToken = ({ secret: _, ...portal }: Provider): Provider => portal;
