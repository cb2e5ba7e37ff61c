/** Whether a reader sees an element, and the text in it, by what its styles say. */
import type { Element } from "hast";
import { type Color, parseColor } from "../../colors/color.js";
import type { Declarations } from "./styles.js";

/** Properties that elements take over from those around them. */
export interface Inherited {
  isVisible: boolean;
  /** Pixels. */
  size: number;
  /** Undefined where it cannot be told. */
  color: Color | undefined;
  background: Color | undefined;
}

const rgb = (r: number, g: number, b: number): Color => ({ r, g, b, a: 1 }) as Color;

export const PAGE: Inherited = { isVisible: true, size: 16, color: rgb(0, 0, 0), background: rgb(255, 255, 255) };

const ALWAYS_HIDDEN = new Set(["template", "noscript"]);
/** Nobody reads farther out than this, in pixels. */
const OUTSIDE = -500;

/** Whether neither an element nor anything in it is shown. */
export function isGone({ tagName, properties }: Element, style: Declarations): boolean {
  if (ALWAYS_HIDDEN.has(tagName) || String(properties.ariaHidden) === "true") return true;
  if (tagName === "dialog" && properties.open === undefined) return true;
  const display = style.get("display");
  const isClosed = properties.hidden !== undefined || properties.popover !== undefined;
  if (display === "none" || (isClosed && display === undefined)) return true;
  return INVISIBLE.some((is) => is(style));
}

const value = (style: Declarations, name: string): string => style.get(name) ?? "";
const isNought = (text: string, most = 0.05): boolean =>
  /^\s*[\d.]+%?\s*$/.test(text) && Number.parseFloat(text) / (text.includes("%") ? 100 : 1) <= most;

const INVISIBLE: ((style: Declarations) => boolean)[] = [
  (style) => isNought(value(style, "opacity")),
  (style) => isNought(value(style, "zoom")),
  (style) => /opacity\(\s*0*\.?0*[0-4]?%?\s*\)/.test(value(style, "filter")),
  (style) => value(style, "content-visibility") === "hidden",
  (style) => isOutside(style),
  (style) =>
    /\bscale(?:x|y|3d)?\(\s*(?:0*\.)?0+\s*[,)]/.test(value(style, "transform")) || isNought(value(style, "scale"), 0),
  (style) => translations(value(style, "transform")).some((length) => length <= OUTSIDE),
  (style) => isClipped(style),
  (style) => isFolded(style),
];

function isOutside(style: Declarations): boolean {
  const far = (name: string, least = OUTSIDE) => pixels(value(style, name)) <= least;
  if (far("text-indent") || far("margin-left", -2_000) || far("margin-top", -2_000)) return true;
  if (
    value(style, "margin")
      .split(/\s+/)
      .some((part) => pixels(part) <= -2_000)
  )
    return true;
  if (!/^(?:absolute|fixed|relative)$/.test(value(style, "position"))) return false;
  const isAbsolute = value(style, "position") !== "relative";
  const sides = ["left", "top", "right", "bottom"];
  return (
    [...sides, "inset-inline-start"].some((side) => far(side)) ||
    (isAbsolute &&
      value(style, "inset")
        .split(/\s+/)
        .some((part) => pixels(part) <= OUTSIDE)) ||
    ["left", "top"].some((side) => pixels(value(style, side)) >= 9_000)
  );
}

const translations = (transform: string): number[] =>
  [...transform.matchAll(/translate(?:x|y|3d)?\(([^()]{0,100})\)/g)].flatMap(([, list = ""]) =>
    list.split(",").map((part) => (part.includes("%") ? Number.NaN : pixels(part))),
  );

/** Cut to nothing, as texts for screen readers are. */
function isClipped(style: Declarations): boolean {
  const [, sides] = /^rect\(([^()]*)\)$/.exec(value(style, "clip")) ?? [];
  if (sides?.split(/[\s,]+/).every((side) => pixels(side) <= 1)) return true;
  const path = value(style, "clip-path") || value(style, "-webkit-clip-path");
  const [, inset] = /^inset\(\s*([\d.]+)%/.exec(path) ?? [];
  return (inset !== undefined && Number(inset) >= 50) || /^circle\(\s*0(?:px|%)?\s*(?:at\b[^)]*)?\)$/.test(path);
}

/** A box without room, whose content is cut off. */
function isFolded(style: Declarations): boolean {
  const overflow = `${value(style, "overflow")} ${value(style, "overflow-x")} ${value(style, "overflow-y")}`;
  if (!/hidden|clip/.test(overflow)) return false;
  return ["height", "max-height", "width", "max-width", "block-size", "inline-size"].some(
    (name) => pixels(value(style, name)) <= 1,
  );
}

