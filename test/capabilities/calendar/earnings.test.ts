import { describe, expect, it } from "vitest";
import { calendarEarnings } from "../../../src/capabilities/calendar/earnings.js";
import type { Input } from "../../../src/index.js";
import { fakeClock } from "../../support/clock.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const row = (date: string, symbol: string, more: object = {}) => ({
  date,
  symbol,
  year: 2026,
  quarter: 3,
  hour: "amc",
  epsEstimate: 1.1,
  epsActual: null,
  revenueEstimate: 1000,
  revenueActual: null,
  ...more,
});
const answer = (...rows: object[]) => ({ earningsCalendar: rows });
const NASDAQ = "api.nasdaq.com/api/calendar/earnings";
const DOWN: Exchange = { url: "finnhub.io", status: 500 };

function open(...exchanges: Exchange[]) {
  const fake = fakeUpstream(exchanges);
  const ask = (input: Input<typeof calendarEarnings> = {}, secrets: Record<string, string> = {}) =>
    calendarEarnings(input, {
      fetch: fake.fetch,
      secrets: { FINNHUB_API_KEY: "k3y", ...secrets },
      clock: fakeClock("2026-09-21T23:00:00Z"),
      cache: false,
    });
  const windows = () => fake.seen.map(({ url }) => [url.searchParams.get("from"), url.searchParams.get("to")]);
  return { ...fake, ask, windows };
}

