import { createHash } from "node:crypto";
import type { Page } from "../host/routes.js";
import { type Call, publicOrigin } from "./call.js";
import { baseHeaders } from "./headers.js";
import { acceptsGzip, gzipped } from "./http/compressed.js";
import type { PlainResponse } from "./http/exchange.js";

/**
 * The answer of a free document. It is the same for everybody, so it may be cached for a short time: by shared caches only if it
 * has no address that a request said, for whoever asks first would choose the address that all others read.
 */
export async function page(call: Call, target: Page): Promise<PlainResponse> {
  const { status = 200, contentType = "application/json", headers, read } = target;
  const text = await read(call.url.searchParams, publicOrigin(call));
  const etag = tagOf(target, text);
  const { request } = call;
  const isOfRequest = tellsOwnAddress(call, text);
  const varied = [...(request.carriesBytes ? ["accept-encoding"] : []), ...(isOfRequest ? ADDRESS_HEADERS : [])];
  const common = {
    ...baseHeaders(call),
    ...(varied.length > 0 ? { vary: varied.join(", ") } : {}),
    "cache-control": `${isOfRequest ? "private" : "public"}, max-age=60`,
    etag,
    ...headers,
  };
  // A condition holds for success alone (RFC 9110, 13.2.1): a redirect is followed each time.
  if (status < 300 && isKnown(request.headers.get("if-none-match"), etag))
    return { status: 304, headers: common, body: null };
  const typed = { ...common, "content-type": contentType };
  const isHead = request.method === "HEAD";
  // guard: page: a service that encodes by itself gets plain documents | gone | compressed
  if (!request.carriesBytes) return { status, headers: typed, body: isHead ? null : text };
  const bytes = acceptsGzip(request.headers.get("accept-encoding")) ? await gzipped(text, etag) : undefined;
  if (!bytes) return { status, headers: typed, body: isHead ? null : text };
  // Another coding is another body, which a weak tag allows.
  const coded = { ...typed, etag: `W/${etag}`, "content-encoding": "gzip" };
  return { status, headers: coded, body: isHead ? null : bytes };
}

/** Headers by which proxies tell the address that was asked for. */
const ADDRESS_HEADERS = ["x-forwarded-host", "x-forwarded-proto", "x-forwarded-prefix"];

/** Whether the document, or the links beside it, are of the address of the request, and not of one that the host set. */
const tellsOwnAddress = ({ host, info, url }: Call, text: string): boolean =>
  host.brand.baseUrl === undefined && ((info.prefix ?? "") !== "" || text.includes(url.host));

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
