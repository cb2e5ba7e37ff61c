import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { geoConvert } from "../../../src/capabilities/geo/convert.js";
import { onlyItem } from "../../support/only-item.js";

type Input = Parameters<typeof geoConvert>[0];
const converted = async (input: Input) => onlyItem(await geoConvert(input));
const suite = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../suites/places/${name}.json`, import.meta.url), "utf8"));
/** See test/suites/README.md. */
const codes: {
  encoding: [latitude: number, longitude: number, length: number, code: string][];
  decoding: [code: string, length: number, south: number, west: number, north: number, east: number][];
  validity: [code: string, isValid: boolean, isShort: boolean, isFull: boolean][];
  short: [code: string, latitude: number, longitude: number, short: string, way: "B" | "R" | "S"][];
} = suite("plus-codes");
const cells: Record<"centres" | "points", [cell: string, latitude: number, longitude: number][]> = suite("cells");

test("a place is told in every notation", async () => {
  await expect(converted({ latitude: 48.8582, longitude: 2.2945 })).resolves.toEqual({
    format: "degrees",
    latitude: 48.8582,
    longitude: 2.2945,
    dms: `48°51'29.520"N 2°17'40.200"E`,
    utm: "31 N 448251.8 5411932.68",
    mgrs: "31UDQ4825111932",
    plusCode: "8FW4V75V+7R",
    shortCode: null,
    geohash: "u09tunqg9",
    h3: "891fb46741bffff",
    bounds: null,
    precisionMeters: null,
  });
});

test("only the notations asked for are written, as fine as asked for", async () => {
  const found = await converted({
    ...{ latitude: 48.8582, longitude: 2.2945, to: ["mgrs", "geohash", "plusCode", "h3"] },
    lengths: { mgrs: 2, geohash: 4, plusCode: 12, h3: 5 },
  });
  expect(found).toMatchObject({ dms: null, utm: null, mgrs: "31UDQ4811", geohash: "u09t", plusCode: "8FW4V75V+7RJ2" });
  expect(found.h3).toMatch(/^851fb467fffffff$/);
});

describe("degrees are read as people write them", () => {
  test.each([
    ["40.446, -79.982", "degrees"],
    ["40.446 -79.982", "degrees"],
    ["N 40.446° W 79.982°", "degrees"],
    ["79.982 W, 40.446 N", "degrees"],
    ["geo:40.446,-79.982", "degrees"],
    ["+40.446-079.982/", "degrees"],
    ["−79.982E, 40.446N", undefined],
    [`40°26'45.6"N 79°58'55.2"W`, "dms"],
    ["40° 26′ 45.6″ N, 79° 58′ 55.2″ W", "dms"],
    ["40º26’45.6”N 79º58’55.2”W", "dms"],
    ["40:26:45.6N 79:58:55.2W", "dms"],
    ["40 26 45.6 -79 58 55.2", "dms"],
    ["40 26.76 N 79 58.92 W", "dms"],
    ["W79°58.92' N40°26.76'", "dms"],
    ["40°26''N 79°58'W", undefined],
    ["40 61 N 79 0 W", undefined],
    ["40.5 26 N 79 0 W", undefined],
    ["40 -26 N 79 0 W", undefined],
    ["40 N 79 N", undefined],
    ["91, 0", undefined],
    ["0, 361", undefined],
    ["40", undefined],
    ["40, 79, 12", undefined],
    ["forty, north", undefined],
  ])("%s", async (value, format) => {
    if (!format)
      return expect(converted({ value })).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path: "value" }] });
    const found = await converted({ value, to: ["dms"] });
    expect(found.format).toBe(format);
    expect(found.latitude).toBeCloseTo(40.446, 9);
    expect(found.longitude).toBeCloseTo(-79.982, 9);
  });

  test("seconds are carried over", async () => {
    const { dms } = await converted({ latitude: -0.99999999999, longitude: 179.99999999999 });
    expect(dms).toBe(`1°00'00.000"S 180°00'00.000"E`);
  });
});

