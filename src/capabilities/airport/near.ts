import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { latitude, limit, longitude } from "../../capability/fields.js";
import { one } from "../../capability/output.js";
import { findNear } from "../../engines/places/nearest.js";
import { loadAirports } from "../../providers/ourairports/airports.js";
import { AIRPORT_TYPES } from "../../providers/ourairports/filter.js";
import { ourAirports } from "../../providers/ourairports/provider.js";
import { type Airport, airportSchema } from "../../providers/ourairports/row.js";

export const airportNear = /* @__PURE__ */ defineCapability({
  id: "airport.near",
  summary:
    "Airports, heliports and seaplane bases around a point, nearest first, by type, country or scheduled service.",
  keywords: ["nearest airport", "closest airfield", "nearby", "radius", "distance", "coordinates", "heliport", "geo"],
  price: "0.001",
  provider: ourAirports,
  // The first call may have to download the list.
  timeoutMs: 60_000,
  input: () =>
    z.strictObject({
      lat: latitude().describe("Latitude of the point in degrees, north positive"),
      lon: longitude().describe("Longitude of the point in degrees, east positive"),
      radius_km: z.number().min(1).max(2000).default(200).describe("Search radius in km"),
      limit: limit(20, 100).describe("How many airports to return"),
      type: z.enum(AIRPORT_TYPES).optional().describe("Only this type. Left out: every type but closed"),
      country: z
        .string()
        .regex(/^[A-Z]{2}$/, "must be two upper-case letters, such as US")
        .optional()
        .describe("Only this country: ISO 3166 code of two upper-case letters"),
      scheduled_service: z
        .boolean()
        .optional()
        .describe("true: only airports with scheduled airline service; false: only those without"),
    }),
  output: one(() => {
    const { shape } = airportSchema();
    return z.object({
      query: z.object({
        lat: z.number(),
        lon: z.number(),
        radiusKm: z.number(),
        limit: z.number().int(),
        type: z.string().nullable(),
        country: z.string().nullable(),
        scheduledService: z.boolean().nullable(),
      }),
      count: z.number().int().describe("How many airports are listed here"),
      airports: z.array(
        z.object({
          id: shape.id,
          ident: shape.ident,
          name: shape.name,
          iataCode: shape.iataCode,
          icaoCode: shape.icaoCode,
          type: shape.type,
          latitude: shape.latitude,
          longitude: shape.longitude,
          distanceKm: z.number().describe("Great-circle distance"),
          elevationFt: shape.elevationFt,
          isoCountry: shape.isoCountry,
          isoRegion: shape.isoRegion,
          municipality: shape.municipality,
          scheduledService: shape.scheduledService,
        }),
      ),
    });
  }),
  example: { lat: 40.64, lon: -73.78, radius_km: 50, type: "large_airport" },
  async run(input, ctx) {
    const { lat, lon, radius_km: radiusKm, limit, type, country, scheduled_service: scheduledService } = input;
    const { index } = await loadAirports(ctx);
    const { nearest, total } = findNear(
      index.places,
      { latitude: lat, longitude: lon },
      {
        radiusKm,
        limit,
        accept: index.matching({ type, country, scheduledService }),
        compare: (row, other) => (index.at(row).ident < index.at(other).ident ? -1 : 1),
      },
    );
    const airports = nearest.map(({ row, distanceKm }) => toItem(index.at(row), distanceKm));
    const asked = { type: type ?? null, country: country ?? null, scheduledService: scheduledService ?? null };
    return {
      item: { query: { lat, lon, radiusKm, limit, ...asked }, count: airports.length, airports },
      meta: { matched: total },
    };
  },
  warmUp: loadAirports,
});

function toItem(airport: Airport, distanceKm: number) {
  return {
    id: airport.id,
    ident: airport.ident,
    name: airport.name,
    iataCode: airport.iataCode,
    icaoCode: airport.icaoCode,
    type: airport.type,
    latitude: airport.latitude,
    longitude: airport.longitude,
    distanceKm: Math.round(distanceKm * 100) / 100,
    elevationFt: airport.elevationFt,
    isoCountry: airport.isoCountry,
    isoRegion: airport.isoRegion,
    municipality: airport.municipality,
    scheduledService: airport.scheduledService,
  };
}
