/** Days and points in time of upstreams' answers, in ISO 8601 and UTC. */
import { z } from "zod";
import { figure } from "./values.js";

type Empty = null | undefined;

/**
 * A required point in time, from seconds or milliseconds since 1970; ISO 8601 in UTC.
 *
 * @example
 * ```ts
 * unixTime("s").parse(1_700_000_000); // "2023-11-14T22:13:20.000Z"
 * ```
 */
export const unixTime = (unit: "s" | "ms") =>
  figure()
    .transform((value) => (unit === "s" ? value * 1000 : value))
    .pipe(z.number().min(0).max(MAX_TIME_MS))
    .transform((ms) => new Date(ms).toISOString());

/**
 * A point in time from a date-time with its zone, to the millisecond and in UTC; null for anything else.
 *
 * @example
 * ```ts
 * instant().parse("2026-05-01T12:00:00+02:00"); // "2026-05-01T10:00:00.000Z"
 * ```
 */
export const instant = () => z.string().nullish().transform(toInstant);

/**
 * A day as YYYY-MM-DD, from that, from YYYYMMDD or from a date-time that begins with one; null for anything else.
 *
 * @example
 * ```ts
 * day().parse("20260501"); // "2026-05-01"
 * ```
 */
export const day = () => z.string().nullish().transform(toIsoDay);

/**
 * A day as YYYY-MM-DD from American notation: 6/30/2026 or 06/30/2026; null for anything else.
 *
 * @example
 * ```ts
 * usDay().parse("6/30/2026"); // "2026-06-30"
 * ```
 */
export const usDay = () => z.string().nullish().transform(usToIsoDay);

/** The last moment that a Date can represent. */
const MAX_TIME_MS = 8.64e15;

/** The conversion of `day`. */
export function toIsoDay(value: string | Empty): string | null {
  const [, year, month, date] = /^(\d{4})-?(\d{2})-?(\d{2})/.exec(value ?? "") ?? [];
  return year ? `${year}-${month}-${date}` : null;
}

function toInstant(value: string | Empty): string | null {
  const ms = /T.*(Z|[+-]\d\d:?\d\d)$/.test(value ?? "") ? Date.parse(value ?? "") : Number.NaN;
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

function usToIsoDay(value: string | Empty): string | null {
  const [, month = "", date = "", year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(value?.trim() ?? "") ?? [];
  return year ? `${year}-${month.padStart(2, "0")}-${date.padStart(2, "0")}` : null;
}
