import { createHash } from "node:crypto";
import type { Page } from "../host/routes.js";
import { type Call, publicOrigin } from "./call.js";
import type { PlainResponse } from "./exchange.js";
import { baseHeaders } from "./headers.js";

/** The answer of a free document. It is the same for everybody, so it may be cached for a short time. */
export async function page(call: Call, target: Page): Promise<PlainResponse> {
  const { status = 200, contentType = "application/json", headers, read } = target;
  const text = await read(call.url.searchParams, publicOrigin(call));
  const etag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 27)}"`;
  const common = { ...baseHeaders(call), "cache-control": "public, max-age=60", etag, ...headers };
  if (isKnown(call.request.headers.get("if-none-match"), etag)) return { status: 304, headers: common, body: null };
  const body = call.request.method === "HEAD" ? null : text;
  return { status, headers: { ...common, "content-type": contentType }, body };
}

/** Proxies that compress an answer mark its tag as weak. */
const isKnown = (asked: string | null, etag: string): boolean =>
  asked?.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag) ?? false;
