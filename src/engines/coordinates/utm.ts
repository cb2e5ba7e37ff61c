/** Universal Transverse Mercator on WGS 84, by Krüger's series to the sixth order: right to nanometres within a zone. */
import { type Point, wrapped } from "./point.js";

export interface Utm {
  zone: number;
  isNorth: boolean;
  /** In metres, as grids have them: the middle of a zone is 500,000, the equator 0 or (south) 10,000,000. */
  easting: number;
  northing: number;
}

const [A, F] = [6_378_137, 1 / 298.257223563];
const [SCALE, FALSE_EASTING, FALSE_NORTHING] = [0.9996, 500_000, 10_000_000];
const N = F / (2 - F);
const ECCENTRICITY = Math.sqrt(F * (2 - F));
/** Of the circle that is as long as a meridian. */
const RADIUS = (A / (1 + N)) * (1 + N ** 2 / 4 + N ** 4 / 64 + N ** 6 / 256);
/** Coefficients by powers of N from the first that is not zero (Karney, 2011, equations 35 and 36). */
const series = (rows: number[][]): number[] =>
  rows.map((row, i) => row.reduceRight((sum, coefficient) => sum * N + coefficient, 0) * N ** (i + 1));
const ALPHA = series([
  [1 / 2, -2 / 3, 5 / 16, 41 / 180, -127 / 288, 7891 / 37800],
  [13 / 48, -3 / 5, 557 / 1440, 281 / 630, -1983433 / 1935360],
  [61 / 240, -103 / 140, 15061 / 26880, 167603 / 181440],
  [49561 / 161280, -179 / 168, 6601661 / 7257600],
  [34729 / 80640, -3418889 / 1995840],
  [212378941 / 319334400],
]);
const BETA = series([
  [1 / 2, -2 / 3, 37 / 96, -1 / 360, -81 / 512, 96199 / 604800],
  [1 / 48, 1 / 15, -437 / 1440, 46 / 105, -1118711 / 3870720],
  [17 / 480, -37 / 840, -209 / 4480, 5569 / 90720],
  [4397 / 161280, -11 / 504, -830251 / 7257600],
  [4583 / 161280, -108847 / 3991680],
  [20648693 / 638668800],
]);

const RADIANS = Math.PI / 180;

/** The zone of a point, with the exceptions of Norway and Svalbard. */
export function zoneOf({ latitude, longitude }: Point): number {
  const east = wrapped(longitude);
  if (latitude >= 56 && latitude < 64 && east >= 3 && east < 12) return 32;
  if (latitude >= 72 && latitude <= 84 && east >= 0 && east < 42) return 31 + 2 * Math.floor((east + 3) / 12);
  return Math.floor((east + 180) / 6) + 1;
}

const meridianOf = (zone: number): number => 6 * zone - 183;

/** Whether UTM is used there; beyond are the grids of the poles. */
export const hasUtm = (latitude: number): boolean => latitude >= -80 && latitude <= 84;

export function toUtm(point: Point, zone = zoneOf(point), isNorth = point.latitude >= 0): Utm {
  const lambda = wrapped(point.longitude - meridianOf(zone)) * RADIANS;
  const tau = Math.tan(point.latitude * RADIANS);
  const conformal = conformalOf(tau);
  const xi0 = Math.atan2(conformal, Math.cos(lambda));
  const eta0 = Math.asinh(Math.sin(lambda) / Math.hypot(conformal, Math.cos(lambda)));
  let [xi, eta] = [xi0, eta0];
  for (const [i, alpha] of ALPHA.entries()) {
    const order = 2 * (i + 1);
    xi += alpha * Math.sin(order * xi0) * Math.cosh(order * eta0);
    eta += alpha * Math.cos(order * xi0) * Math.sinh(order * eta0);
  }
  const northing = SCALE * RADIUS * xi;
  return {
    ...{ zone, isNorth },
    easting: FALSE_EASTING + SCALE * RADIUS * eta,
    northing: isNorth ? northing : northing + FALSE_NORTHING,
  };
}

export function fromUtm({ zone, isNorth, easting, northing }: Utm): Point {
  const eta = (easting - FALSE_EASTING) / (SCALE * RADIUS);
  const xi = (isNorth ? northing : northing - FALSE_NORTHING) / (SCALE * RADIUS);
  let [xi0, eta0] = [xi, eta];
  for (const [i, beta] of BETA.entries()) {
    const order = 2 * (i + 1);
    xi0 -= beta * Math.sin(order * xi) * Math.cosh(order * eta);
    eta0 -= beta * Math.cos(order * xi) * Math.sinh(order * eta);
  }
  const conformal = Math.sin(xi0) / Math.hypot(Math.sinh(eta0), Math.cos(xi0));
  const lambda = Math.atan2(Math.sinh(eta0), Math.cos(xi0));
  return {
    latitude: Math.atan(latitudeTangent(conformal)) / RADIANS,
    longitude: wrapped(meridianOf(zone) + lambda / RADIANS),
  };
}

/** The tangent of the conformal latitude, from that of the latitude. */
function conformalOf(tau: number): number {
  const secant = Math.hypot(1, tau);
  const sigma = Math.sinh(ECCENTRICITY * Math.atanh((ECCENTRICITY * tau) / secant));
  return tau * Math.hypot(1, sigma) - sigma * secant;
}

/** And back, by Newton's method: three rounds reach the last digit. */
function latitudeTangent(conformal: number): number {
  const rest = 1 - ECCENTRICITY ** 2;
  let tau = conformal / rest;
  for (let i = 0; i < 5; i++) {
    const found = conformalOf(tau);
    const slope = (1 + rest * tau * tau) / (rest * Math.hypot(1, found) * Math.hypot(1, tau));
    tau += (conformal - found) * slope;
  }
  return tau;
}
