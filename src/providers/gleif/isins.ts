import { z } from "zod";
import type { Context } from "../../capability/types.js";
import { DAY_MS } from "../../lib/time.js";
import { segments, upstream } from "../../upstream/client.js";
import { identifiedRows } from "../../upstream/fields.js";
import { gleif } from "./provider.js";

/** Up to `limit` (at most 200) ISINs of an issuer, and their number; undefined if GLEIF has no such LEI. */
export async function findIsins(lei: string, limit: number, ctx: Context) {
  const answer = await upstream(ctx, gleif).get(segments("lei-records", lei, "isins"), {
    query: { "page[size]": limit },
    schema: z.object({
      meta: z.object({ pagination: z.object({ total: z.int() }) }),
      data: identifiedRows(z.object({ attributes: z.object({ lei: z.literal(lei), isin: z.string() }) }), [
        "attributes.isin",
      ]),
    }),
    absent: [404],
    ttlMs: DAY_MS,
    staleMs: 7 * DAY_MS,
  });
  return answer && { isins: answer.data.map(({ attributes }) => attributes.isin), total: answer.meta.pagination.total };
}
