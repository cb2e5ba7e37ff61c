/** Types that all notations of coordinates share. */

/** Degrees north and east. */
export interface Point {
  latitude: number;
  longitude: number;
}

export interface Bounds {
  south: number;
  west: number;
  north: number;
  east: number;
}

/** A point as it was read, and the cell that the notation names. */
export interface Located extends Point {
  /** Null for notations of a point. */
  bounds: Bounds | null;
}

/** From -180 up to 180, itself not included. Turned to a tenth of a micrometre, so that decimals stay what they were. */
export function wrapped(longitude: number): number {
  if (longitude >= -180 && longitude < 180) return longitude;
  const turned = ((((longitude + 180) % 360) + 360) % 360) - 180;
  return Number(turned.toFixed(12));
}

export const centreOf = (bounds: Bounds): Located => ({
  latitude: (bounds.south + bounds.north) / 2,
  longitude: wrapped((bounds.west + bounds.east) / 2),
  bounds,
});

/** Metres of a degree, near enough to say how fine a notation is. */
const METERS = 111_320;

/** The longer side of a cell in metres. */
export function cellSize({ south, west, north, east }: Bounds): number {
  const nearest = south <= 0 && north >= 0 ? 0 : Math.min(Math.abs(south), Math.abs(north));
  return Math.max(north - south, (east - west) * Math.cos((nearest * Math.PI) / 180)) * METERS;
}
