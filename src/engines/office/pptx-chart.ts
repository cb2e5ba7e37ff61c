/** Charts (ECMA-376, part 1, DrawingML charts): the figures that they are drawn of, as a table. */
import type { XmlElement } from "../../lib/xml/parse.js";
import { attribute, charactersIn, childAt, childrenNamed, descendants } from "../xml/parts.js";
import { type Block, heading, textNode, textTable } from "./document.js";

const MAX_POINTS = 1_000;

export function chartTable(root: XmlElement | undefined): Block[] {
  const chart = childAt(root, "chart");
  const title = [...descendants(childAt(chart, "title"), "t")].map(charactersIn).join("");
  const series = [...descendants(childAt(chart, "plotArea"), "ser")];
  const names = series.map((one) => pointsOf(childAt(one, "tx"))[0] ?? "");
  const [categories = []] = series.map((one) => pointsOf(childAt(one, "cat") ?? childAt(one, "xVal")));
  const values = series.map((one) => pointsOf(childAt(one, "val") ?? childAt(one, "yVal")));
  const count = Math.max(categories.length, ...values.map((one) => one.length));
  const rows = Array.from({ length: Number.isFinite(count) ? count : 0 }, (_, i) => [
    categories[i] ?? "",
    ...values.map((one) => one[i] ?? ""),
  ]);
  return [
    ...(title ? [heading(3, [textNode(title)])] : []),
    ...(rows.length > 0 ? [textTable([["", ...names], ...rows])] : []),
  ];
}

/** The points that the chart remembers of its workbook. */
function pointsOf(part: XmlElement | undefined): string[] {
  const points: string[] = [];
  for (const point of descendants(part, "pt")) {
    const at = Number(attribute(point, "idx"));
    const [value] = childrenNamed(point, "v");
    if (Number.isInteger(at) && at >= 0 && at < MAX_POINTS) points[at] = charactersIn(value);
  }
  return Array.from(points, (point) => point ?? "");
}
