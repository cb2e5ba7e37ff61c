import { describe, expect, it } from "vitest";
import { aviationTaf } from "../../../src/capabilities/aviation/taf.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const row = {
  icaoId: "KORD",
  issueTime: "2026-09-10T23:26:00.000Z",
  validTimeFrom: 1789084800,
  validTimeTo: 1789192800,
  rawTAF: "TAF KORD 102326Z 1100/1206 VRB05KT P6SM FEW050",
  mostRecent: 1,
  name: "Chicago/O'Hare Intl, IL, US",
  fcsts: [
    {
      timeFrom: 1789084800,
      timeTo: 1789092000,
      fcstChange: null,
      wdir: "VRB",
      wspd: 5,
      visib: "6+",
      clouds: [{ cover: "FEW", base: 5000 }],
    },
    {
      timeFrom: 1789092000,
      timeTo: 1789099200,
      timeBec: 1789094000,
      fcstChange: "PROB",
      probability: 30,
      wxString: "-RA",
    },
  ],
};

function open(exchange: Exchange) {
  const fake = fakeUpstream([exchange]);
  return { ...fake, ask: (ids: string) => aviationTaf({ ids }, { fetch: fake.fetch, cache: false }) };
}

describe("aviation.taf", () => {
  it("gives the raw forecast, its times and its periods", async () => {
    const { ask, seen } = open({ url: "/taf", body: [row] });
    const { items, total, meta } = await ask("kord,KSFO");
    expect(items).toEqual([
      {
        station: "KORD",
        name: "Chicago/O'Hare Intl, IL, US",
        issuedAt: "2026-09-10T23:26:00Z",
        validFrom: "2026-09-11T00:00:00Z",
        validTo: "2026-09-12T06:00:00Z",
        raw: "TAF KORD 102326Z 1100/1206 VRB05KT P6SM FEW050",
        periods: [
          {
            from: "2026-09-11T00:00:00Z",
            to: "2026-09-11T02:00:00Z",
            becomingAt: null,
            change: null,
            probabilityPercent: null,
            windDirectionDeg: null,
            windVariable: true,
            windSpeedKt: 5,
            windGustKt: null,
            visibilityMi: 6,
            visibilityText: "6+",
            weather: null,
            clouds: [{ cover: "FEW", baseFtAgl: 5000 }],
          },
          expect.objectContaining({
            becomingAt: "2026-09-11T02:33:20Z",
            change: "PROB",
            probabilityPercent: 30,
            weather: "-RA",
          }),
        ],
      },
    ]);
    expect({ total, meta }).toEqual({ total: 1, meta: { requested: ["KORD", "KSFO"], missing: ["KSFO"] } });
    expect(seen[0]?.url.search).toBe("?ids=KORD%2CKSFO&format=json");
  });

  it("keeps the newest forecast of a station, however its times are written", async () => {
    const older = { ...row, issueTime: "2026-09-10 17:20:00.000Z", rawTAF: "older" };
    const oldest = { ...row, issueTime: "2026-09-10 11:20:00", rawTAF: "oldest" };
    const { items } = await open({ url: "", body: [oldest, row, older] }).ask("KORD");
    expect(items.map(({ raw }) => raw)).toEqual([row.rawTAF]);
    const old = await open({ url: "", body: [oldest] }).ask("KORD");
    expect(old.items[0]?.issuedAt).toBe("2026-09-10T11:20:00Z");
  });

  it("takes an empty body for a station without forecasts", async () => {
    expect(await open({ url: "", status: 204 }).ask("ZZZZ")).toMatchObject({ items: [], total: 0 });
  });

  it.each(["", "KJ", "a b", "KJFK,".repeat(25)])("refuses %j without asking", async (ids) => {
    const { ask, seen } = open({ url: "", body: [] });
    await expect(ask(ids)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path: "ids" }] });
    expect(seen).toEqual([]);
  });

  it("UP-3 reports a renamed field instead of selling nulls", async () => {
    const { ask } = open({ url: "", body: [{ ...row, rawTAF: undefined }] });
    await expect(ask("KORD")).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA" });
  });
});