describe("calendar.earnings", () => {
  it("gives one company's reports by date, with the surprise, in one request", async () => {
    const { ask, seen } = open({
      url: "finnhub.io/api/v1/calendar/earnings?",
      body: answer(
        row("2026-10-29", "AAPL", { hour: "", epsEstimate: null }),
        row("2026-07-30", "AAPL", { hour: "bmo", epsEstimate: 1.43, epsActual: 1.57, revenueActual: 94_036_000_000 }),
      ),
    });
    const { items, total, meta, source } = await ask({ ticker: "aapl", from: "2026-07-01", to: "2026-12-31" });
    expect(items).toEqual([
      {
        date: "2026-07-30",
        ticker: "AAPL",
        fiscalYear: 2026,
        fiscalQuarter: 3,
        timeOfDay: "bmo",
        epsEstimate: 1.43,
        epsActual: 1.57,
        epsSurprise: 0.14,
        revenueEstimate: 1000,
        revenueActual: 94_036_000_000,
      },
      expect.objectContaining({ date: "2026-10-29", timeOfDay: null, epsSurprise: null, revenueActual: null }),
    ]);
    expect([total, meta]).toEqual([2, { from: "2026-07-01", to: "2026-12-31", truncated: false }]);
    expect(source).toMatchObject({ provider: "Finnhub", url: "https://finnhub.io/docs/api/earnings-calendar" });
    expect([...(seen[0]?.url.searchParams ?? [])]).toEqual([
      ["from", "2026-07-01"],
      ["to", "2026-12-31"],
      ["symbol", "AAPL"],
    ]);
    expect(seen[0]?.headers.get("x-finnhub-token")).toBe("k3y");
  });

  it("asks for all companies in slices of three days, since Finnhub cuts long answers", async () => {
    const { ask, windows } = open(
      { url: "from=2026-09-24", body: answer(row("2026-09-24", "B"), row("2026-09-24", "A"), row("2026-09-23", "C")) },
      { url: "from=2026-09-21", body: answer(row("2026-09-23", "C")) },
      { url: "finnhub.io", body: answer() },
    );
    const { items, meta } = await ask();
    expect(windows()).toEqual([
      ["2026-09-21", "2026-09-23"],
      ["2026-09-24", "2026-09-26"],
      ["2026-09-27", "2026-09-29"],
      ["2026-09-30", "2026-10-02"],
      ["2026-10-03", "2026-10-05"],
    ]);
    expect(items.map(({ date, ticker }) => `${date} ${ticker}`)).toEqual([
      "2026-09-23 C",
      "2026-09-24 A",
      "2026-09-24 B",
    ]);
    expect(meta).toEqual({ from: "2026-09-21", to: "2026-10-05", truncated: false });
  });

  it("takes the default end from the start that is given, and says when a slice was cut", async () => {
    const many = Array.from({ length: 1500 }, (_, index) => row("2026-01-30", `S${index}`));
    const { ask } = open({ url: "", body: answer(...many) });
    const { total, meta } = await ask({ from: "2026-01-30" });
    expect([total, meta]).toEqual([1500, { from: "2026-01-30", to: "2026-02-13", truncated: true }]);
  });

  it("has no items where nobody reports", async () => {
    expect(await open({ url: "", body: answer() }).ask({ ticker: "ZZZZ" })).toMatchObject({ items: [], total: 0 });
  });

  it.each<[string, Input<typeof calendarEarnings>, string]>([
    ["a date that is none", { from: "2026-02-30" }, "from"],
    ["an end before the start", { from: "2026-09-21", to: "2026-09-20" }, "to"],
    ["an end before today", { to: "2026-09-20" }, "to"],
    ["94 days without a ticker", { from: "2026-01-01", to: "2026-04-04" }, "to"],
    ["a ticker that begins with a digit", { ticker: "1ABC" }, "ticker"],
    ["a ticker of 13 characters", { ticker: "ABCDEFGHIJKLM" }, "ticker"],
    ["a ticker with a blank", { ticker: "BRK B" }, "ticker"],
  ])("refuses %s without asking", async (_, input, path) => {
    const { ask, seen } = open();
    await expect(ask(input)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path }] });
    expect(seen).toEqual([]);
  });

  it.each([
    [401, { error: "Invalid API key" }, "PROVIDER_NOT_CONFIGURED"],
    [403, { error: "You don't have access to this resource." }, "PROVIDER_NOT_CONFIGURED"],
    [429, { error: "API limit reached. Please try again later." }, "UPSTREAM_RATE_LIMIT"],
  ])("reports Finnhub's status %i, and does not turn to Nasdaq then", async (status, body, code) => {
    const { ask, seen } = open({ url: "finnhub.io", status, body }, { url: NASDAQ, body: {} });
    await expect(ask({ ticker: "AAPL" })).rejects.toMatchObject({ code });
    expect(seen.filter(({ url }) => url.hostname !== "finnhub.io")).toEqual([]);
  });

  it("turns to Nasdaq's days while Finnhub is down, and names it as the source", async () => {
    const rows = [
      { symbol: "STZ", time: "time-pre-market", epsForecast: "$3.46", eps: "$1,003.57" },
      { symbol: "SPWR", time: "time-after-hours", epsForecast: "($0.29)", fiscalQuarterEnding: "Mar/2026" },
      { symbol: "HCM", time: "time-not-supplied", epsForecast: "", eps: "N/A" },
    ];
    const { ask, seen } = open(
      DOWN,
      { url: `${NASDAQ}?date=2026-07-03`, body: { data: { rows }, status: { rCode: 200 } } },
      { url: NASDAQ, body: { data: { rows: null }, status: { rCode: 200 } } },
    );
    const { items, meta, source } = await ask({ from: "2026-07-03", to: "2026-07-05" });
    expect(items.map((item) => [item.ticker, item.timeOfDay, item.epsEstimate, item.epsActual])).toEqual([
      ["HCM", null, null, null],
      ["SPWR", "amc", -0.29, null],
      ["STZ", "bmo", 3.46, 1003.57],
    ]);
    expect(items[0]).toMatchObject({ date: "2026-07-03", fiscalYear: null, fiscalQuarter: null, revenueActual: null });
    expect(meta).toEqual({ from: "2026-07-03", to: "2026-07-05", truncated: false });
    expect(source.provider).toBe("Nasdaq");
    const days = seen.filter(({ url }) => url.hostname === "api.nasdaq.com");
    expect(days.map(({ url }) => url.searchParams.get("date"))).toEqual(["2026-07-03", "2026-07-04", "2026-07-05"]);
    expect(days[0]?.headers.get("referer")).toBe("https://www.nasdaq.com/");
    expect(days[0]?.headers.has("x-finnhub-token")).toBe(false);

    const one = await ask({ from: "2026-07-03", to: "2026-07-03", ticker: "spwr" });
    expect(one.items.map(({ ticker }) => ticker)).toEqual(["SPWR"]);
  });

  it("UP-2 keeps Finnhub's failure when Nasdaq fails, too, is switched off, or was asked for too many days", async () => {
    const refusal = { url: NASDAQ, body: { data: null, status: { rCode: 400 } } };
    const code = "UPSTREAM_ERROR";
    const message = expect.stringContaining("Finnhub");
    await expect(open(DOWN, refusal).ask({ ticker: "AAPL" })).rejects.toMatchObject({ code, message });
    const off = open(DOWN, { url: NASDAQ, body: { data: { rows: [] } } });
    await expect(off.ask({ ticker: "AAPL" }, { NASDAQ_FALLBACK: "off" })).rejects.toMatchObject({ code, message });
    await expect(off.ask({ ticker: "AAPL", from: "2026-01-01", to: "2026-02-01" })).rejects.toMatchObject({ code });
    expect(off.seen.filter(({ url }) => url.hostname === "api.nasdaq.com")).toEqual([]);
  });

  it("does not ask for the rest of a long window once a part of it failed", async () => {
    const { ask, seen } = open({ url: "finnhub.io", status: 403 });
    await expect(ask({ from: "2026-01-01", to: "2026-04-03" })).rejects.toMatchObject({ status: 502 });
    expect(seen.length).toBeLessThanOrEqual(5);
  });

  it("tells the host what the terms of both sources say", () => {
    expect(calendarEarnings.terms).toMatchObject({ resale: "forbidden", url: "https://finnhub.io/terms-of-service" });
    expect(calendarEarnings.terms?.note).toMatch(/Finnhub.*agreement.*Nasdaq's terms.*NASDAQ_FALLBACK/);
    const setting = (name: string) => (name === "NASDAQ_FALLBACK" ? "off" : undefined);
    expect(calendarEarnings.originsAt({ secret: setting, setting }).map(({ name }) => name)).toEqual(["Finnhub"]);
    expect(calendarEarnings.requires).toEqual(["FINNHUB_API_KEY"]);
  });
});
