/** CSS colours (CSS Color 4): hex, rgb(), hsl() and names, parsed and formatted. */

/** Red, green and blue from 0 to 255, alpha from 0 (transparent) to 1. */
export interface Color {
  r: number;
  g: number;
  b: number;
  a: number;
}

// The 148 named colours of CSS Color 4, section 6.1.
const NAMES = `
  aliceblue f0f8ff  antiquewhite faebd7  aqua 00ffff  aquamarine 7fffd4  azure f0ffff  beige f5f5dc  bisque ffe4c4
  black 000000  blanchedalmond ffebcd  blue 0000ff  blueviolet 8a2be2  brown a52a2a  burlywood deb887
  cadetblue 5f9ea0  chartreuse 7fff00  chocolate d2691e  coral ff7f50  cornflowerblue 6495ed  cornsilk fff8dc
  crimson dc143c  cyan 00ffff  darkblue 00008b  darkcyan 008b8b  darkgoldenrod b8860b  darkgray a9a9a9
  darkgreen 006400  darkgrey a9a9a9  darkkhaki bdb76b  darkmagenta 8b008b  darkolivegreen 556b2f  darkorange ff8c00
  darkorchid 9932cc  darkred 8b0000  darksalmon e9967a  darkseagreen 8fbc8f  darkslateblue 483d8b
  darkslategray 2f4f4f  darkslategrey 2f4f4f  darkturquoise 00ced1  darkviolet 9400d3  deeppink ff1493
  deepskyblue 00bfff  dimgray 696969  dimgrey 696969  dodgerblue 1e90ff  firebrick b22222  floralwhite fffaf0
  forestgreen 228b22  fuchsia ff00ff  gainsboro dcdcdc  ghostwhite f8f8ff  gold ffd700  goldenrod daa520
  gray 808080  green 008000  greenyellow adff2f  grey 808080  honeydew f0fff0  hotpink ff69b4  indianred cd5c5c
  indigo 4b0082  ivory fffff0  khaki f0e68c  lavender e6e6fa  lavenderblush fff0f5  lawngreen 7cfc00
  lemonchiffon fffacd  lightblue add8e6  lightcoral f08080  lightcyan e0ffff  lightgoldenrodyellow fafad2
  lightgray d3d3d3  lightgreen 90ee90  lightgrey d3d3d3  lightpink ffb6c1  lightsalmon ffa07a  lightseagreen 20b2aa
  lightskyblue 87cefa  lightslategray 778899  lightslategrey 778899  lightsteelblue b0c4de  lightyellow ffffe0
  lime 00ff00  limegreen 32cd32  linen faf0e6  magenta ff00ff  maroon 800000  mediumaquamarine 66cdaa
  mediumblue 0000cd  mediumorchid ba55d3  mediumpurple 9370db  mediumseagreen 3cb371  mediumslateblue 7b68ee
  mediumspringgreen 00fa9a  mediumturquoise 48d1cc  mediumvioletred c71585  midnightblue 191970  mintcream f5fffa
  mistyrose ffe4e1  moccasin ffe4b5  navajowhite ffdead  navy 000080  oldlace fdf5e6  olive 808000
  olivedrab 6b8e23  orange ffa500  orangered ff4500  orchid da70d6  palegoldenrod eee8aa  palegreen 98fb98
  paleturquoise afeeee  palevioletred db7093  papayawhip ffefd5  peachpuff ffdab9  peru cd853f  pink ffc0cb
  plum dda0dd  powderblue b0e0e6  purple 800080  rebeccapurple 663399  red ff0000  rosybrown bc8f8f
  royalblue 4169e1  saddlebrown 8b4513  salmon fa8072  sandybrown f4a460  seagreen 2e8b57  seashell fff5ee
  sienna a0522d  silver c0c0c0  skyblue 87ceeb  slateblue 6a5acd  slategray 708090  slategrey 708090  snow fffafa
  springgreen 00ff7f  steelblue 4682b4  tan d2b48c  teal 008080  thistle d8bfd8  tomato ff6347  turquoise 40e0d0
  violet ee82ee  wheat f5deb3  white ffffff  whitesmoke f5f5f5  yellow ffff00  yellowgreen 9acd32
`;
const NAMED = new Map(Array.from(NAMES.matchAll(/([a-z]+) ([0-9a-f]{6})/g), ([, name = "", hex = ""]) => [name, hex]));

const NUMBER = /^([+-]?(?:\d+(?:\.\d+)?|\.\d+))(%|deg|grad|rad|turn)?$/;
const DEGREES = new Map([
  ["deg", 1],
  ["grad", 0.9],
  ["rad", 180 / Math.PI],
  ["turn", 360],
]);

