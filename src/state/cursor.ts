/** Cursors of pages: where the one before ended, as text that callers hand back. */
import { z } from "zod";
import { invalid } from "../errors.js";
import { isStorableText } from "./storable.js";

/** How many bytes of stored values an answer has at most; at least one value goes into any. */
export const PAGE_BYTES = 2 * 1024 * 1024;

export const cursorOf = (position: unknown): string => Buffer.from(JSON.stringify(position)).toString("base64url");

/** The key that a page ended with. */
export const lastKey = () => z.string().regex(/^[A-Za-z0-9._:/-]{1,256}$/);

/** Rejects what no page of ours ended with. Whatever else a caller makes up names only rows of its own. */
export function positionOf<T>(cursor: string | undefined, position: z.ZodType<T>): T | undefined {
  if (cursor === undefined) return undefined;
  try {
    return position.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"), storable));
  } catch {
    throw invalid("after", "must be meta.nextCursor of an earlier page of the same list");
  }
}

/** Whatever stands in a cursor goes into a statement. */
function storable(_: string, value: unknown): unknown {
  if (typeof value === "string" && !isStorableText(value)) throw new Error("no text of ours");
  return value;
}

/** The first of them, as many as an answer holds: at least one. */
export function fitting<Row extends { bytes: number }>(rows: Row[]): Row[] {
  let bytes = 0;
  const end = rows.findIndex((row, i) => {
    bytes += row.bytes;
    return i > 0 && bytes > PAGE_BYTES;
  });
  return end === -1 ? rows : rows.slice(0, end);
}

/** The rows of one page out of those found, of which there is one more where another page follows. */
export function pageOf<Row>(found: Row[], limit: number, cursor: (last: Row) => string) {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, ...(found.length > limit && last ? { nextCursor: cursor(last) } : {}) };
}
