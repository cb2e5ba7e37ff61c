import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { latitude, limit, longitude } from "../../capability/fields.js";
import { rows } from "../../capability/output.js";
import { findNear } from "../../engines/places/nearest.js";
import { ncei } from "../../providers/ncei/provider.js";
import { stationSchema } from "../../providers/ncei/station-line.js";
import { loadStations } from "../../providers/ncei/stations.js";

export const climateStationNear = /* @__PURE__ */ defineCapability({
  id: "climate.station-near",
  summary: "Weather stations with daily climate records (GHCN-Daily) around a point, nearest first.",
  keywords: [
    "closest place",
    "closest station",
    "weather station",
    "nearest",
    "ghcn",
    "noaa",
    "meteorological",
    "rain gauge",
    "radius",
    "station id",
    "wmo",
  ],
  price: "0.001",
  provider: ncei,
  // The first call may have to download the list.
  timeoutMs: 60_000,
  input: () =>
    z.strictObject({
      lat: latitude().describe("Latitude of the point in degrees, north positive"),
      lon: longitude().describe("Longitude of the point in degrees, east positive"),
      radius_km: z.number().min(1).max(5000).default(500).describe("Search radius in km"),
      limit: limit(100, 100).describe("How many stations to return"),
    }),
  output: rows(() => stationSchema().extend({ distanceKm: z.number().describe("Great-circle distance") })),
  example: { lat: 25.2, lon: 55.3, radius_km: 100 },
  async run({ lat, lon, radius_km: radiusKm, limit }, ctx) {
    const { index } = await loadStations(ctx);
    const { nearest, total } = findNear(
      index.places,
      { latitude: lat, longitude: lon },
      { radiusKm, limit, compare: (row, other) => (index.at(row).id < index.at(other).id ? -1 : 1) },
    );
    const items = nearest.map(({ row, distanceKm }) => ({
      ...index.at(row),
      distanceKm: Math.round(distanceKm * 100) / 100,
    }));
    return { items, total, meta: { query: { lat, lon, radiusKm, limit }, count: items.length } };
  },
  warmUp: loadStations,
});
