import type { Page } from "../host/routes.js";
import type { Call } from "./call.js";
import { baseHeaders } from "./headers.js";

/** The answer of a free document. They are the same for everybody, so they alone may be cached for a moment. */
export async function page(call: Call, { contentType = "application/json", read }: Page): Promise<Response> {
  const text = await read(call.url.searchParams);
  const headers = { ...baseHeaders(call), "content-type": contentType, "cache-control": "public, max-age=60" };
  return new Response(call.request.method === "HEAD" ? null : text, { headers });
}
