import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { geoDistance } from "../../../src/capabilities/geo/distance.js";
import { onlyItem } from "../../support/only-item.js";

type Input = Parameters<typeof geoDistance>[0];
const measured = async (input: Input) => onlyItem(await geoDistance(input));
/** See test/suites/README.md. */
const { inverse }: { inverse: number[][] } = JSON.parse(
  readFileSync(new URL("../../suites/places/geodesics.json", import.meta.url), "utf8"),
);
const between = (lat1: number, lon1: number, lat2: number, lon2: number) =>
  measured({ from: [lon1, lat1], to: { latitude: lat2, longitude: lon2 } });

test("two places have a distance, directions and a middle", async () => {
  const found = await measured({ from: [13.3777, 52.5163], to: [2.2945, 48.8582] });
  expect(found).toMatchObject({ areaSquareMeters: null, perimeterMeters: null, inside: null });
  expect(found.meters).toBeCloseTo(881_341.62, 2);
  expect(found.initialBearing).toBeGreaterThan(240);
  const [first, second] = [
    await measured({ from: [13.3777, 52.5163], to: [found.midpoint?.longitude ?? 0, found.midpoint?.latitude ?? 0] }),
    await measured({ from: [2.2945, 48.8582], to: [found.midpoint?.longitude ?? 0, found.midpoint?.latitude ?? 0] }),
  ];
  expect(first.meters).toBeCloseTo(second.meters ?? 0, 6);
});

test("places are read in any notation", async () => {
  const [degrees, others] = await Promise.all([
    measured({ from: "52.5163, 13.3777", to: [2.2945, 48.8582] }),
    measured({ from: `52°30'58.68"N 13°22'39.72"E`, to: "31 N 448251.795 5411932.678" }),
  ]);
  expect(others.meters).toBeCloseTo(degrees.meters ?? 0, 2);
});

describe("geographiclib-js's", () => {
  test("testcases", async () => {
    for (const [lat1 = 0, lon1 = 0, azi1 = 0, lat2 = 0, lon2 = 0, azi2 = 0, s12 = 0] of inverse) {
      const found = await between(lat1, lon1, lat2, lon2);
      expect(Math.abs((found.meters ?? 0) - s12)).toBeLessThan(1e-6);
      for (const [angle, expected] of [
        [found.initialBearing, azi1],
        [found.finalBearing, azi2],
      ] as const) {
        expect(angle).toBeGreaterThanOrEqual(0);
        expect(Math.abs((((angle ?? 0) - expected + 540) % 360) - 180)).toBeLessThan(1e-10);
      }
    }
  });

  test.each([
    [40.6, -73.8, 49.01666667, 2.55, 5853226, 0.5],
    [36.493349428792, 0, 36.49334942879201, 0.0000008, 0.072, 0.5e-3],
    [88.202499451857, 0, -88.202499451857, 179.98102203299285, 20003898.214, 0.5e-3],
    [56.320923501171, 0, -56.320923501171, 179.6647476717729, 19993558.287, 0.5e-3],
    [52.784459512564, 0, -52.78445951256399, 179.6344074649438, 19991596.095, 0.5e-3],
    [0, 0, 0, 179.5, 19980862, 0.5],
    [0, 0, 0, 180, 20003931, 0.5],
    [0, 539, 0, 181, 222639, 0.5],
  ])("hard lines: %d %d to %d %d", async (lat1, lon1, lat2, lon2, s12, tolerance) => {
    expect(Math.abs(((await between(lat1, lon1, lat2, lon2)).meters ?? 0) - s12)).toBeLessThanOrEqual(tolerance);
  });

  test.each<[string, [number, number][], number, number, number]>([
    [
      "about the north pole",
      [
        [89, 0],
        [89, 90],
        [89, 180],
        [89, 270],
      ],
      631819.8745,
      24952305678,
      1,
    ],
    [
      "about the south pole",
      [
        [-89, 0],
        [-89, 90],
        [-89, 180],
        [-89, 270],
      ],
      631819.8745,
      24952305678,
      1,
    ],
    [
      "over null island",
      [
        [0, -1],
        [-1, 0],
        [0, 1],
        [1, 0],
      ],
      627598.2731,
      24619419146,
      1,
    ],
    [
      "an eighth of the globe",
      [
        [90, 0],
        [0, 0],
        [0, 90],
      ],
      30022685,
      63758202715511,
      1,
    ],
    [
      "through the pole",
      [
        [89, 0.1],
        [89, 90.1],
        [89, -179.9],
      ],
      539297,
      12476152838.5,
      1,
    ],
    [
      "there and back",
      [
        [9, 0],
        [9, 180],
        [9, 0.00000000000001],
      ],
      36026861,
      0,
      1,
    ],
    [
      "twice about the pole",
      [
        [89, -360],
        [89, -240],
        [89, -120],
        [89, 0],
        [89, 120],
        [89, 240],
      ],
      1160741,
      32415230256,
      1,
    ],
    [
      "a triangle",
      [
        [2, 1],
        [1, 2],
        [3, 3],
      ],
      1,
      18454562325.45119,
      0.5,
    ],
  ])("polygons: %s", async (_name, corners, perimeter, area, tolerance) => {
    const found = await measured({
      polygon: corners.map(([latitude, longitude]) => [longitude, latitude] as const) as never,
    });
    expect(found).toMatchObject({ meters: null, midpoint: null, inside: null });
    expect(Math.abs((found.areaSquareMeters ?? 0) - area)).toBeLessThanOrEqual(tolerance);
    if (perimeter > 1) expect(Math.abs((found.perimeterMeters ?? 0) - perimeter)).toBeLessThanOrEqual(1);
  });
});

