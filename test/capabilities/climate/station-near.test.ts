import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { climateStationNear } from "../../../src/capabilities/climate/station-near.js";
import { createContext } from "../../../src/capability/context.js";
import type { Input } from "../../../src/capability/types.js";
import { forgetBulk } from "../../../src/upstream/bulk/bulk.js";
import { fakeUpstream } from "../../support/upstream.js";
import { emirates, listOf } from "./_station-list.js";

const dubai = { lat: 25.2, lon: 55.3 };

function open(body: string) {
  const { fetch, seen } = fakeUpstream([{ url: "/pub/data/ghcn/daily/ghcnd-stations.txt", body }]);
  const ask = (input: Input<typeof climateStationNear>) =>
    climateStationNear(input, { fetch, cache: false, dataDir: "/nowhere" });
  const near = async (input: Input<typeof climateStationNear>) =>
    (await ask(input)).items.map(({ id, distanceKm }) => `${id} ${distanceKm}`);
  return { ask, near, seen };
}

describe("climate.station-near", () => {
  it("lists stations around a point, nearest first", async () => {
    const { items, total, meta, source } = await open(emirates).ask({ ...dubai, radius_km: 100 });
    expect(items).toEqual([
      {
        id: "AEM00041194",
        name: "DUBAI INTL",
        latitude: 25.255,
        longitude: 55.364,
        elevationM: 10.4,
        state: null,
        countryFips: "AE",
        gsn: false,
        hcnCrn: null,
        wmoId: "41194",
        distanceKm: 8.88,
      },
      {
        id: "AE000041196",
        name: "SHARJAH INTER. AIRP",
        latitude: 25.333,
        longitude: 55.517,
        elevationM: 34,
        state: null,
        countryFips: "AE",
        gsn: true,
        hcnCrn: null,
        wmoId: "41196",
        distanceKm: 26.36,
      },
    ]);
    expect(total).toBe(2);
    expect(meta).toEqual({ query: { ...dubai, radiusKm: 100, limit: 100 }, count: 2 });
    expect(source).toMatchObject({ provider: "NOAA NCEI", license: "Public domain (U.S. Government; NOAA)" });
  });

  it("reads states, networks and the mark of an unknown elevation", async () => {
    const station = { id: "USC00042319", lat: 36.4622, lon: -116.8669, elevation: -999.9, state: "CA" };
    const { items } = await open(listOf({ ...station, network: "HCN" })).ask({ lat: 36, lon: -117 });
    expect(items[0]).toMatchObject({ state: "CA", hcnCrn: "HCN", gsn: false, elevationM: null, wmoId: null });
    const below = await open(listOf({ ...station, elevation: -59.1 })).ask({ lat: 36, lon: -117 });
    expect(below.items[0]?.elevationM).toBe(-59.1);
  });

  it("searches 500 km by default, and counts what its limit leaves out", async () => {
    const { ask } = open(emirates);
    const { items, total, meta } = await ask({ ...dubai, limit: 1 });
    expect({ ids: items.map(({ id }) => id), total }).toEqual({ ids: ["AEM00041194"], total: 3 });
    expect(meta).toEqual({ query: { ...dubai, radiusKm: 500, limit: 1 }, count: 1 });
  });

  it("lists 100 at most, those of one place by id, whatever their order in the file", async () => {
    const ids = Array.from({ length: 150 }, (_, i) => `US1${String((i * 7) % 150).padStart(8, "0")}`);
    const { items, total } = await open(listOf(...ids.map((id) => ({ id, lat: 40, lon: -100 })))).ask({
      lat: 40,
      lon: -100,
    });
    expect(items.map(({ id }) => id)).toEqual(ids.toSorted().slice(0, 100));
    expect(total).toBe(150);
  });

  it("looks across the antimeridian", async () => {
    const { near } = open(
      listOf({ id: "FJM00091683", lat: -16.8, lon: -179.99 }, { id: "FJM00091680", lat: -17.8, lon: 170 }),
    );
    expect(await near({ lat: -16.8, lon: 179.99, radius_km: 10 })).toEqual(["FJM00091683 2.13"]);
  });

  it("has no rows where there is no station", async () => {
    expect(await open(emirates).ask({ lat: -60, lon: -120 })).toMatchObject({ items: [], total: 0 });
  });

  it.each([
    ["lat", { lat: -91 }],
    ["lon", { lon: 181 }],
    ["radius_km", { radius_km: 0.5 }],
    ["radius_km", { radius_km: 5001 }],
    ["limit", { limit: 0 }],
    ["limit", { limit: 101 }],
  ])("refuses a wrong %s without asking", async (path, wrong) => {
    const { ask, seen } = open(emirates);
    await expect(ask({ ...dubai, ...wrong })).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path }] });
    expect(seen).toEqual([]);
  });

  it.each([
    ["an error page", "<html>\n<body>Service unavailable</body>\n</html>\n"],
    ["nothing", ""],
    ["another order of columns", emirates.replaceAll(/^(.{11}) (.{8})/gm, "$2 $1")],
    ["one line and then something else", `${emirates.split("\n")[0]}\n{"error":1}\n{"error":2}\n`],
  ])("UP-3 takes no station list from %s", async (_, body) => {
    await expect(open(body).ask(dubai)).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA", status: 502 });
  });

  it("UP-2 is an error, and no empty list, when the stations cannot be had", async () => {
    const { fetch } = fakeUpstream([{ url: "", status: 503 }]);
    const failed = climateStationNear(dubai, { fetch, cache: false, dataDir: "/nowhere" });
    await expect(failed).rejects.toMatchObject({ code: "UPSTREAM_ERROR", status: 502 });
  });
});

describe("the list of stations", () => {
  let dataDir = "";
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "stations-"));
    forgetBulk();
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  it("is loaded once, ahead of the first call", async () => {
    const { fetch, seen } = fakeUpstream([{ url: "ghcnd-stations.txt", body: emirates }]);
    await climateStationNear.warmUp(createContext({ fetch, dataDir }, { timeoutMs: 5000 }));
    for (let i = 0; i < 3; i++) expect((await climateStationNear(dubai, { fetch, dataDir })).total).toBe(3);
    expect(seen).toHaveLength(1);
  });

  it("that is in the data folder is used as it is", async () => {
    await writeFile(join(dataDir, "ghcnd-stations.txt"), emirates);
    expect((await climateStationNear(dubai, { fetch: fakeUpstream([]).fetch, dataDir })).total).toBe(3);
  });
});
