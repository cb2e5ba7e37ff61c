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

export interface PdfLine {
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
const BLANK = 0.12;

export const MARK = /^(?:[•‣◦▪▫●○■□➢➤\uf0b7\uf0a7]|\(?[a-z\d]{1,2}[.)])$/u;

/** Lines of spans that run from left to right or from right to left, from top to bottom. */
export function linesOf(spans: readonly Span[]): PdfLine[] {
  const rows: Row[] = [];
  // Computed once: a sort asks for each many times.
  const sorted = spans.map((span) => ({ span, at: middle(span) })).sort((a, b) => a.at - b.at || a.span.x - b.span.x);
  for (const { span } of sorted) {
    const row = rows.at(-1);
    if (!row || !isSameRow(row.anchor, span)) rows.push({ spans: [span], anchor: span });
    else {
      row.spans.push(span);
      if (span.size > row.anchor.size) row.anchor = span;
    }
  }
  return rows.map((row) => lineOf(row.spans)).sort((a, b) => a.y - b.y || a.x - b.x);
}

const middle = ({ y, h }: Span): number => y + h / 2;

interface Row {
  spans: Span[];
  /** The first one of the largest size. */
  anchor: Span;
}

/** Raised and lowered signs belong to the row beside which they stand. */
const isSameRow = (anchor: Span, span: Span): boolean =>
  Math.abs(middle(anchor) - middle(span)) < Math.max(anchor.h, span.h) * 0.4;

function lineOf(row: Span[]): PdfLine {
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

/** Spans run from left to right. */
export function segmentOf(spans: Span[], isRtl: boolean): Segment {
  const ordered = isRtl ? [...spans].reverse() : spans;
  const texts: string[] = [];
  ordered.forEach((span, i) => {
    const before = ordered[i - 1];
    const gap = before ? (isRtl ? before.x - (span.x + span.w) : span.x - (before.x + before.w)) : 0;
    const isApart =
      (gap > BLANK * span.size || (span.afterBlank && i > 0)) &&
      !isBlank(before?.text.at(-1)) &&
      !isBlank(span.text[0]);
    texts.push(isApart ? ` ${span.text}` : span.text);
  });
  return {
    text: texts.join("").replace(/\s+/g, " ").trim(),
    ...boundsOf(spans.map(({ x, y, w, h }) => ({ x, right: x + w, y, bottom: y + h }))),
    size: mainSize(spans),
    font: spans.reduce((longest, one) => (one.text.length > longest.text.length ? one : longest)).font,
    spans,
  };
}

const isBlank = (character: string | undefined): boolean => character !== undefined && /\s/.test(character);

/** One by one: a page may have more parts than a call has arguments. */
export function boundsOf(parts: readonly Pick<Segment, "x" | "right" | "y" | "bottom">[]) {
  const [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const bounds = { x: least, right: most, y: least, bottom: most };
  for (const { x, right, y, bottom } of parts) {
    bounds.x = Math.min(bounds.x, x);
    bounds.right = Math.max(bounds.right, right);
    bounds.y = Math.min(bounds.y, y);
    bounds.bottom = Math.max(bounds.bottom, bottom);
  }
  return bounds;
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

export const lineText = ({ segments, isRtl }: PdfLine): string =>
  (isRtl ? [...segments].reverse() : segments).map(({ text }) => text).join(" ");

/** A word that a line breaks after a hyphen is one again. */
export function joinHyphens(lines: readonly string[]): string {
  const parts: string[] = [];
  // The last characters: a search for an end would go through all of the text each time.
  let end = "";
  for (const line of lines) {
    const isBroken = /\p{L}\u00ad$/u.test(end) || (/\p{Ll}-$/u.test(end) && /^\p{Ll}/u.test(line));
    const blank = isBroken || end === "" ? "" : " ";
    if (isBroken) parts.push(parts.pop()?.slice(0, -1) ?? "");
    parts.push(blank + line);
    end = `${end}${blank}${line.slice(-4)}`.slice(-4);
  }
  return parts.join("");
}
