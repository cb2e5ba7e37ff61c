import type { KnownKeys } from "../../support/render-inventories.js";

/** Only the newest value tells when the next one is due. */
export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/fng",
    source: "alternative.me/crypto/fear-and-greed-index, API",
    objects: { "": "name data metadata", "data[]": "value value_classification timestamp time_until_update" },
    rare: ["data[].time_until_update"],
  },
];
