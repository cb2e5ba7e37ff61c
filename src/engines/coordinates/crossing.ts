/** Whether the edges of a polygon cross or touch one another: then its area is a difference of parts, which few expect. */
import type { Point } from "./point.js";

type Vector = readonly [number, number, number];

interface Edge {
  /** From 1, as it is told. */
  number: number;
  /** Among the edges that have a length, in their order. */
  place: number;
  from: Vector;
  to: Vector;
  /** Of the plane in which the arc lies. */
  normal: Vector;
  low: Vector;
  high: Vector;
}

export interface Crossing {
  /** Null where there are too many edges side by side to tell. */
  selfCrossing: boolean | null;
  notes: string[];
}

/** Pairs of edges that are looked at: as many as some tenths of a second take. */
const MAX_PAIRS = 10_000_000;
/** Of the radius of the earth: a few millimetres. */
const NEAR = 1e-9;

/** Edges are taken as arcs on the sphere, which lie a few metres from the shortest ways on the ellipsoid at most. */
export function crossingOf(corners: readonly Point[]): Crossing {
  const repeated = repeatedCorner(corners);
  if (repeated) return told(`Corners ${repeated[0]} and ${repeated[1]} are one place`);
  const points = corners.map(vectorOf);
  const edges = points
    .map((from, i) => edgeOf(i + 1, from, points[(i + 1) % points.length] as Vector))
    .filter(({ from, to }) => from.some((one, i) => one !== to[i]));
  // Of corners in a row that are one place only the last begins an edge.
  edges.forEach((edge, i) => {
    edge.place = i;
  });
  const axis = narrowest(edges);
  edges.sort((a, b) => a.low[axis] - b.low[axis]);
  let [pairs, active]: [number, Edge[]] = [0, []];
  for (const edge of edges) {
    active = active.filter(({ high }) => high[axis] >= edge.low[axis]);
    for (const other of active) {
      if (++pairs > MAX_PAIRS)
        return { selfCrossing: null, notes: ["Whether edges cross was not told: too many of them lie side by side."] };
      if (areApart(edge, other) || areNeighbours(edge, other, edges.length) || !cross(edge, other)) continue;
      const [first, second] = [edge.number, other.number].sort((a, b) => a - b);
      return told(`Edges ${first} and ${second} cross or touch`);
    }
    active.push(edge);
  }
  return { selfCrossing: false, notes: [] };
}

const told = (what: string): Crossing => ({
  selfCrossing: true,
  notes: [
    `${what}: the area is that of the parts that turn one way less that of the others, not the ground that is covered.`,
  ],
});

function repeatedCorner(corners: readonly Point[]): [number, number] | undefined {
  const seen = new Map<string, number>();
  for (const [i, { latitude, longitude }] of corners.entries()) {
    const key = `${latitude} ${Math.abs(latitude) === 90 ? 0 : ((longitude % 360) + 360) % 360}`;
    const before = seen.get(key);
    // A corner may be written twice in a row.
    if (before !== undefined && i - before > 1 && !(before === 0 && i === corners.length - 1))
      return [before + 1, i + 1];
    seen.set(key, i);
  }
  return undefined;
}

function vectorOf({ latitude, longitude }: Point): Vector {
  const [phi, lambda] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
}

/** An arc bulges out of the box of its ends by less than half the square of its length. */
function edgeOf(number: number, from: Vector, to: Vector): Edge {
  const length = Math.hypot(from[0] - to[0], from[1] - to[1], from[2] - to[2]);
  const bulge = length * length * 0.5 + NEAR;
  const side = (at: 0 | 1 | 2, sign: 1 | -1) => sign * Math.max(sign * from[at], sign * to[at]) + sign * bulge;
  return {
    number,
    place: 0,
    from,
    to,
    normal: product(from, to),
    low: [side(0, -1), side(1, -1), side(2, -1)],
    high: [side(0, 1), side(1, 1), side(2, 1)],
  };
}

/** The axis along which edges overlap least. */
function narrowest(edges: readonly Edge[]): 0 | 1 | 2 {
  const share = ([0, 1, 2] as const).map((axis) => {
    const least = Math.min(...edges.slice(0, 1_000).map(({ low }) => low[axis]));
    const most = Math.max(...edges.slice(0, 1_000).map(({ high }) => high[axis]));
    return edges.reduce((sum, { low, high }) => sum + high[axis] - low[axis], 0) / (most - least || 1);
  });
  return share.indexOf(Math.min(...share)) as 0 | 1 | 2;
}

/** Asked of millions of pairs, so written out. */
const areApart = (a: Edge, b: Edge): boolean =>
  a.high[0] < b.low[0] ||
  a.high[1] < b.low[1] ||
  a.high[2] < b.low[2] ||
  b.high[0] < a.low[0] ||
  b.high[1] < a.low[1] ||
  b.high[2] < a.low[2];

const areNeighbours = (a: Edge, b: Edge, count: number): boolean => {
  const distance = Math.abs(a.place - b.place);
  return distance === 1 || distance === count - 1;
};

/** Whether each arc has the ends of the other on both sides of it, and they meet on this side of the globe. */
function cross(a: Edge, b: Edge): boolean {
  const [ours, theirs] = [a.normal, b.normal];
  const p = dot(ours, b.from);
  const q = dot(ours, b.to);
  if (areOnOneSide(p, q)) return false;
  const r = dot(theirs, a.from);
  const s = dot(theirs, a.to);
  if (areOnOneSide(r, s)) return false;
  const isProper = p * q < 0 && r * s < 0;
  if (!isProper)
    return (
      touches(a, b, p, ours) ||
      touches(a, b, q, ours, b.to) ||
      touches(b, a, r, theirs) ||
      touches(b, a, s, theirs, a.to)
    );
  const meeting = product(ours, theirs);
  const side = dot(meeting, sum(a.from, a.to));
  return side * dot(meeting, sum(b.from, b.to)) > 0;
}

/** Whether two ends are clearly on the same side of a plane: then their arc does not meet it. */
const areOnOneSide = (one: number, other: number): boolean =>
  (one > NEAR && other > NEAR) || (one < -NEAR && other < -NEAR);

/** Whether an end of another arc lies on an arc. */
function touches(arc: Edge, other: Edge, distance: number, normal: Vector, end = other.from): boolean {
  const length = Math.hypot(...normal);
  if (length === 0 || Math.abs(distance) > (NEAR / 10) * length) return false;
  const middle = sum(arc.from, arc.to);
  return dot(end, middle) >= Math.min(dot(arc.from, middle), dot(arc.to, middle)) - NEAR * NEAR;
}

const product = ([a, b, c]: Vector, [x, y, z]: Vector): Vector => [b * z - c * y, c * x - a * z, a * y - b * x];
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const sum = ([a, b, c]: Vector, [x, y, z]: Vector): Vector => [a + x, b + y, c + z];
