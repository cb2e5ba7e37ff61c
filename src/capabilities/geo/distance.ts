import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { latitude } from "../../capability/fields.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { anyLongitude, place, pointOf } from "./_place.js";

const number = () => z.number().nullable();

export const geoDistance = /* @__PURE__ */ defineCapability({
  id: "geo.distance",
  summary:
    "Distance, bearings and midpoint between two points on the WGS 84 ellipsoid; or area, perimeter and inside of a polygon.",
  keywords: [
    "geodesic",
    "great circle",
    "haversine",
    "vincenty",
    "bearing",
    "azimuth",
    "heading",
    "how far",
    "midpoint",
    "polygon area",
    "perimeter",
    "point in polygon",
    "geofence",
  ],
  price: "0.001",
  method: "POST",
  packages: ["geographiclib-geodesic"],
  offline: true,
  source: {
    provider: "built-in (geographiclib-geodesic)",
    url: "https://geographiclib.sourceforge.io",
    license: "MIT",
  },
  input: () =>
    z.strictObject({
      from: place("Where the way begins").optional(),
      to: place("Where it ends").optional(),
      polygon: z
        .array(z.tuple([anyLongitude().describe("Longitude"), latitude().describe("Latitude")]))
        .min(3)
        .max(10_000)
        .optional()
        .describe("Instead of from and to: 3 to 10,000 corners [longitude, latitude] in order, as in GeoJSON"),
      point: place("For `inside`, with a polygon").optional(),
    }),
  output: one(() =>
    z.object({
      meters: number().describe("Of the shortest way, right to a micrometre"),
      initialBearing: number().describe("Degrees clockwise from north at the beginning, 0 up to 360"),
      finalBearing: number().describe("Direction in which the way arrives"),
      midpoint: z.object({ latitude: z.number(), longitude: z.number() }).nullable(),
      areaSquareMeters: number().describe("Of the smaller side of the polygon, whose edges are shortest ways"),
      perimeterMeters: number(),
      selfCrossing: z
        .boolean()
        .nullable()
        .describe("Whether edges of the polygon cross or touch one another; null for a way, and where it was not told"),
      notes: z.array(z.string()).describe("What to know of the area"),
      inside: z.boolean().nullable().describe("Whether the point lies in the polygon or on its edge"),
    }),
  ),
  example: { from: [13.3777, 52.5163], to: [2.2945, 48.8582] },
  check({ from, to, polygon, point }) {
    if (polygon) {
      if (from !== undefined) throw invalid("from", "must be left out when a polygon is given");
      if (to !== undefined) throw invalid("to", "must be left out when a polygon is given");
      return;
    }
    if (from === undefined && to === undefined)
      throw invalid("from", "is needed with to, or a polygon instead of both");
    if (from === undefined) throw invalid("from", "is needed: where does the way begin?");
    if (to === undefined) throw invalid("to", "is needed: where does the way end?");
    if (point !== undefined) throw invalid("point", "needs a polygon in which it may lie");
  },
  async read({ from, to, polygon, point }) {
    if (from !== undefined && to !== undefined)
      return { line: { from: await pointOf("from", from), to: await pointOf("to", to) } };
    const corners = (polygon ?? []).map(([longitude, latitude]) => ({ longitude, latitude }));
    const [first, last] = [corners[0], corners.at(-1)];
    // GeoJSON repeats the first corner at the end.
    const isClosed = first?.latitude === last?.latitude && first?.longitude === last?.longitude;
    const open = isClosed ? corners.slice(0, -1) : corners;
    if (open.length < 3)
      throw invalid("polygon", "must have three corners or more, not counting the one that closes it");
    return { corners: open, point: point === undefined ? undefined : await pointOf("point", point) };
  },
  async run({ line, corners = [], point }, ctx) {
    const { lineBetween, GEODESICS } = await engine();
    if (line) {
      const found = await lineBetween(line.from, line.to);
      const item = { ...found, ...NO_POLYGON };
      return { item, meta: method(GEODESICS) };
    }
    const { runInWorker } = await workers();
    const options = { field: "polygon", isSmall: corners.length <= SMALL };
    const area = await runInWorker(ctx, "geo.area", { corners, point }, options);
    const item = { meters: null, initialBearing: null, finalBearing: null, midpoint: null, ...area };
    return { item, meta: method(GEODESICS) };
  },
});

const workers = /* @__PURE__ */ lazy(() => import("../../engines/worker-tasks/pool.js"));
/** A polygon of more corners is measured in a thread. */
const SMALL = 150;

const NO_POLYGON = { areaSquareMeters: null, perimeterMeters: null, inside: null, selfCrossing: null, notes: [] };

const engine = /* @__PURE__ */ lazy(() => import("../../engines/coordinates/geodesic.js"));
