/** The free documents: what is on offer, found, described. */
import { directory } from "../discovery/directory.js";
import { openapi } from "../discovery/openapi.js";
import { createSearch } from "../discovery/search.js";
import { invalid } from "../errors.js";
import type { Host } from "../host/host.js";
import type { DocumentName } from "../host/routes.js";
import type { Call } from "./call.js";
import { baseHeaders } from "./headers.js";

export type Documents = Record<DocumentName, (call: Call) => Promise<Response> | Response>;

export function createDocuments(host: Host): Documents {
  const search = createSearch(host);
  // The document describes what was mounted at the start, so it is made once, when first asked for.
  let openapiText: string | undefined;
  return {
    "/directory": (call) => {
      const { searchParams } = call.url;
      const filter = { group: searchParams.get("group") ?? undefined, q: searchParams.get("q") ?? undefined };
      return json(call, JSON.stringify(directory(host, filter)));
    },
    "/search/endpoints": async (call) => {
      const { searchParams } = call.url;
      const answer = await search(searchParams.get("q") ?? "", readLimit(searchParams.get("limit")));
      return json(call, JSON.stringify(answer));
    },
    "/openapi.json": (call) => {
      openapiText ??= JSON.stringify(openapi(host));
      return json(call, openapiText);
    },
  };
}

function readLimit(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (!/^\d{1,3}$/.test(text)) throw invalid("limit", "must be a whole number from 1 to 50");
  return Number(text);
}

/** Documents are the same for everybody, so they alone may be cached for a moment. */
function json(call: Call, text: string): Response {
  const headers = { ...baseHeaders(call), "content-type": "application/json", "cache-control": "public, max-age=60" };
  return new Response(call.request.method === "HEAD" ? null : text, { headers });
}
