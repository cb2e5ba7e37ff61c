import type { KnownKeys } from "../../support/render-inventories.js";

export const knownKeys: readonly KnownKeys[] = [
  {
    method: "POST",
    path: "/api/v2/recipient",
    source: "github.com/fedspendingtransparency/usaspending-api, contract of recipient.md",
    objects: {
      "": "page_metadata results messages",
      page_metadata: "page total limit next previous hasNext hasPrevious",
      "results[]": "id duns uei name recipient_level amount",
    },
    rare: ["results[].uei", "results[].recipient_level"],
  },
];