/**
 * The colour of a CSS text; undefined for an invalid one: `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`, `rgb()`, `rgba()`,
 * `hsl()`, `hsla()` with commas or spaces, a name, or `transparent` (alpha 0). Case does not matter.
 */
export function parseColor(text: string): Color | undefined {
  if (!/^[\t\n\r -~]{1,100}$/.test(text)) return undefined;
  const css = text.trim().toLowerCase();
  if (css === "transparent") return { r: 0, g: 0, b: 0, a: 0 };
  if (css.startsWith("#")) return fromHex(css.slice(1));
  const named = NAMED.get(css);
  if (named) return fromHex(named);
  const [, model, args] = /^(rgb|hsl)a?\(([^()]*)\)$/.exec(css) ?? [];
  if (!model || args === undefined) return undefined;
  return model === "rgb" ? fromRgb(args) : fromHsl(args);
}

/** The colour as CSS: `#rrggbb` if it is opaque, otherwise `rgba(r, g, b, a)`. */
export function formatColor({ r, g, b, a }: Color): string {
  if (a < 1) return `rgba(${r}, ${g}, ${b}, ${a})`;
  return `#${((r << 16) | (g << 8) | b).toString(16).padStart(6, "0")}`;
}

function fromHex(digits: string): Color | undefined {
  if (!/^(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.test(digits)) return undefined;
  const long = digits.length < 6 ? digits.replace(/./g, "$&$&") : digits;
  const [r = 0, g = 0, b = 0, alpha = 255] = (long.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
  return { r, g, b, a: round(alpha / 255) };
}

interface Value {
  value: number;
  unit: string | undefined;
}

/** The three components and the alpha of a function, written as `a, b, c, alpha` or as `a b c / alpha`. */
function readArguments(args: string): { values: [Value, Value, Value]; a: number; commas: boolean } | undefined {
  const commas = args.includes(",");
  const [head = "", ...tail] = commas ? [args] : args.split("/");
  const parts = commas ? head.split(",") : head.trim().split(/\s+/);
  if (parts.length + tail.length > 4 || (!commas && parts.length !== 3)) return undefined;
  const [first, second, third, alpha] = [...parts, ...tail].map(readValue);
  if (!first || !second || !third) return undefined;
  if (parts.length + tail.length === 4 && !alpha) return undefined;
  const a = alpha ? readAlpha(alpha) : 1;
  return a === undefined ? undefined : { values: [first, second, third], a, commas };
}

function readValue(part: string): Value | undefined {
  const [, digits, unit] = NUMBER.exec(part.trim()) ?? [];
  return digits === undefined ? undefined : { value: Number(digits), unit };
}

function readAlpha({ value, unit }: Value): number | undefined {
  if (unit === "%") return round(clamp(value / 100, 1));
  return unit ? undefined : round(clamp(value, 1));
}

function fromRgb(args: string): Color | undefined {
  const read = readArguments(args);
  if (!read) return undefined;
  const units = new Set(read.values.map(({ unit }) => unit));
  if ([...units].some((unit) => unit && unit !== "%")) return undefined;
  // With commas, numbers and percentages do not mix (CSS Color 4, 5.1).
  if (read.commas && units.size > 1) return undefined;
  const [r, g, b] = read.values.map(({ value, unit }) => byte((unit ? value / 100 : value / 255) * 255));
  return { r: r ?? 0, g: g ?? 0, b: b ?? 0, a: read.a };
}

function fromHsl(args: string): Color | undefined {
  const read = readArguments(args);
  if (!read) return undefined;
  const [hue, saturation, lightness] = read.values;
  const perUnit = hue.unit ? DEGREES.get(hue.unit) : 1;
  if (perUnit === undefined) return undefined;
  for (const { unit } of [saturation, lightness]) if (unit !== "%" && (unit || read.commas)) return undefined;
  const degrees = (((hue.value * perUnit) % 360) + 360) % 360;
  return { ...hslToRgb(degrees, clamp(saturation.value / 100, 1), clamp(lightness.value / 100, 1)), a: read.a };
}

/** CSS Color 4, 7.1. */
function hslToRgb(hue: number, saturation: number, lightness: number): Omit<Color, "a"> {
  const amplitude = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number) => {
    const k = (offset + hue / 30) % 12;
    return byte((lightness - amplitude * Math.max(-1, Math.min(k - 3, 9 - k, 1))) * 255);
  };
  return { r: channel(0), g: channel(8), b: channel(4) };
}

const clamp = (value: number, max: number) => Math.min(Math.max(value, 0), max);
const byte = (value: number) => Math.round(clamp(value, 255));
const round = (alpha: number) => Math.round(alpha * 10_000) / 10_000;
