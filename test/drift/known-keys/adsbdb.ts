import type { KnownKeys } from "../../support/render-inventories.js";

export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/v0/aircraft/*",
    source: "www.adsbdb.com, Aircraft and Flight Route",
    objects: {
      response: "aircraft flightroute",
      "response.aircraft":
        "type icao_type manufacturer mode_s registration registered_owner_country_iso_name registered_owner_country_name registered_owner_operator_flag_code registered_owner url_photo url_photo_thumbnail",
    },
    rare: ["response.aircraft.registered_owner", "response.aircraft.type", "response.aircraft.icao_type"],
  },
];