describe("inside", () => {
  const square = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ] as [number, number][];
  const pole = [
    [0, 80],
    [90, 80],
    [180, 80],
    [-90, 80],
  ] as [number, number][];
  const dateline = [
    [179, -1],
    [-179, -1],
    [-179, 1],
    [179, 1],
  ] as [number, number][];
  const arrow = [
    [0, 0],
    [10, 10],
    [0, 5],
    [-10, 10],
  ] as [number, number][];
  test.each<[string, [number, number][], [number, number], boolean]>([
    ["a square", square, [0, 0], true],
    ["a square, beside it", square, [1.1, 0], false],
    ["a square, on its edge", square, [1, 0], true],
    ["a square, at its corner", square, [1, 1], true],
    ["a square, on the other side of the globe", square, [180, 0], false],
    ["a cap of the pole", pole, [45, 89], true],
    ["a cap of the pole, at the pole", pole, [0, 90], true],
    ["a cap of the pole, at the other pole", pole, [0, -90], false],
    ["a square on the antimeridian", dateline, [180, 0], true],
    ["a square on the antimeridian, beside it", dateline, [178, 0], false],
    ["a square on the antimeridian, opposite", dateline, [0, 0], false],
    ["a dent", arrow, [0, 7], false],
    ["beside a dent", arrow, [1, 4], true],
  ])("%s", async (_name, polygon, point, inside) => {
    for (const corners of [polygon, [...polygon].reverse(), [...polygon, polygon[0] as [number, number]]])
      expect((await measured({ polygon: corners, point })).inside).toBe(inside);
  });
});

