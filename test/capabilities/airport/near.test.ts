import { describe, expect, it } from "vitest";
import { airportNear } from "../../../src/capabilities/airport/near.js";
import type { Input } from "../../../src/capability/types.js";
import { fakeUpstream } from "../../support/upstream.js";
import { type Fields, fileOf } from "./_airports-csv.js";

const franconia: Fields[] = [
  {
    id: 2256,
    ident: "EDNY",
    name: "Friedrichshafen",
    type: "large_airport",
    lat: 47.671299,
    lon: 9.51149,
    scheduled: "yes",
  },
  {
    id: 2261,
    ident: "EDQD",
    name: "Bayreuth",
    type: "medium_airport",
    lat: 49.985001,
    lon: 11.64,
    icao: "EDQD",
    iata: "BYU",
  },
  { id: 2262, ident: "EDQE", name: "Burg Feuerstein", lat: 49.794167, lon: 11.133611, elevation: 1673 },
  { id: 3, ident: "DE-0001", name: "Gone", type: "closed", lat: 49.92, lon: 10.91 },
  { id: 317932, ident: "EDQA", name: "Bamberg", type: "medium_airport", lat: 49.920403, lon: 10.914233 },
  { id: 4, ident: "LKKV", name: "Karlovy Vary", lat: 50.203, lon: 12.915, country: "CZ", scheduled: "yes" },
];
const bamberg = { lat: 49.9204, lon: 10.9142 };

function open(airports: Fields[]) {
  const { fetch, seen } = fakeUpstream([{ url: "airports.csv", body: fileOf(...airports) }]);
  const ask = (input: Input<typeof airportNear>) => airportNear(input, { fetch, cache: false, dataDir: "/nowhere" });
  const near = async (input: Input<typeof airportNear>) => {
    const { items } = await ask(input);
    return items[0]?.airports.map(({ ident, distanceKm }) => `${ident} ${distanceKm}`);
  };
  return { ask, near, seen };
}

describe("airport.near", () => {
  it("lists what is open around a point, nearest first", async () => {
    const { items, total, meta, source } = await open(franconia).ask({ ...bamberg, radius_km: 60 });
    expect(items[0]?.airports.map(({ ident, distanceKm }) => [ident, distanceKm])).toEqual([
      ["EDQA", 0],
      ["EDQE", 21.08],
      ["EDQD", 52.42],
    ]);
    expect(items[0]?.airports[2]).toEqual({
      id: 2261,
      ident: "EDQD",
      name: "Bayreuth",
      iataCode: "BYU",
      icaoCode: "EDQD",
      type: "medium_airport",
      latitude: 49.985001,
      longitude: 11.64,
      distanceKm: 52.42,
      elevationFt: null,
      isoCountry: "DE",
      isoRegion: "DE-BY",
      municipality: "Town",
      scheduledService: false,
    });
    expect(items[0]?.count).toBe(3);
    expect({ total, meta }).toEqual({ total: 1, meta: { matched: 3 } });
    expect(source.provider).toBe("OurAirports");
  });

  it("says what was asked, with its defaults", async () => {
    const { ask } = open(franconia);
    expect((await ask(bamberg)).items[0]?.query).toEqual({
      ...{ ...bamberg, radiusKm: 200, limit: 20 },
      ...{ type: null, country: null, scheduledService: null },
    });
    const filtered = { radius_km: 300.5, limit: 2, type: "heliport", country: "CZ", scheduled_service: false } as const;
    expect((await ask({ ...bamberg, ...filtered })).items[0]?.query).toEqual({
      ...{ ...bamberg, radiusKm: 300.5, limit: 2 },
      ...{ type: "heliport", country: "CZ", scheduledService: false },
    });
  });

  it("filters by type, country and scheduled service", async () => {
    const { near } = open(franconia);
    const wide = { ...bamberg, radius_km: 2000 };
    expect(await near({ ...wide, type: "closed" })).toEqual(["DE-0001 0.3"]);
    expect(await near({ ...wide, type: "medium_airport" })).toEqual(["EDQA 0", "EDQD 52.42"]);
    expect(await near({ ...wide, country: "CZ" })).toEqual(["LKKV 146.23"]);
    expect(await near({ ...wide, scheduled_service: true })).toEqual(["LKKV 146.23", "EDNY 270.36"]);
    expect(await near({ ...wide, scheduled_service: false })).toEqual(["EDQA 0", "EDQE 21.08", "EDQD 52.42"]);
    expect(await near({ ...wide, country: "DE", scheduled_service: true })).toEqual(["EDNY 270.36"]);
  });

  it("tells how many matched beyond the limit", async () => {
    const { items, meta } = await open(franconia).ask({ ...bamberg, radius_km: 2000, limit: 2 });
    expect({ count: items[0]?.count, meta }).toEqual({ count: 2, meta: { matched: 5 } });
  });

  it("orders airports of one place by ident, at the limit too", async () => {
    const same = ["CCCC", "AAAA", "DDDD", "BBBB"].map((ident, id) => ({ ident, id, lat: 1, lon: 2 }));
    expect(await open(same).near({ lat: 1, lon: 2, limit: 2 })).toEqual(["AAAA 0", "BBBB 0"]);
  });

  it("looks across the antimeridian and the pole", async () => {
    const { near } = open([
      { ident: "FIJI", lat: -17, lon: 179.9 },
      { ident: "POLE", lat: 89.5, lon: 170 },
      { ident: "ELSE", lat: 40, lon: 0 },
    ]);
    expect(await near({ lat: -17, lon: -179.9, radius_km: 50 })).toEqual(["FIJI 21.27"]);
    expect(await near({ lat: 89.5, lon: -10 })).toEqual(["POLE 111.2"]);
  });

  it("has an empty list where there is nothing", async () => {
    const { items, total } = await open(franconia).ask({ lat: -60, lon: -120 });
    expect(items[0]).toMatchObject({ count: 0, airports: [] });
    expect(total).toBe(1);
  });

  it.each([
    ["lat", { lat: 90.5 }],
    ["lon", { lon: -180.1 }],
    ["radius_km", { radius_km: 0 }],
    ["radius_km", { radius_km: 2001 }],
    ["limit", { limit: 101 }],
    ["limit", { limit: 1.5 }],
    ["country", { country: "us" }],
  ])("refuses a wrong %s without asking", async (path, wrong) => {
    const { ask, seen } = open(franconia);
    await expect(ask({ ...bamberg, ...wrong })).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path }] });
    expect(seen).toEqual([]);
  });

  it("UP-2 is an error, and no empty list, when the airports cannot be had", async () => {
    const { fetch } = fakeUpstream([{ url: "", status: 500 }]);
    const failed = airportNear(bamberg, { fetch, cache: false, dataDir: "/nowhere" });
    await expect(failed).rejects.toMatchObject({ code: "UPSTREAM_ERROR", status: 502 });
  });
});
