import type { KnownKeys } from "../../support/render-inventories.js";

/** A failed query has `error` instead of `query`; a page that is not there has no text. */
export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/w/api.php",
    by: "action=query",
    source: "www.mediawiki.org, API:Errors and warnings, API:Continue, API:Query, API:Search, Extension:TextExtracts",
    objects: {
      "": "batchcomplete continue query-continue query error errors warnings servedby docref limits requestid curtimestamp",
      query: "search searchinfo normalized converted redirects interwiki pages pageids tokens general",
      "query.search[]":
        "ns title pageid size wordcount snippet timestamp titlesnippet redirecttitle redirectsnippet sectiontitle sectionsnippet isfilematch categorysnippet extensiondata",
      "query.normalized[]": "from to fromencoded",
      "query.pages{}":
        "pageid ns title extract missing known invalid invalidreason special iw contentmodel pagelanguage pagelanguagehtmlcode pagelanguagedir touched lastrevid length redirect new",
      "query.pages[]":
        "pageid ns title extract missing known invalid invalidreason special iw contentmodel pagelanguage pagelanguagehtmlcode pagelanguagedir touched lastrevid length redirect new",
    },
    rare: ["query", "query.normalized", "query.search", "query.pages", "query.pages{}.extract"],
  },
];
