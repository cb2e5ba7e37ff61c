/** Draws all codes: an SVG whose unit is a module, so that it is sharp at any size. */

import { type Ink, idFor, inkOf, type PaintBox, paint, short } from "./paint.js";
import { dots, type Grid, roundedRuns, squareRuns } from "./shapes.js";
import type { LogoStyle, Style } from "./style.js";
import type { Matrix } from "./symbol.js";

/** An image whose bytes were checked. */
export interface LogoImage {
  mimeType: string;
  /** In pixels. */
  width: number;
  height: number;
  bytes: Uint8Array;
}

export interface RenderOptions {
  /** Width of the whole picture in px. */
  size: number;
  /** Quiet zone in modules. */
  margin: number;
  style: Style;
  logo?: LogoImage | undefined;
}

export interface Drawing {
  svg: string;
  /** In px. */
  width: number;
  height: number;
}

/** The highest level restores this in codes of moderate size; padding is reduced to fit. */
const MAX_HIDDEN_SHARE = 0.42;
const SMALLEST_QR_SIDE = 21;

/** The share of a QR code's side that a logo and its padding hide, independent of the code's size. */
export function hiddenShare({ sizePct, padding }: LogoStyle, { size, margin }: { size: number; margin: number }) {
  const widestPx = (1 + (2 * margin) / SMALLEST_QR_SIDE) / size;
  return Math.min(sizePct + 2 * padding * widestPx, MAX_HIDDEN_SHARE);
}

/** Draws a matrix. The SVG contains only numbers, parsed colours and checked image bytes, never a caller's text. */
export function renderSvg(matrix: Matrix, { size, margin, style, logo }: RenderOptions): Drawing {
  const code: PaintBox = { x: margin, y: margin, width: matrix.columns, height: matrix.rows * matrix.rowHeight };
  const across = code.width + 2 * margin;
  const down = code.height + 2 * margin;
  const height = Math.round((size * down) / across);
  const ink = inkOf(style.foreground, code);
  const picture = logo && style.logo ? placeLogo(style.logo, { logo, code, perPx: across / size }) : undefined;
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${height}" viewBox="0 0 ${across} ${down}">`,
    ink.definition,
    style.background.a > 0 ? `<path ${paint("fill", style.background)} d="M0 0h${across}v${down}H0z"/>` : "",
    drawModules(matrix, { margin, shape: style.modules, ink: ink.paint, hole: picture?.hole }),
    picture?.svg ?? "",
    "</svg>",
  ].join("");
  return { svg, width: size, height };
}

interface ModuleOptions {
  margin: number;
  shape: Style["modules"];
  ink: Ink["paint"];
  hole?: PaintBox | undefined;
}

function drawModules(matrix: Matrix, { margin, shape, ink, hole }: ModuleOptions): string {
  const { columns, rows, rowHeight, dark, fixed } = matrix;
  const isHidden = (row: number, column: number) => hole !== undefined && touches(hole, margin + column, margin + row);
  const isDark = (row: number, column: number) =>
    row >= 0 && row < rows && column >= 0 && column < columns && dark[row * columns + column] === 1;
  const shown = (row: number, column: number) => isDark(row, column) && !isHidden(row, column);
  const grid = (accepts: Grid["isDark"]): Grid => ({ columns, rows, rowHeight, margin, isDark: accepts });
  const squares = (of: Grid) =>
    `<path ${ink("stroke")} stroke-width="${rowHeight}" shape-rendering="crispEdges" d="${squareRuns(of)}"/>`;
  const all = grid(shown);
  if (shape === "square" || !fixed) return squares(all);

  // Readers look for the straight edges of finder, timing and alignment patterns.
  const isFixed = (row: number, column: number) => fixed[row * columns + column] === 1;
  if (shape === "rounded") return `<path ${ink("fill")} d="${roundedRuns(all, isFixed)}"/>`;
  const patterns = grid((row, column) => isFixed(row, column) && shown(row, column));
  const data = grid((row, column) => !isFixed(row, column) && shown(row, column));
  return `${squares(patterns)}<path ${ink("stroke")} stroke-width=".9" stroke-linecap="round" d="${dots(data)}"/>`;
}

function touches(box: PaintBox, x: number, y: number): boolean {
  return x + 1 > box.x && x < box.x + box.width && y + 1 > box.y && y < box.y + box.height;
}

interface LogoOptions {
  logo: LogoImage;
  code: PaintBox;
  /** Modules per px. */
  perPx: number;
}

/** The logo in the middle of the code, and its hole. */
function placeLogo(style: LogoStyle, { logo, code, perPx }: LogoOptions): { svg: string; hole: PaintBox } {
  const side = code.width * style.sizePct;
  const padding = Math.min(style.padding * perPx, (code.width * MAX_HIDDEN_SHARE - side) / 2);
  const radius = style.cornerRadius * perPx;
  const hole = centredIn(code, side + 2 * padding, side + 2 * padding);
  const scale = side / Math.max(logo.width, logo.height);
  const image = centredIn(code, logo.width * scale, logo.height * scale);
  const { background } = style;
  const plate = background ? `<rect ${area(hole)} rx="${short(radius)}" ${paint("fill", background)}/>` : "";
  const imageRadius = background ? Math.max(radius - padding, 0) : radius;
  return { hole, svg: plate + drawImage(logo, image, imageRadius) };
}

/** The image as a data URI of the checked bytes, so that showing the SVG loads nothing. */
function drawImage({ mimeType, bytes }: LogoImage, box: PaintBox, radius: number): string {
  const href = `data:${mimeType};base64,${Buffer.from(bytes).toString("base64")}`;
  if (radius === 0) return `<image ${area(box)} href="${href}"/>`;
  const outline = `<rect ${area(box)} rx="${short(radius)}"/>`;
  const id = idFor(outline);
  return `<clipPath id="${id}">${outline}</clipPath><image ${area(box)} clip-path="url(#${id})" href="${href}"/>`;
}

function centredIn(box: PaintBox, width: number, height: number): PaintBox {
  return { x: box.x + (box.width - width) / 2, y: box.y + (box.height - height) / 2, width, height };
}

function area({ x, y, width, height }: PaintBox): string {
  return `x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}"`;
}
