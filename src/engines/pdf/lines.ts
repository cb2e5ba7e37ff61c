/** Lines of a page, in the order in which people read them: column by column. */
import type { Span } from "./spans.js";

/** Spans that a reader sees as one, without a gap that a column or a cell leaves. */
export interface Segment {
  text: string;
  x: number;
  right: number;
  y: number;
  bottom: number;
  size: number;
  font: string;
  spans: Span[];
}

export interface Line {
  segments: Segment[];
  x: number;
  right: number;
  y: number;
  bottom: number;
  /** Font size of most of its characters. */
  size: number;
  isRtl: boolean;
}

/** A gap of so many font sizes divides cells and columns; blanks of justified texts are narrower. */
const GAP = 0.9;
/** A gap of so many font sizes is a blank. */
const BLANK = 0.16;

const MARK = /^(?:[•‣◦▪▫●○■□➢➤\uf0b7\uf0a7]|\(?[a-z\d]{1,2}[.)])$/u;

/** Lines of spans that run from left to right or from right to left, from top to bottom. */
export function linesOf(spans: readonly Span[]): Line[] {
  const rows: Span[][] = [];
  for (const span of [...spans].sort((a, b) => middle(a) - middle(b) || a.x - b.x)) {
    const row = rows.at(-1);
    if (row && isSameRow(row, span)) row.push(span);
    else rows.push([span]);
  }
  return rows.map(lineOf).sort((a, b) => a.y - b.y || a.x - b.x);
}

const middle = ({ y, h }: Span): number => y + h / 2;

/** Raised and lowered signs belong to the row beside which they stand. */
function isSameRow(row: readonly Span[], span: Span): boolean {
  const anchor = row.reduce((largest, one) => (one.size > largest.size ? one : largest));
  return Math.abs(middle(anchor) - middle(span)) < Math.max(anchor.h, span.h) * 0.4;
}

function lineOf(row: Span[]): Line {
  const isRtl = row.filter((span) => span.isRtl).length * 2 > row.length;
  const ordered = [...row].sort((a, b) => a.x - b.x);
  const groups: Span[][] = [];
  let right = Number.NEGATIVE_INFINITY;
  for (const span of ordered) {
    const last = groups.at(-1);
    if (last && span.x - right < GAP * span.size) last.push(span);
    else groups.push([span]);
    right = Math.max(right, span.x + span.w);
  }
  // The mark of a list stands apart, and belongs to the text behind it.
  const [mark, text] = groups;
  if (mark && text && !isRtl && MARK.test(segmentOf(mark, false).text)) groups.splice(0, 2, [...mark, ...text]);
  const segments = groups.map((group) => segmentOf(group, isRtl));
  return {
    segments,
    ...boundsOf(segments),
    size: mainSize(row),
    isRtl,
  };
}

function segmentOf(spans: Span[], isRtl: boolean): Segment {
  const ordered = isRtl ? [...spans].reverse() : spans;
  let text = "";
  ordered.forEach((span, i) => {
    const before = ordered[i - 1];
    const gap = before ? (isRtl ? before.x - (span.x + span.w) : span.x - (before.x + before.w)) : 0;
    const isApart = gap > BLANK * span.size && !/\s$/.test(text) && !/^\s/.test(span.text);
    text += (isApart ? " " : "") + span.text;
  });
  return {
    text: text.replace(/\s+/g, " ").trim(),
    x: Math.min(...spans.map(({ x }) => x)),
    right: Math.max(...spans.map(({ x, w }) => x + w)),
    y: Math.min(...spans.map(({ y }) => y)),
    bottom: Math.max(...spans.map(({ y, h }) => y + h)),
    size: mainSize(spans),
    font: spans.reduce((longest, one) => (one.text.length > longest.text.length ? one : longest)).font,
    spans,
  };
}

export function boundsOf(parts: readonly Pick<Segment, "x" | "right" | "y" | "bottom">[]) {
  return {
    x: Math.min(...parts.map(({ x }) => x)),
    right: Math.max(...parts.map(({ right }) => right)),
    y: Math.min(...parts.map(({ y }) => y)),
    bottom: Math.max(...parts.map(({ bottom }) => bottom)),
  };
}

/** The size of most characters. */
export function mainSize(spans: readonly Span[]): number {
  const counts = new Map<number, number>();
  for (const { size, text } of spans) {
    const rounded = Math.round(size * 4) / 4;
    counts.set(rounded, (counts.get(rounded) ?? 0) + text.length);
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}

export const lineText = ({ segments, isRtl }: Line): string =>
  (isRtl ? [...segments].reverse() : segments).map(({ text }) => text).join(" ");
