/**
 * Finds points on the Earth by great-circle distance. A k-d tree keeps neighbours together; the search considers that
 * the map's edges meet at the antimeridian and at the poles.
 */
import type KDBush from "kdbush";
import { lazy } from "../../lib/lazy.js";

const tree = lazy(async () => (await import("kdbush")).default);

/** The mean radius of the IUGG. */
const EARTH_RADIUS_KM = 6371.0088;
/** Smaller distances, a millimetre, are rounding errors. */
const ROUNDING_KM = 1e-6;
const RADIANS = Math.PI / 180;

/** In degrees. */
export interface Place {
  latitude: number;
  longitude: number;
}

/** A point by its number, in the original order. */
export interface Neighbour {
  row: number;
  distanceKm: number;
}

export interface NearOptions {
  radiusKm: number;
  limit: number;
  /** Rows that it refuses are ignored. */
  accept?: (row: number) => boolean;
  /** Order of two rows at the same distance. Default: the lower row first. */
  compare?: (row: number, other: number) => number;
}

export interface Near {
  /** At most `limit`, nearest first. */
  nearest: Neighbour[];
  /** Number of points within the radius. */
  total: number;
}

/** A range of the tree's points and their bounding box. The tree splits by longitude and latitude in turn. */
interface Branch {
  first: number;
  last: number;
  splitsLongitude: boolean;
  west: number;
  south: number;
  east: number;
  north: number;
}

/** Sorts points into a tree. Latitudes are -90 to 90, longitudes -180 to 180. */
export async function indexPlaces(latitudes: Float64Array, longitudes: Float64Array): Promise<KDBush> {
  const Tree = await tree();
  const index = new Tree(latitudes.length, 16);
  for (const [row, latitude] of latitudes.entries()) index.add(longitudes[row] ?? 0, latitude);
  return index.finish();
}

/**
 * The points around a place. Searches only parts of the tree that may contain one of the nearest, or cross the circle.
 */
export function findNear(index: KDBush, place: Place, options: NearOptions): Near {
  const { radiusKm, limit, accept, compare = byRow } = options;
  const { ids, coords, nodeSize } = index;
  const nearest: Neighbour[] = [];
  let total = 0;

  const insert = (found: Neighbour) => {
    let at = nearest.length;
    for (let other = nearest[at - 1]; other && isBefore(found, other, compare); other = nearest[at - 1]) at--;
    if (at >= limit) return;
    nearest.splice(at, 0, found);
    if (nearest.length > limit) nearest.pop();
  };

  const visit = (position: number) => {
    const row = ids[position] ?? 0;
    if (accept && !accept(row)) return;
    const distanceKm = distance(place, coords[2 * position + 1] ?? 0, coords[2 * position] ?? 0);
    if (distanceKm > radiusKm) return;
    total++;
    insert({ row, distanceKm });
  };

  const count = ({ first, last }: Branch) => {
    if (!accept) return last - first + 1;
    let accepted = 0;
    for (let position = first; position <= last; position++) if (accept(ids[position] ?? 0)) accepted++;
    return accepted;
  };

  /** Whether points at this distance or farther come too late to be among the nearest. */
  const isBeyondNearest = (distanceKm: number) => {
    const worst = nearest.length < limit ? undefined : nearest[limit - 1];
    return worst !== undefined && distanceKm > worst.distanceKm;
  };

  const walk = (branch: Branch) => {
    const { first, last } = branch;
    const centreKm = distance(place, (branch.south + branch.north) / 2, (branch.west + branch.east) / 2);
    const reachKm = reachOf(branch);
    if (centreKm - reachKm > radiusKm) return;
    if (centreKm + reachKm <= radiusKm && isBeyondNearest(centreKm - reachKm)) total += count(branch);
    else if (last - first > nodeSize) walkHalves(branch);
    else for (let position = first; position <= last; position++) visit(position);
  };

  const walkHalves = (branch: Branch) => {
    const middle = (branch.first + branch.last) >> 1;
    visit(middle);
    const at = coords[2 * middle + (branch.splitsLongitude ? 0 : 1)] ?? 0;
    const lower = lowerHalf(branch, middle, at);
    const upper = upperHalf(branch, middle, at);
    // The nearer half first, because its points limit the search of the other.
    const upperIsNearer = (branch.splitsLongitude ? place.longitude : place.latitude) > at;
    walk(upperIsNearer ? upper : lower);
    walk(upperIsNearer ? lower : upper);
  };

  walk({ first: 0, last: ids.length - 1, splitsLongitude: true, west: -180, south: -90, east: 180, north: 90 });
  return { nearest, total };
}

const byRow = (row: number, other: number) => row - other;

function isBefore(found: Neighbour, other: Neighbour, compare: typeof byRow): boolean {
  if (found.distanceKm !== other.distanceKm) return found.distanceKm < other.distanceKm;
  return compare(found.row, other.row) < 0;
}

/** The haversine formula, which is also exact for close points. */
function distance(place: Place, latitude: number, longitude: number): number {
  const northing = Math.sin(((latitude - place.latitude) * RADIANS) / 2);
  const easting = Math.sin(((longitude - place.longitude) * RADIANS) / 2);
  const shrunk = Math.cos(latitude * RADIANS) * Math.cos(place.latitude * RADIANS);
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(northing * northing + shrunk * easting * easting)));
}

/**
 * Upper bound of the distance between the box's centre and a point of the box: half the height along the meridian plus
 * half the width along the widest parallel.
 */
function reachOf({ west, south, east, north }: Branch): number {
  const widest = south <= 0 && north >= 0 ? 0 : Math.min(Math.abs(south), Math.abs(north));
  const degrees = (north - south) / 2 + ((east - west) / 2) * Math.cos(widest * RADIANS);
  return degrees * RADIANS * EARTH_RADIUS_KM + ROUNDING_KM;
}

function lowerHalf({ first, splitsLongitude, west, south, east, north }: Branch, middle: number, at: number): Branch {
  const last = middle - 1;
  return splitsLongitude
    ? { first, last, splitsLongitude: false, west, south, east: at, north }
    : { first, last, splitsLongitude: true, west, south, east, north: at };
}

function upperHalf({ last, splitsLongitude, west, south, east, north }: Branch, middle: number, at: number): Branch {
  const first = middle + 1;
  return splitsLongitude
    ? { first, last, splitsLongitude: false, west: at, south, east, north }
    : { first, last, splitsLongitude: true, west, south: at, east, north };
}
