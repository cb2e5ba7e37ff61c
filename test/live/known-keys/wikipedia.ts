import type { KnownKeys } from "../../support/render-inventories.js";

/** A failed query has `error` instead of `query`. */
export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/w/api.php",
    by: "action=query",
    source: "www.mediawiki.org, API:Errors and warnings, API:Continue",
    objects: { "": "batchcomplete continue query error errors warnings servedby docref limits" },
  },
];