describe("open-location-code's", () => {
  test("encoding", async () => {
    // Beyond a pole there is nothing: we refuse, their code clips.
    for (const [latitude, longitude, length, code] of codes.encoding.filter(([latitude]) => Math.abs(latitude) <= 90))
      expect(await converted({ latitude, longitude, to: ["plusCode"], lengths: { plusCode: length } })).toMatchObject({
        plusCode: code,
      });
  });

  test("decoding", async () => {
    for (const [value, , south, west, north, east] of codes.decoding) {
      const { bounds, plusCode, precisionMeters } = await converted({ value, to: ["plusCode"] });
      const found = [bounds?.south, bounds?.west, bounds?.north, bounds?.east];
      for (const [i, edge] of [south, west, north, east].entries()) expect(found[i]).toBeCloseTo(edge, 9);
      expect(plusCode).toBe(value);
      expect(precisionMeters).toBeGreaterThan(0);
    }
  });

  test("validity", async () => {
    for (const [value, isValid, isShort] of codes.validity) {
      const found = converted({ value, format: "plusCode", to: ["plusCode"] });
      if (isValid && !isShort) await expect(found).resolves.toMatchObject({ format: "plusCode" });
      else await expect(found).rejects.toMatchObject({ issues: [{ path: isShort ? "near" : "value" }] });
    }
  });

  test("short codes, recovered and written", async () => {
    for (const [code, latitude, longitude, short, way] of codes.short) {
      const near = { latitude, longitude };
      const read = await converted({ value: short, near, to: ["plusCode"] });
      expect(read.plusCode).toBe(code);
      if (way === "B") expect((await converted({ value: code, near, to: ["plusCode"] })).shortCode).toBe(short);
    }
  });
});

describe("ngageoint's MGRS", () => {
  test.each([
    ["33X", 72, 9, null],
    ["33XVG", 77.445472, 10.8756458, 100_000],
    ["33XVG74", 77.8324735, 13.7248758, 10_000],
    ["33XVG7443", 77.8600782, 13.8924385, 1000],
    ["33XVG745435", 77.8646415, 13.9133378, 100],
    ["33XVG74594359", 77.8654628, 13.9171014, 10],
    ["33X VG 74597 43593", 77.8654908, 13.9173973, 1],
    ["33x vg 74597 43593", 77.8654908, 13.9173973, 1],
    // Squares that reach beyond their zone have the corner of the part within.
    ["32VJN", 60.3007719, 3, 100_000],
    ["32VKS", 63.9024981, 3, 100_000],
    ["32VJR", 63.0020546, 3, 100_000],
    ["32VJH", 56, 3, 100_000],
    ["38KNU", -24, 45, 100_000],
    ["38KRU", -24, 47.9486444, 100_000],
    ["32VPH", 56, 10.6034691, 100_000],
  ])("%s", async (value, latitude, longitude, side) => {
    const found = await converted({ value });
    expect(found).toMatchObject({ format: "mgrs", mgrs: value.replaceAll(" ", "").toUpperCase() });
    expect(Math.abs(found.latitude - latitude)).toBeLessThan(1e-4);
    expect(Math.abs(found.longitude - longitude)).toBeLessThan(1e-4);
    if (side) expect(found.precisionMeters).toBe(side);
    else expect(found.bounds).toEqual({ south: 72, west: 9, north: 84, east: 21 });
  });

  test.each([
    [63.98863, 29.06757, "35VPL0115697387"],
    [12.4, 53.51, "39PYP7290672069"],
    [21.309444, -157.916861, "4QFJ1234056781"],
    [8.1258235, 17.3714337, "33PYJ6132198972"],
  ])("%d, %d", async (latitude, longitude, mgrs) => {
    for (const digits of [5, 4, 3, 2, 1, 0]) {
      const head = mgrs.length - 10;
      const [east, north] = [mgrs.slice(head, head + 5), mgrs.slice(head + 5)].map((part) => part.slice(0, digits));
      const found = await converted({ latitude, longitude, to: ["mgrs"], lengths: { mgrs: digits } });
      expect(found.mgrs).toBe(mgrs.slice(0, head) + east + north);
      // A square is read and written again as it was.
      expect((await converted({ value: found.mgrs ?? "", to: ["mgrs"] })).mgrs).toBe(found.mgrs);
    }
  });

  test.each(["32X", "32XMH", "32XMH1111", "34X", "36X", "61X", "0C", "33XAA", "33XVG745", "33XVG745943591", "31NAV"])(
    "%s is refused",
    async (value) => {
      const found = converted({ value, format: "mgrs" });
      await expect(found).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path: "value" }] });
    },
  );

  test("UTM is read and written", async () => {
    for (const value of ["33 N 474596 8643594", "33N 474596 8643594", "33X 474596E 8643594N", "33 n 474596, 8643594"])
      expect(await converted({ value })).toMatchObject({
        ...{ format: "utm", utm: "33 N 474596 8643594", mgrs: "33XVG7459643594" },
      });
    expect(await converted({ value: "33 N 474596.26 8643594.54" })).toMatchObject({ utm: "33 N 474596.26 8643594.54" });
    expect(await converted({ value: "56 S 334873 6252267" })).toMatchObject({ mgrs: "56HLH3487352267" });
  });
});

