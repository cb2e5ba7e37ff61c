import { createHash } from "node:crypto";
import type { Page } from "../host/routes.js";
import { type Call, publicOrigin } from "./call.js";
import { baseHeaders } from "./headers.js";
import { acceptsGzip, gzipped } from "./http/compressed.js";
import type { PlainResponse } from "./http/exchange.js";

/** The answer of a free document. It is the same for everybody, so it may be cached for a short time. */
export async function page(call: Call, target: Page): Promise<PlainResponse> {
  const { status = 200, contentType = "application/json", headers, read } = target;
  const text = await read(call.url.searchParams, publicOrigin(call));
  const etag = tagOf(target, text);
  const { request } = call;
  const vary: Record<string, string> = request.carriesBytes ? { vary: "accept-encoding" } : {};
  const common = { ...baseHeaders(call), ...vary, "cache-control": "public, max-age=60", etag, ...headers };
  // A condition holds for success alone (RFC 9110, 13.2.1): a redirect is followed each time.
  if (status < 300 && isKnown(request.headers.get("if-none-match"), etag))
    return { status: 304, headers: common, body: null };
  const typed = { ...common, "content-type": contentType };
  const isHead = request.method === "HEAD";
  if (!request.carriesBytes) return { status, headers: typed, body: isHead ? null : text };
  const bytes = acceptsGzip(request.headers.get("accept-encoding")) ? await gzipped(text, etag) : undefined;
  if (!bytes) return { status, headers: typed, body: isHead ? null : text };
  // Another coding is another body, which a weak tag allows.
  const coded = { ...typed, etag: `W/${etag}`, "content-encoding": "gzip" };
  return { status, headers: coded, body: isHead ? null : bytes };
}

/** The last text of each document and its tag: most requests are for the same. */
const tags = new WeakMap<Page, { text: string; etag: string }>();

function tagOf(target: Page, text: string): string {
  const known = tags.get(target);
  if (known?.text === text) return known.etag;
  const etag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 27)}"`;
  tags.set(target, { text, etag });
  return etag;
}

/** Proxies that compress an answer mark its tag as weak; `*` is any tag. */
const isKnown = (asked: string | null, etag: string): boolean =>
  asked?.trim() === "*" || (asked?.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag) ?? false);
