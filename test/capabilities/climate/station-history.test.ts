import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { climateStationHistory } from "../../../src/capabilities/climate/station-history.js";
import type { Input } from "../../../src/capability/types.js";
import { fakeClock } from "../../support/clock.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";
import { emirates } from "./_station-list.js";

const july = { station: "USW00094728", startDate: "2023-07-15", endDate: "2023-07-17" };
const day = (date: string, figures: object) => ({ DATE: date, STATION: "USW00094728", ...figures });

function open(exchange: Partial<Exchange>, options: { dataDir?: string; cache?: false } = {}) {
  const fake = fakeUpstream([{ url: "/access/services/data/v1", ...exchange }]);
  const clock = fakeClock("2023-10-01T00:00:00Z");
  const ask = (input: Partial<Input<typeof climateStationHistory>> = {}) =>
    climateStationHistory({ ...july, ...input }, { fetch: fake.fetch, clock, dataDir: "/nowhere", ...options });
  return { ...fake, clock, ask };
}

describe("climate.station-history", () => {
  it("gives the days of a span in order, in degrees and millimetres", async () => {
    const { ask, seen } = open({
      body: [
        day("2023-07-16", { TMAX: "  256", TMIN: "  233", PRCP: "   46", AWBT: "  239" }),
        day("2023-07-15", { TMAX: "  311", TMIN: "   -7", PRCP: "    0" }),
        day("2023-07-17", { TMAX: "  311" }),
      ],
    });
    const { items, total, meta, source } = await ask();
    expect(items).toEqual([
      { date: "2023-07-15", tmax: 31.1, tmin: -0.7, prcp: 0 },
      { date: "2023-07-16", tmax: 25.6, tmin: 23.3, prcp: 4.6 },
      { date: "2023-07-17", tmax: 31.1, tmin: null, prcp: null },
    ]);
    expect(total).toBe(3);
    const units = { tmax: "C", tmin: "C", prcp: "mm" };
    expect(meta).toEqual({ ...july, dataTypes: ["TMAX", "TMIN", "PRCP"], units });
    expect(source.provider).toBe("NOAA NCEI");
    expect(seen[0]?.url.href).toMatch(/^https:\/\/www\.ncei\.noaa\.gov\/access\/services\/data\/v1\?/);
    expect(Object.fromEntries(seen[0]?.url.searchParams ?? [])).toEqual({
      dataset: "daily-summaries",
      stations: "USW00094728",
      startDate: "2023-07-15",
      endDate: "2023-07-17",
      dataTypes: "TMAX,TMIN,PRCP",
      format: "json",
    });
  });

  it("reads every element in its own unit, and only those that were asked for", async () => {
    const figures = { TAVG: "123", SNOW: "25", SNWD: "  300", AWND: "   32", WSF2: "101", WSF5: "152", EVAP: 17 };
    const { ask, seen } = open({ body: [day("2023-07-15", { ...figures, TMAX: "1" })] });
    const { items, meta } = await ask({ dataTypes: " snow,SNWD, awnd,wsf2,WSF5,EVAP,tavg,SNOW" });
    expect(items).toEqual([
      { date: "2023-07-15", snow: 25, snwd: 300, awnd: 3.2, wsf2: 10.1, wsf5: 15.2, evap: 1.7, tavg: 12.3 },
    ]);
    const units = { snow: "mm", snwd: "mm", awnd: "m/s", wsf2: "m/s", wsf5: "m/s", evap: "mm", tavg: "C" };
    expect(meta).toMatchObject({ units });
    expect(seen[0]?.url.searchParams.get("dataTypes")).toBe("TAVG,SNOW,SNWD,AWND,WSF2,WSF5,EVAP");
  });

  it("reads the archive's marks for no data as null", async () => {
    const { ask } = open({ body: [day("2023-07-15", { TMAX: "-9999", TMIN: "     ", PRCP: null })] });
    expect((await ask()).items).toEqual([{ date: "2023-07-15", tmax: null, tmin: null, prcp: null }]);
  });

  it.each([
    ["station", { station: "usw00094728" }],
    ["station", { station: "USW0009472" }],
    ["startDate", { startDate: "2023-02-30" }],
    ["endDate", { endDate: "2023-07-14" }],
    ["endDate", { endDate: "2024-07-15" }],
    ["dataTypes", { dataTypes: "TMAX,TMEAN" }],
    ["dataTypes", { dataTypes: "TMAX," }],
    ["dataTypes", { dataTypes: "__proto__" }],
    ["dataTypes", { dataTypes: "" }],
  ])("refuses a wrong %s without asking", async (path, wrong) => {
    const { ask, seen } = open({ body: [] });
    await expect(ask(wrong)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path }] });
    expect(seen).toEqual([]);
  });

  it("takes 366 days, and one", async () => {
    const { ask } = open({ body: [] });
    expect(await ask({ startDate: "2023-07-15", endDate: "2024-07-14" })).toMatchObject({ items: [] });
    expect(await ask({ startDate: "2023-07-15", endDate: "2023-07-15" })).toMatchObject({ items: [] });
  });

  it("asks again after 6 hours for days of the last two months, after 30 days for older ones", async () => {
    const { ask, seen, clock } = open({ body: [day("2023-07-15", { TMAX: "1" })] });
    const recent = { startDate: "2023-08-01", endDate: "2023-08-03" };
    const askBoth = () => Promise.all([ask(), ask(recent)]);
    await askBoth();
    await askBoth();
    expect(seen).toHaveLength(2);
    clock.advance(6 * 3600 + 1);
    await askBoth();
    expect(seen).toHaveLength(3);
    clock.advance(30 * 86_400);
    await askBoth();
    expect(seen).toHaveLength(5);
  });

  it("has no rows when a station has no data, and is a 404 when the list knows no such station", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "stations-"));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const { ask, seen } = open({ body: [] }, { dataDir, cache: false });
    expect(await ask()).toMatchObject({ items: [], total: 0 });
    await writeFile(join(dataDir, "ghcnd-stations.txt"), emirates);
    await expect(ask()).rejects.toMatchObject({ code: "NOT_FOUND", status: 404 });
    expect(await ask({ station: "AEM00041194" })).toMatchObject({ items: [], total: 0 });
    await writeFile(join(dataDir, "ghcnd-stations.txt"), "broken");
    expect(await ask()).toMatchObject({ items: [], total: 0 });
    expect(seen.every(({ url }) => url.pathname === "/access/services/data/v1")).toBe(true);
  });

  it("tells the caller's fault from the service's", async () => {
    const refused = {
      errorMessage: "Invalid",
      errorCode: 400,
      errors: [{ field: "stations", message: "no", value: "x" }],
    };
    await expect(open({ status: 400, body: refused }).ask()).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(open({ status: 503, body: "<html>" }).ask()).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
    const limited = open({ status: 429, headers: { "retry-after": "60" } });
    await expect(limited.ask()).rejects.toMatchObject({ code: "UPSTREAM_RATE_LIMIT", retryAfter: 60 });
  });

  it.each([
    ["without the dates", [{ date: "2023-07-15", TMAX: "  311" }]],
    ["without any element that was asked for", [day("2023-07-15", { tmax: "  311" })]],
    ["with figures that are none", [day("2023-07-15", { TMAX: "31.1 C" })]],
    ["that is no list", { TMAX: "  311" }],
  ])("UP-3 sells no nulls made of an answer %s", async (_, body) => {
    await expect(open({ body }).ask()).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA", status: 502 });
  });
});
