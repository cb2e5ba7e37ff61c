import { describe, expect, it } from "vitest";
import { aviationMetar } from "../../../src/capabilities/aviation/metar.js";
import { fakeClock } from "../../support/clock.js";
import { emptyBut } from "../../support/empty-but.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const row = (icaoId: string, more: object = {}) =>
  emptyBut("wdir wspd wgst visib clouds temp dewp altim", {
    icaoId,
    obsTime: 1774673460,
    rawOb: `METAR ${icaoId} 280451Z 34013G21KT 10SM FEW050 05/M10 A3021`,
    ...more,
  });
const found = (...body: object[]): Exchange => ({ url: "/metar", body });

function open(exchange: Exchange) {
  const fake = fakeUpstream([exchange]);
  const ask = (ids: string) => aviationMetar({ ids }, { fetch: fake.fetch, clock: fakeClock(), cache: false });
  const first = async () => (await ask("KEWR")).items[0];
  return { ...fake, ask, first };
}

describe("aviation.metar", () => {
  it("gives the raw report and what it says, with the pressure in inches", async () => {
    const { ask, seen } = open(
      found(
        row("KEWR", {
          temp: 5,
          dewp: -10,
          wdir: 340,
          wspd: 13,
          wgst: 21,
          visib: "10+",
          altim: 1023.1,
          slp: 1022.8,
          metarType: "METAR",
          lat: 40.6828,
          lon: -74.1692,
          elev: 2,
          name: "Newark Intl, NJ, US",
          clouds: [{ cover: "FEW", base: 5000 }],
          fltCat: "VFR",
        }),
      ),
    );
    const { items, total, meta, source } = await ask("KEWR");
    expect(items).toEqual([
      {
        station: "KEWR",
        name: "Newark Intl, NJ, US",
        latitude: 40.6828,
        longitude: -74.1692,
        elevationM: 2,
        observedAt: "2026-03-28T04:51:00Z",
        reportType: "METAR",
        raw: "METAR KEWR 280451Z 34013G21KT 10SM FEW050 05/M10 A3021",
        flightCategory: "VFR",
        temperatureC: 5,
        dewpointC: -10,
        windDirectionDeg: 340,
        windVariable: false,
        windSpeedKt: 13,
        windGustKt: 21,
        visibilityMi: 10,
        visibilityText: "10+",
        altimeterInHg: 30.21,
        seaLevelPressureHpa: 1022.8,
        weather: null,
        clouds: [{ cover: "FEW", baseFtAgl: 5000 }],
      },
    ]);
    expect({ total, meta }).toEqual({ total: 1, meta: { requested: ["KEWR"], missing: [] } });
    expect(source.license).toBe("Public domain (U.S. Government)");
    expect(seen[0]?.url.search).toBe("?ids=KEWR&format=json");
    expect(seen[0]?.headers.get("user-agent")).toBe("Coinslot");
  });

  it("asks for each station once, and answers in the caller's order with the newest report", async () => {
    const { ask, seen } = open(
      found(row("EGLL"), row("KJFK", { obsTime: 1 }), row("KJFK", { obsTime: 2, rawOb: "new" })),
    );
    const { items, meta } = await ask(" jfk, ZZZZ egll,KJFK,");
    expect(items.map(({ station, raw }) => [station, raw.slice(0, 5)])).toEqual([
      ["KJFK", "new"],
      ["EGLL", "METAR"],
    ]);
    expect(meta).toEqual({ requested: ["KJFK", "ZZZZ", "EGLL"], missing: ["ZZZZ"] });
    expect(seen[0]?.url.searchParams.get("ids")).toBe("KJFK,ZZZZ,EGLL");
  });

  it.each<[string, Exchange]>([
    ["200 and no bytes", { url: "", body: "" }],
    ["204", { url: "", status: 204 }],
  ])("takes %s for no report", async (_, exchange) => {
    expect(await open(exchange).ask("ZZZZ")).toMatchObject({ items: [], total: 0, meta: { missing: ["ZZZZ"] } });
  });

  it.each<[unknown, object]>([
    ["VRB", { windDirectionDeg: null, windVariable: true }],
    [0, { windDirectionDeg: 0, windVariable: false }],
    [null, { windDirectionDeg: null, windVariable: false }],
  ])("reads the wind direction %s", async (wdir, expected) => {
    expect(await open(found(row("KEWR", { wdir, wspd: 0 }))).first()).toMatchObject(expected);
  });

  it.each<[unknown, number | null, string | null]>([
    ["6+", 6, "6+"],
    [0.25, 0.25, "0.25"],
    ["1 1/2", 1.5, "1 1/2"],
    ["M1/4", 0.25, "M1/4"],
    ["10SM+", 10, "10SM+"],
    ["", null, null],
    ["fog", null, "fog"],
    [null, null, null],
  ])("reads the visibility %j", async (visib, visibilityMi, visibilityText) => {
    expect(await open(found(row("KEWR", { visib }))).first()).toMatchObject({ visibilityMi, visibilityText });
  });

  it.each<[string | null, object]>([
    ["VFR", { visib: "10+", clouds: [{ cover: "SCT", base: 400 }] }],
    ["MVFR", { visib: 5, clouds: [] }],
    ["MVFR", { visib: "10+", clouds: [{ cover: "BKN", base: 3000 }] }],
    ["VFR", { visib: "10+", clouds: [{ cover: "BKN", base: 3100 }] }],
    [
      "IFR",
      {
        visib: "10+",
        clouds: [
          { cover: "OVC", base: 900 },
          { cover: "FEW", base: 100 },
        ],
      },
    ],
    ["IFR", { visib: "2 1/2" }],
    ["LIFR", { visib: 4, clouds: [{ cover: "OVC", base: 400 }] }],
    ["LIFR", { visib: 3, clouds: [{ cover: "OVX", base: null }] }],
    ["LIFR", { visib: "3/4" }],
    [null, { clouds: [] }],
    ["IFR", { visib: "10+", fltCat: "IFR" }],
    ["VFR", { visib: "10+", fltCat: "UNKN" }],
  ])("finds %s by %j", async (flightCategory, more) => {
    expect(await open(found(row("KEWR", more))).first()).toMatchObject({ flightCategory });
  });

  it.each(["???", "KJ", "KJFKX", ",,,,", "KJFK;EGLL", "K".repeat(121)])("refuses %j without asking", async (ids) => {
    const { ask, seen } = open(found());
    await expect(ask(ids)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path: "ids" }] });
    expect(seen).toEqual([]);
  });

  it.each<[string, Partial<Exchange>, string]>([
    ["a refused station", { status: 400, body: { status: "error", error: "bad id" } }, "INVALID_INPUT"],
    ["too many requests", { status: 429, headers: { "retry-after": "60" } }, "UPSTREAM_RATE_LIMIT"],
    ["an HTML page", { body: "<html></html>" }, "UPSTREAM_ERROR"],
    ["half an answer", { body: '[{"icaoId":"KEWR"' }, "UPSTREAM_ERROR"],
    ["a renamed field", { body: [{ icaoId: "KEWR", obsTime: 1, rawObservation: "x" }] }, "UPSTREAM_SCHEMA"],
    ["an object instead of a list", { body: {} }, "UPSTREAM_SCHEMA"],
  ])("UP-2 %s is no empty list", async (_, exchange, code) => {
    await expect(open({ url: "", ...exchange }).ask("KEWR")).rejects.toMatchObject({ code });
  });

  it("UP-4 counts 100 requests a minute and refuses the next without asking", async () => {
    const { ask, seen } = open(found());
    for (let i = 0; i < 100; i++) await ask("KEWR");
    await expect(ask("KEWR")).rejects.toMatchObject({ code: "UPSTREAM_RATE_LIMIT", retryAfter: 60 });
    expect(seen).toHaveLength(100);
  });
});
