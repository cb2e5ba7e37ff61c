/** Columns of prose: a page is read down one column, and then down the next. Tables are not taken apart. */
import { boundsOf, type PdfLine, type Segment } from "./lines.js";
import { spend } from "./work.js";

/** Fewer lines beside each other are no columns. */
const MIN_LINES = 4;
/** Least characters of a line of a column, on average: cells are shorter. */
const MIN_CHARACTERS = 18;
const MAX_DEPTH = 6;

/** The lines in reading order; a line that reaches over several columns is taken apart by them. */
export function inReadingOrder(lines: readonly PdfLine[], depth = 0): PdfLine[] {
  if (depth >= MAX_DEPTH || lines.length < MIN_LINES) return [...lines];
  const gutter = gutterOf(lines);
  if (gutter === undefined) return [...lines];
  const ordered: PdfLine[] = [];
  let band: PdfLine[] = [];
  const endBand = () => {
    const sides = [
      band.flatMap((line) => sideOf(line, (one) => one.right <= gutter)),
      band.flatMap((line) => sideOf(line, (one) => one.x >= gutter)),
    ];
    for (const side of sides) ordered.push(...inReadingOrder(side, depth + 1));
    band = [];
  };
  for (const line of lines) {
    if (!crosses(line, gutter)) band.push(line);
    else {
      endBand();
      ordered.push(line);
    }
  }
  endBand();
  return ordered;
}

const crosses = ({ segments }: PdfLine, at: number): boolean => segments.some(({ x, right }) => x < at && right > at);

function sideOf(line: PdfLine, belongs: (segment: Segment) => boolean): PdfLine[] {
  const segments = line.segments.filter(belongs);
  return segments.length === 0 ? [] : [{ ...line, segments, ...boundsOf(segments) }];
}

/** Where most lines have a gap, with enough prose on either side. */
function gutterOf(lines: readonly PdfLine[]): number | undefined {
  const { x, right } = boundsOf(lines);
  const candidates = lines
    .flatMap(({ segments }) =>
      segments.slice(1).map((segment, i) => ((segments[i]?.right ?? segment.x) + segment.x) / 2),
    )
    .filter((at) => at > x + (right - x) * 0.15 && at < x + (right - x) * 0.85);
  let best: { at: number; crossing: number } | undefined;
  const count = lines.length + candidates.length;
  for (const at of distinct(candidates)) {
    spend("steps", 3 * count);
    const crossing = lines.filter((line) => crosses(line, at)).length;
    if (best && best.crossing <= crossing) continue;
    if (crossing <= lines.length * 0.4 && isProse(lines, at)) best = { at, crossing };
  }
  return best?.at;
}

/** Gutters of a page are few; lines have them at almost the same place. */
function distinct(places: readonly number[]): number[] {
  const rounded = new Map(places.map((at) => [Math.round(at / 3), at]));
  return [...rounded.values()].slice(0, 60);
}

function isProse(lines: readonly PdfLine[], at: number): boolean {
  const apart = lines.filter((line) => !crosses(line, at));
  return [(one: Segment) => one.right <= at, (one: Segment) => one.x >= at].every((belongs) => {
    const sides = apart.map((line) => line.segments.filter(belongs)).filter((segments) => segments.length > 0);
    // A column's lines are whole: cells stand beside each other.
    const whole = sides.filter((segments) => segments.length === 1);
    const characters = sides.reduce(
      (sum, segments) => sum + segments.reduce((all, { text }) => all + text.length, 0),
      0,
    );
    return (
      sides.length >= MIN_LINES && whole.length >= sides.length * 0.7 && characters / sides.length >= MIN_CHARACTERS
    );
  });
}
