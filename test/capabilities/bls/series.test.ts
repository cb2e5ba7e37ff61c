import { describe, expect, it } from "vitest";
import { blsSeries } from "../../../src/capabilities/bls/series.js";
import type { Input } from "../../../src/index.js";
import { fakeClock } from "../../support/clock.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const observation = (year: string, period: string, value: string, more: object = {}) => ({
  year,
  period,
  periodName: "January",
  value,
  footnotes: [{}],
  ...more,
});
const answer = (series: Record<string, object[]>, message: string[] = []) => ({
  status: "REQUEST_SUCCEEDED",
  responseTime: 200,
  message,
  Results: { series: Object.entries(series).map(([seriesID, data]) => ({ seriesID, data })) },
});
const refused = (message: string) => ({
  status: "REQUEST_NOT_PROCESSED",
  responseTime: 0,
  message: [message],
  Results: {},
});

function open(...exchanges: Exchange[]) {
  const fake = fakeUpstream(exchanges);
  const clock = fakeClock("2026-09-21T12:00:00Z");
  const ask = (input: Input<typeof blsSeries>, options: { key?: string; cache?: false } = { cache: false }) =>
    blsSeries(input, {
      fetch: fake.fetch,
      secrets: { BLS_API_KEY: options.key },
      clock,
      ...(options.cache === false ? { cache: false as const } : {}),
    });
  return { ...fake, clock, ask, sent: () => fake.seen.map(({ body }) => JSON.parse(body)) };
}

