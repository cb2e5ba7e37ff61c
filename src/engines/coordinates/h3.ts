/** Cells of Uber's H3, a grid of hexagons. */
import { lazy } from "../../lib/lazy.js";
import { named } from "../../lib/packages/named.js";
import { type Bounds, centreOf, type Located, type Point } from "./point.js";

const library = /* @__PURE__ */ lazy(() => import("h3-js").then(named));

/** The cell of a point, as 15 hexadecimal digits; resolutions go from 0 (1,100 km) to 15 (half a metre). */
export const toH3 = async ({ latitude, longitude }: Point, resolution: number): Promise<string> =>
  (await library()).latLngToCell(latitude, longitude, resolution);

/** Whether a text in lower case is written like a cell. */
export const looksLikeH3 = (text: string): boolean => /^0?8[0-9a-f]{14}$/.test(text);

export interface H3Cell extends Located {
  bounds: Bounds;
  resolution: number;
}

/** The centre of a cell; undefined for digits that are none. */
export async function fromH3(cell: string): Promise<H3Cell | undefined> {
  const { isValidCell, cellToLatLng, cellToBoundary, getResolution } = await library();
  if (!isValidCell(cell)) return undefined;
  const [latitude, longitude] = cellToLatLng(cell);
  const corners = cellToBoundary(cell);
  // Corners on both sides of the antimeridian are counted on from the centre.
  const turned = corners.map(([, east]) => east + 360 * Math.round((longitude - east) / 360));
  const bounds = {
    south: Math.min(...corners.map(([north]) => north)),
    west: Math.min(...turned),
    north: Math.max(...corners.map(([north]) => north)),
    east: Math.max(...turned),
  };
  return { ...centreOf(bounds), latitude, longitude, bounds, resolution: getResolution(cell) };
}
