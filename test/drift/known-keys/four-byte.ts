import type { KnownKeys } from "../../support/render-inventories.js";

export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/api/v1/signatures",
    source: "www.4byte.directory/docs",
    objects: {
      "": "count next previous results",
      "results[]": "id created_at text_signature hex_signature bytes_signature",
    },
  },
];
