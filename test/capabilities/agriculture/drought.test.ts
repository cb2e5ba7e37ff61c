import { describe, expect, it } from "vitest";
import { agricultureDrought } from "../../../src/capabilities/agriculture/drought.js";
import { fakeClock } from "../../support/clock.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const row = (day: string, figures: number[]) => {
  const [none, d0, d1, d2, d3, d4] = figures;
  return { mapDate: `${day}T00:00:00`, stateAbbreviation: "CA", none, d0, d1, d2, d3, d4, statisticFormatID: 1 };
};

function open(...exchanges: Exchange[]) {
  const fake = fakeUpstream(exchanges);
  const ask = (input: { area: string; weeks?: number }) =>
    agricultureDrought(input, { fetch: fake.fetch, clock: fakeClock("2026-09-21T12:00:00Z"), cache: false });
  return { ...fake, ask };
}

describe("agriculture.drought", () => {
  it("gives the newest weeks of a state, with the worst category of each", async () => {
    const { ask, seen } = open({
      url: "/StateStatistics/",
      body: [row("2026-09-08", [100, 0, 0, 0, 0, 0]), row("2026-09-15", [34.77, 65.23, 22.32, 0.04, 0, 0])],
    });
    const { items, total, meta, source } = await ask({ area: "ca", weeks: 2 });
    expect(items).toEqual([
      { date: "2026-09-15", none: 34.77, d0: 65.23, d1: 22.32, d2: 0.04, d3: 0, d4: 0, worst: "D2" },
      { date: "2026-09-08", none: 100, d0: 0, d1: 0, d2: 0, d3: 0, d4: 0, worst: "None" },
    ]);
    expect({ total, meta }).toEqual({ total: 2, meta: { area: "CA", areaType: "state", statistics: "cumulative" } });
    expect(source.provider).toBe("U.S. Drought Monitor");
    expect(Object.fromEntries(seen[0]?.url.searchParams ?? [])).toEqual({
      aoi: "06",
      startdate: "8/31/2026",
      enddate: "9/21/2026",
      statisticsType: "1",
    });
  });

  it("reads a day that is a number, and rows with the share of missing figures", async () => {
    const { ask } = open({
      url: "/CountyStatistics/",
      body: [{ MapDate: 20230328, FIPS: "31001", D0: 100, D1: 100, D2: 77.82, D3: 0, D4: 0, None: 0, Missing: 0.5 }],
    });
    expect((await ask({ area: "31001" })).items).toEqual([
      { date: "2023-03-28", none: 0, d0: 100, d1: 100, d2: 77.82, d3: 0, d4: 0, worst: "D2" },
    ]);
  });

  it("reads the CSV that the service sends when it ignores what it was asked for, and its marks for no data", async () => {
    const { ask } = open({
      url: "/CountyStatistics/",
      headers: { "content-type": "text/csv" },
      body: "MapDate,FIPS,County,State,None,D0,D1,D2,D3,D4,ValidStart\r\n20260915,48201,Harris County,TX,0.00,100.00,-99,,0,0,2026-09-15\r\n",
    });
    const { items, meta } = await ask({ area: "48201" });
    expect(items).toEqual([{ date: "2026-09-15", none: 0, d0: 100, d1: null, d2: null, d3: 0, d4: 0, worst: "D0" }]);
    expect(meta).toMatchObject({ areaType: "county" });
  });

  it.each([
    [
      "breaks off in a row",
      "MapDate,FIPS,None,D0,D1,D2,D3,D4\n20260915,06,34.77,65.23,22.32,0.04,0,0\n20260908,06,34.77,65.2",
    ],
    ["is JSON", "[]"],
    ["is a page", "<html>Maintenance</html>"],
  ])("UP-1 a CSV that %s is not sold", async (_, body) => {
    const { ask } = open({ url: "/StateStatistics/", headers: { "content-type": "text/csv" }, body });
    await expect(ask({ area: "CA" })).rejects.toMatchObject({ status: 502, code: "UPSTREAM_ERROR" });
  });

  it("has no rows for an area that is not monitored", async () => {
    expect(await open({ url: "", body: [] }).ask({ area: "00000" })).toMatchObject({ items: [], total: 0 });
  });

  it.each(["ZZ", "123", "1234", "ca1", "../06"])("refuses the area %s without asking", async (area) => {
    const { ask, seen } = open();
    await expect(ask({ area })).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path: "area" }] });
    expect(seen).toEqual([]);
  });

  it("UP-3 reports a renamed field instead of selling nulls", async () => {
    const { ask } = open({ url: "", body: [{ map_date: "2026-09-15", none: 1 }] });
    await expect(ask({ area: "CA" })).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA" });
  });
});
