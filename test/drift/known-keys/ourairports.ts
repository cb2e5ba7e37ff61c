import type { KnownKeys } from "../../support/render-inventories.js";

export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/ourairports-data/airports.csv",
    source: "ourairports.com/help/data-dictionary.html",
    objects: {
      "[]": "id ident type name latitude_deg longitude_deg elevation_ft continent iso_country iso_region municipality scheduled_service icao_code gps_code iata_code local_code home_link wikipedia_link keywords",
    },
    // Older files lack it.
    rare: ["[].icao_code"],
  },
];