describe("bls.series", () => {
  it("gives the observations of each series in the order asked, newest first", async () => {
    const { ask, seen } = open({
      url: "/publicAPI/v2/timeseries/data/",
      body: answer({
        AAA1: [observation("2026", "M02", "-")],
        BBB2: [
          observation("2026", "M01", "17585", {
            latest: "true",
            footnotes: [{ code: "P", text: "Preliminary." }, {}, null],
          }),
          observation("2025", "Q04", "-0.5"),
        ],
      }),
    });
    const { items, total, meta, source } = await ask({ seriesIds: " bbb2, AAA1 ,BBB2" });
    expect(items).toEqual([
      {
        seriesId: "BBB2",
        year: 2026,
        period: "M01",
        periodName: "January",
        value: "17585",
        numericValue: 17_585,
        latest: true,
        footnotes: [{ code: "P", text: "Preliminary." }],
      },
      expect.objectContaining({ seriesId: "BBB2", numericValue: -0.5, latest: false, footnotes: [] }),
      expect.objectContaining({ seriesId: "AAA1", value: "-", numericValue: null }),
    ]);
    expect([total, meta]).toEqual([
      3,
      {
        series: [
          { seriesId: "BBB2", count: 2, found: true },
          { seriesId: "AAA1", count: 1, found: true },
        ],
        messages: [],
      },
    ]);
    expect(source.provider).toBe("U.S. Bureau of Labor Statistics");
    expect(seen[0]).toMatchObject({ method: "POST", body: '{"seriesid":["AAA1","BBB2"]}' });
  });

  it.each<[string, { startYear?: number; endYear?: number }, object]>([
    ["none", {}, {}],
    ["both", { startYear: 2010, endYear: 2019 }, { startyear: "2010", endyear: "2019" }],
    ["the first", { startYear: 2010 }, { startyear: "2010", endyear: "2019" }],
    ["a late first", { startYear: 2024 }, { startyear: "2024", endyear: "2026" }],
    ["the last", { endYear: 2015 }, { startyear: "2013", endyear: "2015" }],
  ])("asks for years by %s that is given", async (_, years, sent) => {
    const upstream = open({ url: "", body: answer({ AAA1: [] }) });
    await upstream.ask({ seriesIds: "AAA1", ...years });
    expect(upstream.sent()).toEqual([{ seriesid: ["AAA1"], ...sent }]);
  });

  it("sends the host's key where there is one", async () => {
    const { ask, sent } = open({ url: "", body: answer({ AAA1: [] }) });
    await ask({ seriesIds: "AAA1" }, { key: "k3y", cache: false });
    expect(sent()).toEqual([{ seriesid: ["AAA1"], registrationkey: "k3y" }]);
  });

  it("UP-4 counts its 25 requests a day, and refuses before it asks a 26th time; a key allows more", async () => {
    const { ask, seen, clock } = open({ url: "", body: answer({ AAA1: [] }) });
    for (let count = 0; count < 25; count++) {
      await ask({ seriesIds: "AAA1" });
      clock.advance(60);
    }
    await expect(ask({ seriesIds: "AAA1" })).rejects.toMatchObject({
      code: "UPSTREAM_RATE_LIMIT",
      retryAfter: 24 * 3600 - 25 * 60,
    });
    expect(seen).toHaveLength(25);
    await ask({ seriesIds: "AAA1" }, { key: "k3y", cache: false });
    clock.advance(24 * 3600);
    await ask({ seriesIds: "AAA1" });
    expect(seen).toHaveLength(27);
  });

  it("keeps answers for hours, whatever the order of the ids", async () => {
    const { ask, seen, clock } = open({ url: "", body: answer({ AAA1: [], BBB2: [] }) });
    await ask({ seriesIds: "AAA1,BBB2" }, {});
    clock.advance(5 * 3600);
    await ask({ seriesIds: "bbb2,aaa1" }, {});
    expect(seen).toHaveLength(1);
    clock.advance(2 * 3600);
    await ask({ seriesIds: "AAA1,BBB2" }, {});
    expect(seen).toHaveLength(2);
  });

  it.each<[string, Input<typeof blsSeries>, string]>([
    ["no id", { seriesIds: " , ,, " }, "seriesIds"],
    ["eleven ids", { seriesIds: Array.from({ length: 11 }, (_, index) => `S${index}AA`).join(",") }, "seriesIds"],
    ["an id with a blank", { seriesIds: "AAA 1" }, "seriesIds"],
    ["years backwards", { seriesIds: "AAA1", startYear: 2020, endYear: 2019 }, "endYear"],
    ["eleven years", { seriesIds: "AAA1", startYear: 2010, endYear: 2020 }, "endYear"],
    ["a year too early", { seriesIds: "AAA1", startYear: 1899 }, "startYear"],
  ])("refuses %s without asking", async (_, input, path) => {
    const { ask, seen } = open();
    await expect(ask(input)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path }] });
    expect(seen).toEqual([]);
  });

  it("UP-2 tells an unknown series from one without observations", async () => {
    const unknown = (id: string) => `Series does not exist for Series ${id}`;
    const some = open({
      url: "",
      body: answer({ AAA1: [observation("2026", "M01", "1")], XXX9: [] }, [unknown("XXX9")]),
    });
    const { items, meta } = await some.ask({ seriesIds: "AAA1,XXX9" });
    expect(items).toHaveLength(1);
    expect(meta).toEqual({
      series: [
        { seriesId: "AAA1", count: 1, found: true },
        { seriesId: "XXX9", count: 0, found: false },
      ],
      messages: [unknown("XXX9")],
    });
    const none = open({ url: "", body: answer({ XXX9: [] }, ["Invalid Series for Series XXX9"]) });
    await expect(none.ask({ seriesIds: "XXX9" })).rejects.toMatchObject({ code: "NOT_FOUND", status: 404 });
    const empty = open({ url: "", body: answer({ AAA1: [] }, ["No Data Available for Series AAA1 Year: 1950"]) });
    expect(await empty.ask({ seriesIds: "AAA1", startYear: 1950 })).toMatchObject({ items: [], total: 0 });
  });

  it("reports its refusals, which come with status 200, and never what it says of the key", async () => {
    const limit =
      "Request could not be serviced, as the daily threshold for total number of requests has been reached.";
    // Noon in UTC is 8:00 in Washington in September.
    await expect(open({ url: "", body: refused(limit) }).ask({ seriesIds: "AAA1" })).rejects.toMatchObject({
      code: "UPSTREAM_RATE_LIMIT",
      status: 429,
      retryAfter: 16 * 3600,
    });
    const key = open({ url: "", body: refused("The key:k3y provided by the User is invalid.") });
    const error = await key.ask({ seriesIds: "AAA1" }, { key: "k3y", cache: false }).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ code: "PROVIDER_NOT_CONFIGURED", status: 502 });
    expect(String(error)).not.toContain("k3y");
    const other = open({ url: "", body: { ...refused("k3y"), status: "REQUEST_FAILED" } });
    await expect(other.ask({ seriesIds: "AAA1" })).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
  });

  it("UP-3 reports a renamed field instead of selling nulls", async () => {
    const { ask } = open({ url: "", body: answer({ AAA1: [{ year: "2026", period: "M01", val: "1" }] }) });
    await expect(ask({ seriesIds: "AAA1" })).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA" });
  });
});
