/** Page cursors: the end of the previous page as text, which callers return. */
import { z } from "zod";
import { invalid } from "../../errors.js";
import { isStorableText } from "./storable.js";

/** Largest sum of stored values in an answer; one value always fits. */
export const PAGE_BYTES = 2 * 1024 * 1024;

export const cursorOf = (position: unknown): string => Buffer.from(JSON.stringify(position)).toString("base64url");

/** The last key of a page. */
export const lastKey = () => z.string().regex(/^[A-Za-z0-9._:/-]{1,256}$/);

/** Rejects a malformed cursor. An invented one can only name the caller's own rows. */
export function positionOf<T>(cursor: string | undefined, position: z.ZodType<T>): T | undefined {
  if (cursor === undefined) return undefined;
  try {
    // guard: wallets: a cursor holds only what a statement takes | - , storable | hostile-text
    return position.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"), storable));
  } catch {
    throw invalid("after", "must be meta.nextCursor of an earlier page of the same list");
  }
}

/** A cursor's content becomes part of a statement. */
function storable(_: string, value: unknown): unknown {
  if (typeof value === "string" && !isStorableText(value)) throw new Error("no text of ours");
  return value;
}

/** The first rows that fit into an answer, at least one. */
export function fitting<Row extends { bytes: number }>(rows: Row[]): Row[] {
  let bytes = 0;
  const end = rows.findIndex((row, i) => {
    bytes += row.bytes;
    return i > 0 && bytes > PAGE_BYTES;
  });
  return end === -1 ? rows : rows.slice(0, end);
}

/** The rows of one page; one row more was read to tell whether another page follows. */
export function pageOf<Row>(found: Row[], limit: number, cursor: (last: Row) => string) {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, ...(found.length > limit && last ? { nextCursor: cursor(last) } : {}) };
}
