/** A time series as a line. */
import { h, put, svg } from "../shared/dom.js";
import { compact, ticks } from "./plot.js";
import type { Series } from "./shapes.js";

const WIDTH = 640;
const HEIGHT = 320;
const LEFT = 58;
const BOTTOM = 30;

export function chartOf(series: Series[]): HTMLElement {
  const picture = h("div");
  const draw = (name: string) => {
    const chosen = series.find(({ value }) => value === name) ?? series[0];
    if (chosen) put(picture, line(chosen));
  };
  const choice = h(
    "select",
    { id: "series", onchange: (event: Event) => draw((event.target as HTMLSelectElement).value) },
    series.map(({ value }) => h("option", {}, value)),
  );
  draw("");
  return h("figure", { class: "plot" }, h("p", {}, h("label", { for: "series" }, "Show "), choice), picture);
}

function line({ points, time, value }: Series): Node {
  const times = points.map(({ at }) => at);
  const values = points.map((point) => point.value);
  const [from, to] = [Math.min(...times), Math.max(...times)];
  const [low, high] = padded(Math.min(...values), Math.max(...values));
  const x = (at: number) => LEFT + ((at - from) / (to - from || 1)) * (WIDTH - LEFT - 12);
  const y = (at: number) => HEIGHT - BOTTOM - ((at - low) / (high - low)) * (HEIGHT - BOTTOM - 14);
  const label = `${value} by ${time}, ${points.length} points from ${dayOf(from)} to ${dayOf(to)}: lowest ${compact(Math.min(...values))}, highest ${compact(Math.max(...values))}. The table lists them.`;
  return svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label },
    ticks(low, high).map((at) => [
      svg("line", { class: "grid", x1: LEFT, x2: WIDTH, y1: y(at), y2: y(at) }),
      svg("text", { class: "axis", x: LEFT - 6, y: y(at) + 4, "text-anchor": "end" }, compact(at)),
    ]),
    [from, (from + to) / 2, to].map((at, i) =>
      svg("text", { class: "axis", x: x(at), y: HEIGHT - 8, "text-anchor": ["start", "middle", "end"][i] }, dayOf(at)),
    ),
    svg("polyline", { class: "line", points: points.map((point) => `${x(point.at)},${y(point.value)}`).join(" ") }),
    points.length <= 120 &&
      points.map((point) =>
        svg(
          "circle",
          { class: "point", cx: x(point.at), cy: y(point.value), r: 3 },
          svg("title", {}, `${dayOf(point.at)}: ${point.value}`),
        ),
      ),
  );
}

function padded(low: number, high: number): [number, number] {
  const room = (high - low || Math.abs(high) || 1) * 0.06;
  return [low >= 0 && low < (high - low) * 0.5 ? 0 : low - room, high + room];
}

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
