/** Distances, directions and areas on the ellipsoid WGS 84, by Karney's geodesics. */
import { without } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { named } from "../../lib/packages/named.js";
import { type Crossing, crossingOf } from "./crossing.js";
import { type Point, wrapped } from "./point.js";

export const GEODESICS = { engine: "geographiclib-geodesic", version: "2.2.0" };

const library = /* @__PURE__ */ lazy(() =>
  import("geographiclib-geodesic").catch(without("geographiclib-geodesic")).then(named),
);

export interface GeodesicLine {
  meters: number;
  /** Clockwise from north, 0 up to 360. */
  initialBearing: number;
  finalBearing: number;
  midpoint: Point;
}

const bearing = (degrees: number): number => (degrees < 0 ? degrees + 360 : degrees);

/** The shortest way between two points. */
export async function lineBetween(from: Point, to: Point): Promise<GeodesicLine> {
  const { Geodesic } = await library();
  const line = Geodesic.WGS84.InverseLine(from.latitude, from.longitude, to.latitude, to.longitude);
  const {
    s12 = 0,
    azi1 = 0,
    azi2 = 0,
  } = Geodesic.WGS84.Inverse(...([from.latitude, from.longitude, to.latitude, to.longitude] as const));
  const { lat2 = 0, lon2 = 0 } = line.Position(s12 / 2);
  return {
    meters: s12,
    initialBearing: bearing(azi1),
    finalBearing: bearing(azi2),
    midpoint: { latitude: lat2, longitude: wrapped(lon2) },
  };
}

export interface Area extends Crossing {
  areaSquareMeters: number;
  perimeterMeters: number;
  inside: boolean | null;
}

/** Nearer than this to a corner, in metres, or to an edge, in degrees of direction, a point counts as inside. */
const [AT_CORNER, AT_EDGE] = [1e-6, 1e-9];

/** Area of a polygon of geodesics, the smaller side of it; and whether a point lies there, if one is given. */
export async function areaOf(corners: readonly Point[], point?: Point): Promise<Area> {
  const { Geodesic } = await library();
  const polygon = Geodesic.WGS84.Polygon(false);
  for (const { latitude, longitude } of corners) polygon.AddPoint(latitude, longitude);
  const { area = 0, perimeter = 0 } = polygon.Compute(false, true);
  const inside = point ? isInside(corners, point, area > 0, Geodesic.WGS84) : null;
  return { areaSquareMeters: Math.abs(area), perimeterMeters: perimeter, inside, ...crossingOf(corners) };
}

/** The work of a thread: thousands of corners. */
export const areaTask = ({ corners, point }: { corners: readonly Point[]; point: Point | undefined }): Promise<Area> =>
  areaOf(corners, point);

interface Inverse {
  Inverse(lat1: number, lon1: number, lat2: number, lon2: number): { azi1?: number; s12?: number };
}

/**
 * Seen from a point inside, the corners turn once around. They also do from the point opposite on the globe, but the other
 * way round: so poles and antimeridian are nothing special.
 */
function isInside(corners: readonly Point[], point: Point, isCounterclockwise: boolean, wgs84: Inverse): boolean {
  const views = corners.map(({ latitude, longitude }) =>
    wgs84.Inverse(point.latitude, point.longitude, latitude, longitude),
  );
  let turned = 0;
  for (const [i, { azi1 = 0, s12 = 0 }] of views.entries()) {
    if (s12 < AT_CORNER) return true;
    const { azi1: next = 0 } = views[(i + 1) % views.length] ?? {};
    const turn = wrapped(next - azi1);
    // Two corners in opposite directions: the point is on the edge between them.
    if (180 - Math.abs(turn) < AT_EDGE) return true;
    turned += turn;
  }
  // Directions grow clockwise.
  return isCounterclockwise ? turned < -180 : turned > 180;
}
