import type { KnownKeys } from "../../support/render-inventories.js";

export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/v1/latest",
    source: "frankfurter.dev",
    objects: { "": "amount base date start_date end_date rates" },
    tables: ["rates"],
  },
];
