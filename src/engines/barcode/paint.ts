/** Colours and gradients as SVG attributes. */
import { createHash } from "node:crypto";
import { type Color, formatColor } from "../colors/color.js";
import type { Gradient } from "./style.js";

/** A rectangle in modules. */
export interface PaintBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Ink {
  /** Empty for a plain colour. */
  definition: string;
  paint(property: "fill" | "stroke"): string;
}

/** Colour of the modules: a plain colour, or a gradient over the whole code with its definition. */
export function inkOf(foreground: Color | Gradient, code: PaintBox): Ink {
  if (!("stops" in foreground)) return { definition: "", paint: (property) => paint(property, foreground) };
  const stops = [...foreground.stops]
    .sort((a, b) => a.offset - b.offset)
    .map(({ offset, color }) => `<stop offset="${short(offset)}" ${paint("stop-color", color)}/>`);
  const body = `gradientUnits="userSpaceOnUse" ${gradientLine(foreground, code)}>${stops.join("")}`;
  const id = idFor(body);
  return {
    definition: `<${foreground.type}Gradient id="${id}" ${body}</${foreground.type}Gradient>`,
    paint: (property) => `${property}="url(#${id})"`,
  };
}

/** The line of a gradient, whose ends meet the code's outline. */
function gradientLine({ type, rotation }: Gradient, { x, y, width, height }: PaintBox): string {
  const [centreX, centreY] = [x + width / 2, y + height / 2];
  if (type === "radial") return `cx="${centreX}" cy="${centreY}" r="${Math.max(width, height) / 2}"`;
  const angle = ((rotation % 360) * Math.PI) / 180;
  const reach = (Math.abs(width * Math.cos(angle)) + Math.abs(height * Math.sin(angle))) / 2;
  const [dx, dy] = [reach * Math.cos(angle), reach * Math.sin(angle)];
  return `x1="${short(centreX - dx)}" y1="${short(centreY - dy)}" x2="${short(centreX + dx)}" y2="${short(centreY + dy)}"`;
}

/** Opacity is a separate attribute, since SVG 1.1 has no rgba(). */
export function paint(property: "fill" | "stroke" | "stop-color", color: Color): string {
  const opaque = `${property}="${formatColor({ ...color, a: 1 })}"`;
  return color.a < 1 ? `${opaque} ${property.replace("-color", "")}-opacity="${color.a}"` : opaque;
}

/** An id derived from its content, because several codes may be in one HTML page. */
export function idFor(definition: string): string {
  return `c${createHash("sha256").update(definition).digest("hex").slice(0, 10)}`;
}

/** A coordinate with sufficient precision for any size. */
export function short(value: number): number {
  return Math.round(value * 1000) / 1000;
}
