/** Shared by the Aviation Weather Center's services. */
import type { z } from "zod";
import type { Context } from "../../capability/types.js";
import { MINUTE_MS } from "../../lib/time.js";
import { upstream } from "../../upstream/client.js";
import { identifiedRows } from "../../upstream/fields.js";
import { aviationWeather } from "./provider.js";

interface ReportRequest<Row> {
  /** `metar`, `taf`, `airsigmet`, ... */
  service: string;
  ids?: string[];
  row: z.ZodType<Row>;
  /** Fields without which a report says nothing: one that lacks any is left out. */
  needs?: readonly string[];
  ttlMs: number;
}

/** The rows of a service; empty if it has none. */
export async function readReports<Row>(
  ctx: Context,
  { service, ids, row, needs = [], ttlMs }: ReportRequest<Row>,
): Promise<Row[]> {
  const answer = await upstream(ctx, aviationWeather).get(`/${service}`, {
    query: { ids: ids?.join(","), format: "json" },
    schema: identifiedRows(row, needs),
    // Without reports the body is empty.
    format: "list",
    absent: [204],
    ttlMs,
    staleMs: 15 * MINUTE_MS,
  });
  return answer ?? [];
}

/**
 * Epoch seconds, "2026-03-28T05:00:00.000Z" and, from older servers, "2023-11-03 22:00:00" as ISO times in UTC; null
 * for anything else.
 */
export function isoTime(time: number | string | null | undefined): string | null {
  const date = new Date(
    typeof time === "number" ? time * 1000 : (time ?? "").replace(" ", "T").replace(/(:\d\d)$/, "$1Z"),
  );
  return Number.isNaN(date.getTime()) ? null : date.toISOString().replace(".000Z", "Z");
}
