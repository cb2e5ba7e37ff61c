/** Reads LEI records: one by its LEI, or the matches of a search. */
import { z } from "zod";
import type { Context } from "../../capability/types.js";
import { DAY_MS, HOUR_MS } from "../../lib/time.js";
import { segments, upstream } from "../../upstream/client.js";
import { day, part, rowsInPlace } from "../../upstream/fields.js";
import { pageAround } from "./page.js";
import { gleif } from "./provider.js";
import { type LeiRecord, leiRecord, RECORD_NAMES } from "./record.js";

/** Publication day of GLEIF's current data. */
const goldenCopy = () => part({ publishDate: day() });

export interface FoundRecord {
  record: LeiRecord;
  publishDate: string | null;
}

/** The record of an LEI; undefined if GLEIF has none. An answer about another LEI is refused. */
export async function findRecord(lei: string, ctx: Context): Promise<FoundRecord | undefined> {
  const answer = await upstream(ctx, gleif).get(segments("lei-records", lei), {
    schema: z.object({
      meta: part({ goldenCopy: goldenCopy() }),
      data: leiRecord().refine((record) => record.lei === lei),
    }),
    absent: [404],
    ttlMs: DAY_MS,
    staleMs: 7 * DAY_MS,
  });
  return answer && { record: answer.data, publishDate: answer.meta.goldenCopy.publishDate };
}

/** Search filters under GLEIF's own names; all must match. */
export interface RecordFilters {
  /** Legal, other and transliterated names. */
  "entity.names"?: string | undefined;
  /** Any field. */
  fulltext?: string | undefined;
  isin?: string | undefined;
  /** One or more, separated by commas. The answer is unordered. */
  lei?: string | undefined;
  "entity.legalAddress.country"?: string | undefined;
  "entity.status"?: "ACTIVE" | "INACTIVE" | undefined;
}

export interface FoundRecords {
  records: LeiRecord[];
  /** Number of all matches; `records` is one page. */
  total: number;
  publishDate: string | null;
}

/** A page of matching records. `offset` may be up to MAX_OFFSET, `limit` up to 200. */
export async function searchRecords(
  filters: RecordFilters,
  { offset = 0, limit }: { offset?: number; limit: number },
  ctx: Context,
): Promise<FoundRecords> {
  const { number, size, skip } = pageAround(offset, limit);
  const filter = Object.entries(filters).map(([name, value]) => [`filter[${name}]`, value] as const);
  const answer = await upstream(ctx, gleif).get("/lei-records", {
    query: { ...Object.fromEntries(filter), "page[number]": number, "page[size]": size },
    schema: z.object({
      meta: z.object({
        goldenCopy: goldenCopy(),
        pagination: z.object({ total: z.int() }),
      }),
      data: rowsInPlace(leiRecord(), RECORD_NAMES),
    }),
    ttlMs: 6 * HOUR_MS,
    staleMs: 7 * DAY_MS,
  });
  return {
    records: answer.data.slice(skip, skip + limit).filter((record) => record !== null),
    total: answer.meta.pagination.total,
    publishDate: answer.meta.goldenCopy.publishDate,
  };
}

/** Page of a record, for people. */
export const recordUrl = (lei: string): string => `https://search.gleif.org/#/record/${lei}`;
