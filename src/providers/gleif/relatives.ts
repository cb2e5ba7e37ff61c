/** Ownership as legal entities report it: parents that consolidate their accounts, and their children. */
import { z } from "zod";
import type { Context } from "../../capability/types.js";
import { CapabilityError } from "../../errors.js";
import { DAY_MS } from "../../lib/time.js";
import { segments, upstream } from "../../upstream/client.js";
import { identifiedRows, label, whole } from "../../upstream/fields.js";
import { gleif } from "./provider.js";
import { type LeiRecord, leiRecord, RECORD_NAMES } from "./record.js";

const KEPT = { ttlMs: DAY_MS, staleMs: 7 * DAY_MS };

export type Generation = "direct" | "ultimate";

/** Reason why an entity names no parent. */
export interface ParentException {
  reason: string | null;
  category: string | null;
}

/** The parent of a record, or the reason for its absence; both null if the record has neither. */
export async function findParent(record: LeiRecord, generation: Generation, ctx: Context) {
  const links = record.relationships.get(`${generation}-parent`) ?? [];
  const client = upstream(ctx, gleif);
  if (links.includes("lei-record")) {
    const path = segments("lei-records", record.lei, `${generation}-parent`);
    const { data } = await client.get(path, { schema: z.object({ data: leiRecord() }), ...KEPT });
    return { parent: data, exception: null };
  }
  if (links.includes("reporting-exception")) {
    const path = segments("lei-records", record.lei, `${generation}-parent-reporting-exception`);
    const { data } = await client.get(path, { schema: exceptionOf(record.lei), ...KEPT });
    return { parent: null, exception: { reason: data.attributes.reason, category: data.attributes.category } };
  }
  if (record.relationships.has(`${generation}-parent`))
    throw new CapabilityError("UPSTREAM_SCHEMA", "GLEIF names a parent in an unknown format.");
  return { parent: null, exception: null };
}

const exceptionOf = (lei: string) =>
  z.object({ data: z.object({ attributes: whole({ lei: z.literal(lei), reason: label(), category: label() }) }) });

/** Up to `limit` children of a record, and their number. Without children no request is sent. */
export async function findChildren(
  record: LeiRecord,
  generation: Generation,
  limit: number,
  ctx: Context,
): Promise<{ children: LeiRecord[]; total: number }> {
  if (!record.relationships.has(`${generation}-children`)) return { children: [], total: 0 };
  const { data, meta } = await upstream(ctx, gleif).get(segments("lei-records", record.lei, `${generation}-children`), {
    query: { "page[size]": limit },
    schema: z.object({
      meta: z.object({ pagination: z.object({ total: z.int() }) }),
      data: identifiedRows(leiRecord(), RECORD_NAMES),
    }),
    ...KEPT,
  });
  return { children: data.slice(0, limit), total: meta.pagination.total };
}