test("near the poles there is no UTM", async () => {
  expect(await converted({ latitude: 89, longitude: 0 })).toMatchObject({
    utm: null,
    mgrs: null,
    geohash: "upb421bn8",
  });
});

test("H3's cells have their centres, and points lie in theirs", async () => {
  for (const [value, latitude, longitude] of cells.centres) {
    const found = await converted({ value, to: ["h3"] });
    expect(found).toMatchObject({ format: "h3", h3: value, precisionMeters: expect.any(Number) });
    expect(Math.abs(found.latitude - latitude)).toBeLessThan(1e-6);
    expect(Math.abs(((found.longitude - longitude + 540) % 360) - 180)).toBeLessThan(1e-5);
  }
  for (const [cell, latitude, longitude] of [...cells.centres, ...cells.points]) {
    const lengths = { h3: Number.parseInt(cell[1] ?? "", 16) };
    expect((await converted({ latitude, longitude, to: ["h3"], lengths })).h3).toBe(cell);
  }
});

test("geohashes", async () => {
  const found = await converted({ value: "ezs42", to: ["geohash"] });
  expect(found).toMatchObject({ format: "geohash", geohash: "ezs42" });
  expect(found.latitude).toBeCloseTo(42.605, 3);
  expect(found.longitude).toBeCloseTo(-5.603, 3);
  const finest = { latitude: 57.64911, longitude: 10.40744, to: ["geohash" as const], lengths: { geohash: 11 } };
  expect((await converted(finest)).geohash).toBe("u4pruydqqvj");
});

describe("refuses", () => {
  test.each<[string, object]>([
    ["value", {}],
    ["value", { value: "nowhere at all" }],
    ["value", { value: "8528347ffffffff" }],
    ["value", { value: "9".repeat(101) }],
    ["latitude", { latitude: 91, longitude: 0 }],
    ["latitude", { longitude: 0 }],
    ["longitude", { latitude: 0 }],
    ["longitude", { latitude: 0, longitude: 1e9 }],
    ["latitude", { latitude: 0, longitude: 0, value: "u33" }],
    ["near", { value: "9QCJ+2VX" }],
    ["near", { value: "9QCJ+2VX", near: "nowhere at all" }],
    ["near", { value: "9QCJ+2VX", near: [0, 91] }],
    ["to", { value: "u33", to: [] }],
    ["to.0", { value: "u33", to: ["gars"] }],
    ["format", { value: "u33", format: "gars" }],
    ["format", { latitude: 0, longitude: 0, format: "dms" }],
    ["lengths.plusCode", { latitude: 0, longitude: 0, lengths: { plusCode: 5 } }],
    ["lengths.geohash", { latitude: 0, longitude: 0, lengths: { geohash: 13 } }],
    ["lengths.h3", { latitude: 0, longitude: 0, lengths: { h3: 16 } }],
    ["lengths.mgrs", { latitude: 0, longitude: 0, lengths: { mgrs: 6 } }],
  ])("%s", async (path, input) => {
    const issues = [{ path: expect.stringMatching(new RegExp(`^${path}(\\.|$)`)) }];
    await expect(geoConvert(input as Input)).rejects.toMatchObject({ code: "INVALID_INPUT", issues });
  });
});