describe("a polygon whose edges cross is told", () => {
  const crossing = async (polygon: [number, number][]) => {
    const { selfCrossing, notes } = await measured({ polygon });
    return [selfCrossing, notes.join()];
  };
  const line = (count: number, of: (i: number) => [number, number]) => Array.from({ length: count }, (_, i) => of(i));

  test.each<[string, [number, number][], string]>([
    [
      "bow",
      [
        [0, 0],
        [1, 1],
        [1, 0],
        [0, 1],
      ],
      "Edges 1 and 3 cross",
    ],
    [
      "closed bow",
      [
        [0, 0],
        [1, 1],
        [1, 0],
        [0, 1],
        [0, 0],
      ],
      "Edges 1 and 3 cross",
    ],
    [
      "bow across the antimeridian",
      [
        [179, 0],
        [-179, 1],
        [-179, 0],
        [179, 1],
      ],
      "Edges 1 and 3 cross",
    ],
    [
      "bow around a pole",
      [
        [0, 89],
        [180, 89],
        [90, 89],
        [270, 89],
      ],
      "Edges 1 and 3 cross",
    ],
    [
      "bow of a metre",
      [
        [13, 52],
        [13.00001, 52.00001],
        [13.00001, 52],
        [13, 52.00001],
      ],
      "Edges 1 and 3 cross",
    ],
    [
      "star",
      [
        [0, 3],
        [2, -3],
        [-3, 1],
        [3, 1],
        [-2, -3],
      ],
      "cross",
    ],
    [
      "eight with one corner twice",
      [
        [0, 0],
        [1, 1],
        [2, 0],
        [2, 2],
        [1, 1],
        [0, 2],
      ],
      "Corners 2 and 5 are one place",
    ],
    [
      "corner on another edge",
      [
        [0, 0],
        [4, 0],
        [4, 2],
        [2, 0],
        [0, 2],
      ],
      "cross or touch",
    ],
  ])("a %s", async (_, polygon, note) => {
    const [selfCrossing, notes] = await crossing(polygon);
    expect(selfCrossing).toBe(true);
    expect(notes).toContain(note);
    expect(notes).toContain("not the ground that is covered");
  });

  test.each<[string, [number, number][]]>([
    [
      "square",
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
      ],
    ],
    [
      "closed square with a corner twice in a row",
      [
        [0, 0],
        [1, 0],
        [1, 0],
        [1, 1],
        [0, 1],
        [0, 0],
      ],
    ],
    [
      "square around a pole",
      [
        [0, 80],
        [90, 80],
        [180, 80],
        [-90, 80],
      ],
    ],
    [
      "letter C across the antimeridian",
      [
        [179, 0],
        [-179, 0],
        [-179, 1],
        [180, 1],
        [180, 2],
        [-179, 2],
        [-179, 3],
        [179, 3],
      ],
    ],
    [
      "half of the globe",
      [
        [0, 0],
        [90, 0],
        [180, 0],
        [-90, 0],
      ],
    ],
  ])("and a %s has no note", async (_, polygon) => {
    expect(await crossing(polygon)).toEqual([false, ""]);
  });

  test("among thousands of edges, or not at all", async () => {
    const comb = line(4_998, (i) => [i / 1_000, i % 4 < 2 ? 0 : 10]);
    expect(await crossing([...comb, [5, -1], [0, -1]])).toEqual([false, ""]);
    const spiral = line(5_000, (i) => [(i / 500) * Math.cos(i / 20), (i / 500) * Math.sin(i / 20)]);
    const back = spiral.map(([x, y]): [number, number] => [x * 1.005 + 0.001, y * 1.005]).reverse();
    const [selfCrossing] = await crossing([...spiral, ...back]);
    expect(selfCrossing).not.toBeUndefined();
    const [bow] = await crossing([...comb.slice(0, 3_000), [0, 20], [3, 20]]);
    expect(bow).toBe(true);
  });

  test("and a way has neither", async () => {
    expect(await measured({ from: [0, 0], to: [1, 1] })).toMatchObject({ selfCrossing: null, notes: [] });
  });
});

test("a polygon of 10,000 corners is measured", async () => {
  const polygon = Array.from({ length: 10_000 }, (_, i): [number, number] => {
    const angle = (i / 5000) * Math.PI;
    return [10 + Math.cos(angle), 50 + Math.sin(angle)];
  });
  const found = await measured({ polygon, point: [10, 50] });
  expect(found.inside).toBe(true);
  expect(found.areaSquareMeters).toBeGreaterThan(2e10);
});

describe("refuses", () => {
  const corner: [number, number] = [0, 0];
  test.each<[string, object]>([
    ["from", {}],
    ["from", { to: [0, 0] }],
    ["to", { from: [0, 0] }],
    ["from", { from: [0, 91], to: [0, 0] }],
    ["from", { from: "nowhere at all", to: [0, 0] }],
    ["to", { from: [0, 0], to: [0, 0, 0] }],
    [
      "polygon",
      {
        polygon: [
          [0, 0],
          [1, 1],
        ],
      },
    ],
    [
      "polygon",
      {
        polygon: [
          [0, 0],
          [1, 1],
          [0, 0],
        ],
      },
    ],
    ["polygon", { polygon: Array(10_001).fill(corner) }],
    [
      "polygon.1",
      {
        polygon: [
          [0, 0],
          [1, 95],
          [2, 2],
        ],
      },
    ],
    [
      "from",
      {
        from: [0, 0],
        polygon: [
          [0, 0],
          [1, 1],
          [0, 1],
        ],
      },
    ],
    ["point", { from: [0, 0], to: [1, 1], point: [0, 0] }],
    [
      "point",
      {
        polygon: [
          [0, 0],
          [1, 1],
          [0, 1],
        ],
        point: "9QCJ+2VX",
      },
    ],
  ])("%s", async (path, input) => {
    const issues = [{ path: expect.stringMatching(new RegExp(`^${path}(\\.|$)`)) }];
    await expect(geoDistance(input as Input)).rejects.toMatchObject({ code: "INVALID_INPUT", issues });
  });
});
