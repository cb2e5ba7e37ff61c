/** The texts of a page with their places: points from the upper left corner, as a reader holds the page. */
import type { PDFPageProxy } from "pdfjs-dist";
import type { TextItem } from "pdfjs-dist/types/src/display/api.js";
import { spend } from "./work.js";

export interface Span {
  text: string;
  x: number;
  /** Upper edge. */
  y: number;
  w: number;
  h: number;
  /** Height of the font. */
  size: number;
  font: string;
  isRtl: boolean;
  /** Degrees by which the text is turned: 0, 90, 180 or 270. */
  angle: number;
  /** Whether the document has a blank sign before it, where it says so; words may also stand apart by their places alone. */
  afterBlank?: boolean;
}

export interface PageText {
  width: number;
  height: number;
  rotation: number;
  spans: Span[];
  /** Characters of a private part of Unicode: a font without a map. */
  unknown: number;
}

/** Between two words: a sign of the document, or another place (`scripts/bundled-pdf-texts.mjs`). */
const [BLANK, PLACE] = [" ", "\u2009"];

const PRIVATE = /[\ue000-\uf8ff]/g;

export async function readSpans(page: PDFPageProxy): Promise<PageText> {
  const viewport = page.getViewport({ scale: 1 });
  const { items, styles } = await page.getTextContent({ includeMarkedContent: false });
  const spans: Span[] = [];
  let unknown = 0;
  let gap = "";
  spend("texts", items.length);
  for (const item of items as TextItem[]) {
    const before = gap;
    gap = item.hasEOL ? "" : item.str;
    if (item.str.trim() === "") continue;
    unknown += item.str.match(PRIVATE)?.length ?? 0;
    const style = styles[item.fontName] as { ascent?: number; descent?: number; vertical?: boolean } | undefined;
    const span = spanOf(item, viewport.transform as Matrix, style);
    spans.push(before === BLANK || before === PLACE ? { ...span, afterBlank: before === BLANK } : span);
  }
  const { width, height, rotation } = viewport;
  return { width, height, rotation, spans, unknown };
}

type Matrix = [number, number, number, number, number, number];

function spanOf(
  item: TextItem,
  view: Matrix,
  style: { ascent?: number; descent?: number; vertical?: boolean } = {},
): Span {
  const [a, b, c, d, e, f] = multiply(view, item.transform as Matrix);
  const size = Math.hypot(c, d) || Math.hypot(a, b) || 1;
  // The direction in which the text runs, downwards counted as positive.
  const turned = Math.round(Math.atan2(b, a) / (Math.PI / 2));
  const angle = (((turned % 4) + 4) % 4) * 90;
  const ascent = style.ascent && style.ascent > 0.3 && style.ascent < 1.5 ? style.ascent : 0.8;
  const [length, above, below] = [item.width, size * Math.min(1, ascent), size * (1 - Math.min(1, ascent))];
  const box = boxOf({ angle, e, f, length, above, below });
  const common = { text: item.str, size, font: item.fontName, isRtl: item.dir === "rtl", angle };
  return style.vertical ? { ...common, x: e - size / 2, y: f, w: size, h: item.height } : { ...common, ...box };
}

interface Place {
  angle: number;
  e: number;
  f: number;
  length: number;
  above: number;
  below: number;
}

function boxOf({ angle, e, f, length, above, below }: Place): Pick<Span, "x" | "y" | "w" | "h"> {
  const thick = above + below;
  if (angle === 90) return { x: e - below, y: f, w: thick, h: length };
  if (angle === 180) return { x: e - length, y: f - below, w: length, h: thick };
  if (angle === 270) return { x: e - above, y: f - length, w: thick, h: length };
  return { x: e, y: f - above, w: length, h: thick };
}

/** The matrix that applies n first, and then m. */
export function multiply(m: Matrix, n: Matrix): Matrix {
  return [
    m[0] * n[0] + m[2] * n[1],
    m[1] * n[0] + m[3] * n[1],
    m[0] * n[2] + m[2] * n[3],
    m[1] * n[2] + m[3] * n[3],
    m[0] * n[4] + m[2] * n[5] + m[4],
    m[1] * n[4] + m[3] * n[5] + m[5],
  ];
}
