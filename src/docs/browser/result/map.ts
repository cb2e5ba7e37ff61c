/** Places on a plain map: a grid with coordinates and a scale, without tiles of a map service. */
import { h, svg } from "../shared/dom.js";
import { ticks } from "./plot.js";
import type { Place } from "./shapes.js";

const WIDTH = 640;
const HEIGHT = 420;
const MARGIN = 44;
const KM_PER_DEGREE = 111.32;
const LABELS = 25;

/** `from` is the point of the request. */
export function mapOf(places: Place[], from?: Place): HTMLElement {
  const all = from ? [...places, from] : places;
  const lat = range(all.map((place) => place.lat));
  const lon = range(all.map((place) => place.lon));
  // Meridians converge away from the equator.
  const squeeze = Math.max(Math.cos((lat.middle * Math.PI) / 180), 0.05);
  const perDegree = Math.min(
    (WIDTH - 2 * MARGIN) / (Math.max(lon.size, 0.02) * squeeze * 1.15),
    (HEIGHT - 2 * MARGIN) / (Math.max(lat.size, 0.02) * 1.15),
  );
  const x = (degrees: number) => WIDTH / 2 + (degrees - lon.middle) * squeeze * perDegree;
  const y = (degrees: number) => HEIGHT / 2 - (degrees - lat.middle) * perDegree;
  const half = { lon: WIDTH / 2 / (squeeze * perDegree), lat: HEIGHT / 2 / perDegree };
  const inner = (at: number, end: number) => at > 8 && at < end - 8;

  const meridians = ticks(lon.middle - half.lon, lon.middle + half.lon).filter((at) => inner(x(at), WIDTH));
  const parallels = ticks(lat.middle - half.lat, lat.middle + half.lat).filter((at) => inner(y(at), HEIGHT));
  const scale = scaleBar(perDegree);
  const summary = `Map of ${places.length} places, from ${degrees(lat.min, "N", "S")} ${degrees(lon.min, "E", "W")} to ${degrees(lat.max, "N", "S")} ${degrees(lon.max, "E", "W")}. The table lists them.`;
  return h(
    "figure",
    { class: "plot" },
    svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": summary },
      meridians.map((at) => [
        svg("line", { class: "grid", x1: x(at), x2: x(at), y1: 0, y2: HEIGHT }),
        svg("text", { class: "axis", x: x(at) + 3, y: HEIGHT - 6 }, degrees(at, "E", "W")),
      ]),
      parallels.map((at) => [
        svg("line", { class: "grid", x1: 0, x2: WIDTH, y1: y(at), y2: y(at) }),
        svg("text", { class: "axis", x: 4, y: y(at) - 3 }, degrees(at, "N", "S")),
      ]),
      places.map(({ lat, lon, name }) =>
        svg("circle", { class: "place", cx: x(lon), cy: y(lat), r: 5 }, svg("title", {}, name)),
      ),
      labelled(places, x, y).map(({ at, name }) => svg("text", { class: "name", x: at.x + 8, y: at.y + 4 }, name)),
      from &&
        svg(
          "path",
          { class: "from", d: `M${x(from.lon) - 8} ${y(from.lat)}h16m-8 -8v16` },
          svg("title", {}, "the point asked about"),
        ),
      svg("path", { class: "scale", d: `M${WIDTH - 20 - scale.width} ${HEIGHT - 34}v6h${scale.width}v-6` }),
      svg(
        "text",
        { class: "axis", x: WIDTH - 20 - scale.width / 2, y: HEIGHT - 36, "text-anchor": "middle" },
        scale.text,
      ),
    ),
    h(
      "figcaption",
      {},
      `${places.length} ${places.length === 1 ? "place" : "places"}${from ? "; the cross is the point asked about" : ""}.`,
    ),
  );
}

/** The names that have room. */
function labelled(places: Place[], x: (lon: number) => number, y: (lat: number) => number) {
  const taken: { x: number; y: number; width: number }[] = [];
  return places.slice(0, LABELS).flatMap(({ lat, lon, name }) => {
    const short = name.length > 28 ? `${name.slice(0, 27)}…` : name;
    const at = { x: x(lon), y: y(lat), width: short.length * 6.4 + 12 };
    const free = taken.every(
      (other) => Math.abs(other.y - at.y) > 13 || other.x + other.width < at.x || at.x + at.width < other.x,
    );
    if (!free || at.x + at.width > WIDTH) return [];
    taken.push(at);
    return [{ at, name: short }];
  });
}

function range(values: number[]) {
  const min = Math.min(...values);
  const max = Math.max(...values);
  return { min, max, size: max - min, middle: (min + max) / 2 };
}

function scaleBar(pixelsPerDegree: number): { width: number; text: string } {
  const pixelsPerKm = pixelsPerDegree / KM_PER_DEGREE;
  const [km = 1] = ticks(0, 140 / pixelsPerKm, 2).filter((value) => value > 0);
  return { width: km * pixelsPerKm, text: km >= 1 ? `${km} km` : `${Math.round(km * 1000)} m` };
}

const degrees = (value: number, positive: string, negative: string) =>
  `${Number(Math.abs(value).toFixed(3))}° ${value < 0 ? negative : positive}`;
