import { describe, expect, it } from "vitest";
import { findNear, indexPlaces, type NearOptions, type Place } from "../../../src/engines/places/nearest.js";

/** Park and Miller's numbers from 0 to 1. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

/** Everywhere, with crowds at the poles, at the antimeridian and in one town. */
function manyPlaces(count: number): Place[] {
  const random = randomFrom(7);
  return Array.from({ length: count }, (_, i) => {
    if (i % 5 === 1) return { latitude: 89 + random(), longitude: 360 * random() - 180 };
    if (i % 5 === 2) return { latitude: -89 - random(), longitude: 360 * random() - 180 };
    if (i % 5 === 3)
      return { latitude: 20 * random() - 30, longitude: (random() < 0.5 ? -1 : 1) * (178 + 2 * random()) };
    if (i % 5 === 4) return { latitude: 48 + random() / 10, longitude: 11 + random() / 10 };
    return { latitude: 180 * random() - 90, longitude: 360 * random() - 180 };
  });
}

const indexOf = (places: Place[]) =>
  indexPlaces(
    Float64Array.from(places, ({ latitude }) => latitude),
    Float64Array.from(places, ({ longitude }) => longitude),
  );

/** By the angle between two vectors: another formula than the one under test. */
function angleKm(a: Place, b: Place): number {
  const [from, to] = [vectorOf(a), vectorOf(b)];
  const cross = [
    from[1] * to[2] - from[2] * to[1],
    from[2] * to[0] - from[0] * to[2],
    from[0] * to[1] - from[1] * to[0],
  ];
  const dot = from[0] * to[0] + from[1] * to[1] + from[2] * to[2];
  return 6371.0088 * Math.atan2(Math.hypot(...cross), dot);
}

function vectorOf({ latitude, longitude }: Place): [number, number, number] {
  const [phi, lambda] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
}

function scan(places: Place[], place: Place, { radiusKm, limit, accept = () => true }: NearOptions) {
  const within = places
    .map((other, row) => ({ row, distanceKm: angleKm(place, other) }))
    .filter(({ row, distanceKm }) => distanceKm <= radiusKm && accept(row))
    .sort((a, b) => a.distanceKm - b.distanceKm);
  return { nearest: within.slice(0, limit), total: within.length };
}

const places = manyPlaces(5000);
const index = await indexOf(places);

describe("findNear", () => {
  it.each<[string, Place]>([
    ["in a crowd", { latitude: 48.05, longitude: 11.05 }],
    ["at the North Pole", { latitude: 90, longitude: 0 }],
    ["beside the South Pole", { latitude: -89.7, longitude: 135 }],
    ["just east of the antimeridian", { latitude: -17, longitude: -179.99 }],
    ["just west of the antimeridian", { latitude: -17, longitude: 180 }],
    ["in the middle of nowhere", { latitude: 0, longitude: -140 }],
  ])("finds and counts what a scan of all points does, %s", (_, place) => {
    for (const radiusKm of [1, 50, 500, 2000, 5000, 20_100])
      for (const limit of [1, 20, 100]) {
        const found = findNear(index, place, { radiusKm, limit });
        const scanned = scan(places, place, { radiusKm, limit });
        expect(found.total).toBe(scanned.total);
        expect(found.nearest.map(({ row }) => row)).toEqual(scanned.nearest.map(({ row }) => row));
        for (const [i, { distanceKm }] of found.nearest.entries())
          expect(distanceKm).toBeCloseTo(scanned.nearest[i]?.distanceKm ?? Number.NaN, 5);
      }
  });

  it("neither finds nor counts what is not accepted", () => {
    const options = { radiusKm: 5000, limit: 30, accept: (row: number) => row % 7 === 0 };
    const found = findNear(index, { latitude: 48, longitude: 11 }, options);
    const scanned = scan(places, { latitude: 48, longitude: 11 }, options);
    expect(found.total).toBe(scanned.total);
    expect(found.nearest.map(({ row }) => row)).toEqual(scanned.nearest.map(({ row }) => row));
  });

  it("orders points of one place by row, or as it is told, at the limit too", async () => {
    const same = await indexOf(Array.from({ length: 200 }, () => ({ latitude: 1, longitude: 2 })));
    const rows = (options: Partial<NearOptions>) =>
      findNear(same, { latitude: 1, longitude: 2 }, { radiusKm: 1, limit: 3, ...options }).nearest.map(
        ({ row }) => row,
      );
    expect(rows({})).toEqual([0, 1, 2]);
    expect(rows({ compare: (row, other) => other - row })).toEqual([199, 198, 197]);
  });

  it("finds nothing in an empty index", async () => {
    const found = findNear(await indexOf([]), { latitude: 0, longitude: 0 }, { radiusKm: 5000, limit: 10 });
    expect(found).toEqual({ nearest: [], total: 0 });
  });
});