const PIXELS: Record<string, number> = {
  px: 1,
  em: 16,
  rem: 16,
  ex: 8,
  ch: 8,
  pt: 4 / 3,
  vw: 12.8,
  vh: 8,
  "%": 8,
  in: 96,
  cm: 37.8,
};

/** NaN for a text that is not a length. */
function pixels(text: string): number {
  const [, amount, unit = "px"] =
    /^\s*(-?[\d.]{1,20}(?:e\d{1,2})?)(px|em|rem|ex|ch|pt|vw|vh|%|in|cm)?\s*$/.exec(text) ?? [];
  if (amount === undefined) return Number.NaN;
  return Number(amount) * (PIXELS[unit] ?? 1);
}

/** Properties that the content of an element takes over. */
export function insideOf(inherited: Inherited, element: Element, style: Declarations): Inherited {
  const background = backgroundOf(inherited.background, element, style);
  return {
    isVisible: visibilityOf(inherited.isVisible, style),
    size: sizeOf(inherited.size, style),
    color: colorOf(inherited.color, element, style),
    background: /text/.test(`${value(style, "background-clip")}${value(style, "-webkit-background-clip")}`)
      ? undefined
      : background,
  };
}

function visibilityOf(inherited: boolean, style: Declarations): boolean {
  const said = value(style, "visibility");
  return said === "visible" ? true : said === "hidden" || said === "collapse" ? false : inherited;
}

function sizeOf(inherited: number, style: Declarations): number {
  const [short] = /(?:^|\s)[\d.]+(?:px|em|rem|pt|%)?(?=\s*\/|\s)/.exec(value(style, "font")) ?? [];
  const said = (style.get("font-size") ?? short ?? "").trim();
  const [, amount, unit] = /^([\d.]{1,10})(em|%)$/.exec(said) ?? [];
  if (amount !== undefined) return (inherited * Number(amount)) / (unit === "%" ? 100 : 1);
  const length = pixels(said);
  if (!Number.isNaN(length)) return length;
  // Sizes by name, and those that are calculated, can be read.
  return said === "" || said === "inherit" ? inherited : 16;
}

const KEPT = /^(?:inherit|unset|currentcolor|initial|revert|)$/;

function colorOf(
  inherited: Color | undefined,
  { tagName, properties }: Element,
  style: Declarations,
): Color | undefined {
  const fill = value(style, "-webkit-text-fill-color");
  const said = KEPT.test(fill) ? value(style, "color") : fill;
  if (!KEPT.test(said)) return parseColor(said);
  const attribute = tagName === "font" ? properties.color : tagName === "body" ? properties.text : undefined;
  if (attribute !== undefined) return parseColor(String(attribute));
  return tagName === "a" && properties.href !== undefined ? rgb(0, 0, 238) : inherited;
}

function backgroundOf(inherited: Color | undefined, { properties }: Element, style: Declarations): Color | undefined {
  const image = `${value(style, "background-image")} ${value(style, "background")}`;
  if (/url\(|gradient|image-set|element\(/.test(image) || properties.background !== undefined) return undefined;
  const words = value(style, "background").match(/[a-z-]+\([^()]*\)|[^\s]+/g) ?? [];
  const shorthand = words.map((word) => parseColor(word)).find((color) => color !== undefined);
  const attribute = properties.bgColor ?? properties.bgcolor;
  const said = style.get("background-color");
  const color =
    said !== undefined && !KEPT.test(said)
      ? parseColor(said)
      : (shorthand ?? (attribute === undefined ? undefined : parseColor(String(attribute))));
  if (said?.startsWith("var(") || /var\(/.test(image)) return undefined;
  return color === undefined || color.a < 0.5 ? inherited : color;
}

/** Least ratio of contrast at which an eye finds a text; normal text has 4.5. */
const LEAST_CONTRAST = 1.08;
const LEAST_SIZE = 1;

/** Whether text is seen that stands directly in an element. */
export function isTextShown({ isVisible, size, color, background }: Inherited): boolean {
  if (!isVisible || size <= LEAST_SIZE) return false;
  if (!background || !color) return true;
  return color.a > 0.05 && contrastOf(color, background) >= LEAST_CONTRAST;
}

function contrastOf(a: Color, b: Color): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance({ r, g, b }: Color): number {
  const [red, green, blue] = [r, g, b].map((part) => {
    const share = part / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
