/**
 * Checks that a camera can read a code: contrast, dark on light if the reader requires it, and modules large enough.
 */
import { invalid } from "../../errors.js";
import type { Color } from "../colors/color.js";
import type { Style } from "./style.js";
import type { SymbolFormat } from "./symbol.js";

const MIN_CONTRAST = 3;
const WHITE: Color = { r: 255, g: 255, b: 255, a: 1 };

/** Refuses colours that readers cannot distinguish. Transparent parts count as white paper. */
export function assertContrast({ foreground, background }: Style, format: SymbolFormat): void {
  const paper = over(background, WHITE);
  const inks = "stops" in foreground ? foreground.stops.map(({ color }) => color) : [foreground];
  const light = inks.map((ink) => luminance(over(ink, paper)));
  const ground = luminance(paper);
  const on = background.a < 1 ? "what is seen through the transparent background, taken as white" : "the background";
  for (const [index, ink] of light.entries()) {
    const ratio = contrast(ink, ground);
    if (ratio >= MIN_CONTRAST) continue;
    const field = "stops" in foreground ? `style.foreground.stops.${index}.color` : "style.foreground";
    throw invalid(
      field,
      `has a contrast of ${ratio.toFixed(1)}:1 to ${on}; readers need ${MIN_CONTRAST}:1, which ${hint(ground)} has`,
    );
  }
  const darker = light.filter((ink) => ink < ground).length;
  if (darker > 0 && darker < light.length)
    throw invalid("style.foreground", "must be darker than the background in all its colours, or lighter in all");
  if (format === "pdf417" && darker === 0)
    throw invalid(
      "style.foreground",
      "must be darker than the background: readers do not find light PDF417 on dark; swap the two colours",
    );
}

const hint = (ground: number) =>
  contrast(0, ground) >= contrast(1, ground) ? "a darker colour such as #000000" : "a lighter colour such as #ffffff";

/** Minimum pixels along a module's side; more for shapes with gaps. */
const MIN_MODULE_PX: Record<Style["modules"] | SymbolFormat, number> = {
  square: 2,
  rounded: 2,
  dots: 3,
  qr: 2,
  aztec: 3,
  datamatrix: 2,
  pdf417: 2,
};

interface Scale {
  format: SymbolFormat;
  /** Without the quiet zone. */
  columns: number;
  size: number;
  margin: number;
  modules: Style["modules"];
}

/** Refuses a code whose modules are too small to be read. */
export function assertModuleSize({ format, columns, size, margin, modules }: Scale): void {
  const least = Math.max(MIN_MODULE_PX[format], format === "qr" ? MIN_MODULE_PX[modules] : 0);
  const across = columns + 2 * margin;
  const needed = across * least;
  if (size >= needed) return;
  const ways = needed > 4096 ? "shorten the data" : `use a size of at least ${needed}, less margin or shorter data`;
  throw invalid(
    "size",
    `leaves ${(size / across).toFixed(1)} px for each of ${across} modules, quiet zone included; ${least} are needed: ${ways}`,
  );
}

/** A colour on top of another. */
function over({ r, g, b, a }: Color, ground: Color): Color {
  const mix = (top: number, below: number) => top * a + below * (1 - a);
  return { r: mix(r, ground.r), g: mix(g, ground.g), b: mix(b, ground.b), a: 1 };
}

/** WCAG 2.2: relative luminance and contrast ratio. */
function luminance({ r, g, b }: Color): number {
  const linear = (byte: number) => {
    const share = byte / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

function contrast(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}
