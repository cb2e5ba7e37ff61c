/** The pieces of a line: words that a reader takes for one cell at first sight, by the gaps between them. */
import { MARK, type PdfLine } from "./lines.js";
import type { Span } from "./spans.js";
import { spend } from "./work.js";

export interface Piece {
  x: number;
  right: number;
  spans: Span[];
}

/** How a page sets words apart. */
export interface Spacing {
  /** Whether it has signs for blanks: then what stands apart without one is another cell. */
  hasBlanks: boolean;
  /** The width of a blank that is a place alone, in font sizes; 0 if no width is usual. */
  blank: number;
}

/** A gap of so many font sizes divides cells, whatever stands in it. */
const WIDE = 0.9;
/** Where no sign stands in it: of a page that has signs, and of one that has none. */
const LEAST = 0.12;
const LEAST_WITHOUT_SIGNS = 0.45;
/** Between two numbers a page without signs needs less. */
const LEAST_OF_NUMBERS = 0.3;
const LEAST_OF_NUMBERS_AND_SIGNS = 0.2;
/** Blanks have so much of their font's size. */
const [LEAST_BLANK, MOST_BLANK] = [0.18, 0.37];
/** Widths that differ by so little are the same. */
const SAME = 0.025;
/** A gap is wider than a blank if it is so much wider. */
const WIDER = 0.06;
/** Fewer blanks show no habit. */
const LEAST_COUNT = 3;

export function spacingOf(spans: readonly Span[]): Spacing {
  const signs = spans.filter(({ afterBlank }) => afterBlank).length;
  const places = spans.filter(({ afterBlank }) => afterBlank === false).length;
  return { hasBlanks: signs > places * 0.25, blank: 0 };
}

/** Blanks of this part of a page; a producer may write a table word by word and the text around it not. */
export function withBlank(lines: readonly PdfLine[], { hasBlanks }: Spacing): Spacing {
  const widths = new Map<number, number>();
  let [signs, count] = [0, 0];
  for (const line of lines) {
    spansOf(line).forEach((span, i, all) => {
      const before = all[i - 1];
      if (!before) return;
      const gap = gapBefore(span, before);
      if (span.afterBlank) signs++;
      else if (gap > LEAST_BLANK && gap < MOST_BLANK && !areNumbers(before.text, span.text)) {
        const width = Math.round(gap / SAME);
        widths.set(width, (widths.get(width) ?? 0) + 1);
        count++;
      }
    });
  }
  if (signs >= LEAST_COUNT) return { hasBlanks, blank: 0 };
  const [most = [0, 0]] = [...widths].sort((a, b) => b[1] - a[1]);
  const near = [-1, 0, 1].reduce((sum, step) => sum + (widths.get(most[0] + step) ?? 0), 0);
  return { hasBlanks, blank: near >= LEAST_COUNT && near > count * 0.6 ? most[0] * SAME : 0 };
}

const spansOf = (line: PdfLine): Span[] => line.segments.flatMap(({ spans }) => spans).sort((a, b) => a.x - b.x);

const gapBefore = (span: Span, before: Span | undefined): number =>
  before ? (span.x - before.x - before.w) / span.size : Number.POSITIVE_INFINITY;

/** From left to right. Lines that are drawn downwards divide as well. */
export function piecesOf(line: PdfLine, spacing: Spacing, drawn: readonly number[] = []): Piece[] {
  const pieces: Piece[] = [];
  let before: Span | undefined;
  spend("steps", line.segments.length * (1 + drawn.length));
  for (const span of spansOf(line)) {
    const last = pieces.at(-1);
    const right = span.x + span.w;
    const isDrawn = before && drawn.some((at) => at > (before?.x ?? 0) + (before?.w ?? 0) - 1 && at < span.x + 1);
    if (!last || isDrawn || isBoundary(span, before, spacing)) pieces.push({ x: span.x, right, spans: [span] });
    else {
      last.spans.push(span);
      last.right = Math.max(last.right, right);
    }
    if (!before || right >= before.x + before.w) before = span;
  }
  return pieces;
}

function isBoundary(span: Span, before: Span | undefined, { hasBlanks, blank }: Spacing): boolean {
  if (LEADER.test(span.text)) return false;
  const gap = gapBefore(span, before);
  if (gap >= WIDE) return true;
  const leastOfNumbers = hasBlanks && !span.afterBlank ? LEAST_OF_NUMBERS_AND_SIGNS : LEAST_OF_NUMBERS;
  if (gap >= leastOfNumbers && before && areNumbers(before.text, span.text)) return true;
  if (span.afterBlank) return false;
  if (blank > 0) return gap > blank + WIDER;
  return gap >= (hasBlanks ? LEAST : LEAST_WITHOUT_SIGNS);
}

/** Dots that lead from a text to its number belong to the text. */
const LEADER = /^[.·…_]+$/;
const NUMBER = /^[(+\-−–$€£]?\d[\d.,]{0,30}[)%]?$/;

/** Two numbers, and not one whose thousands stand apart. */
const areNumbers = (left: string, right: string): boolean =>
  NUMBER.test(left) && NUMBER.test(right) && !(/^\D?\d{1,3}$/.test(left) && /^\d{3}(?:\D|$)/.test(right));

/** Whether a line has several cells at first sight; the mark of a list is none. */
export function hasSeveral(line: PdfLine, spacing: Spacing): boolean {
  if (line.segments.length > 1) return true;
  const pieces = piecesOf(line, spacing);
  const marked = MARK.test(pieces[0]?.spans.map(({ text }) => text).join("") ?? "") ? 1 : 0;
  if (spacing.hasBlanks) return pieces.length - marked > 1;
  return pieces.length - marked > 1 && pieces.filter(({ spans }) => NUMBER.test(spans[0]?.text ?? "")).length > 1;
}
