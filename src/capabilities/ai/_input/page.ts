/** Converts a caller's page to text for a model: fetched through the guard, decoded, read in a thread, truncated. */
import type { Context } from "../../../capability/types.js";
import { invalid } from "../../../errors.js";
import { lazy } from "../../../lib/lazy.js";
import { decodePage } from "../../../lib/text/charset.js";
import { type FetchedBody, fetchOutbound } from "../../../upstream/outbound/outbound.js";

const MAX_BYTES = 5 * 1024 * 1024;
/** Characters that a model gets to read. */
export const MAX_TEXT = 60_000;
const ACCEPT = "text/html,application/xhtml+xml,text/plain,application/json;q=0.9,*/*;q=0.1";

export interface InputPage {
  /** URL after all redirects. */
  finalUrl: string;
  /** Empty if it has none. */
  title: string;
  /** At most 60,000 characters. */
  text: string;
  /** Whether text was left out. */
  truncated: boolean;
  /** Words of the whole text. */
  words: number;
}

/** Rejects with URL_NOT_ALLOWED, RESULT_TOO_LARGE or UPSTREAM_*. */
export const fetchPage = (url: string, ctx: Context, field: string): Promise<FetchedBody> =>
  fetchOutbound(ctx, url, { maxBytes: MAX_BYTES, accept: ACCEPT, field });

/** Rejects with INVALID_INPUT if the content is not text. */
export async function pageText(
  { finalUrl, contentType, bytes }: FetchedBody,
  ctx: Context,
  field: string,
): Promise<InputPage> {
  const type = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  const kind = kindOf(type, bytes);
  if (!kind) throw invalid(field, `must be a page of text, not ${type || "something unknown"}`);
  const source = decodePage(bytes, contentType);
  const { title, text } = kind === "html" ? await readHtml(source, ctx) : { title: "", text: source.trim() };
  return {
    finalUrl,
    title: title.slice(0, 500),
    text: cut(text, MAX_TEXT),
    truncated: text.length > MAX_TEXT,
    words: text.match(/\S+/g)?.length ?? 0,
  };
}

const reading = /* @__PURE__ */ lazy(() => import("../../../engines/pages/reading.js"));

async function readHtml(html: string, ctx: Context) {
  const { openReading } = await reading();
  const pool = await ctx.resources.use("pages", openReading, (opened) => opened.close());
  return pool.run({ html }, ctx);
}

/** A missing type is guessed from the first bytes; pictures, archives and similar files are never text. */
function kindOf(type: string, bytes: Uint8Array): "html" | "text" | undefined {
  if (type === "text/html" || type === "application/xhtml+xml") return "html";
  if (/^text\/|^application\/(?:[\w.+-]+\+)?(?:json|xml)$/.test(type)) return "text";
  if (type !== "" && type !== "application/octet-stream") return undefined;
  const head = Buffer.from(bytes.subarray(0, 512)).toString("latin1");
  if (head.includes("\0")) return undefined;
  return /<!doctype html|<html/i.test(head) ? "html" : type === "" ? "text" : undefined;
}

/** Avoids splitting a character of two units. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
}
