import { describe, expect, it } from "vitest";
import { calendarIpo } from "../../../src/capabilities/calendar/ipo.js";
import type { Input } from "../../../src/index.js";
import { fakeClock } from "../../support/clock.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const row = (more: object = {}) => ({
  date: "2026-09-22",
  exchange: "NASDAQ Global",
  name: "Example Acquisition Corp",
  numberOfShares: 20_000_000,
  price: "16.00-18.00",
  status: "expected",
  symbol: "EXMPU",
  totalSharesValue: 360_000_000,
  ...more,
});

function open(...exchanges: Exchange[]) {
  const fake = fakeUpstream(exchanges);
  const ask = (input: Input<typeof calendarIpo> = {}) =>
    calendarIpo(input, {
      fetch: fake.fetch,
      secrets: { FINNHUB_API_KEY: "k3y" },
      clock: fakeClock("2026-09-21T23:00:00Z"),
      cache: false,
    });
  return { ...fake, ask };
}

describe("calendar.ipo", () => {
  it("gives offerings in Finnhub's order, newest first, with prices as numbers", async () => {
    const nothing = { exchange: null, numberOfShares: null, price: null, symbol: null, totalSharesValue: null };
    const { ask, seen } = open({
      url: "finnhub.io/api/v1/calendar/ipo?",
      body: {
        ipoCalendar: [row(), row({ price: "10.00", status: "Priced" }), row({ ...nothing, status: "withdrawn" })],
      },
    });
    const { items, total, meta, source } = await ask();
    expect(items).toEqual([
      {
        date: "2026-09-22",
        ticker: "EXMPU",
        name: "Example Acquisition Corp",
        exchange: "NASDAQ Global",
        status: "expected",
        price: "16.00-18.00",
        priceLow: 16,
        priceHigh: 18,
        shares: 20_000_000,
        totalValue: 360_000_000,
      },
      expect.objectContaining({ status: "priced", price: "10.00", priceLow: 10, priceHigh: 10 }),
      expect.objectContaining({
        status: "withdrawn",
        ticker: null,
        exchange: null,
        price: null,
        priceLow: null,
        priceHigh: null,
        shares: null,
        totalValue: null,
      }),
    ]);
    expect([total, meta]).toEqual([3, { from: "2026-09-06", to: "2026-10-21" }]);
    expect(source.url).toBe("https://finnhub.io/docs/api/ipo-calendar");
    expect([...(seen[0]?.url.searchParams ?? [])]).toEqual([
      ["from", "2026-09-06"],
      ["to", "2026-10-21"],
    ]);
  });

  it.each<[string, Input<typeof calendarIpo>, string]>([
    ["a date in another form", { from: "2026-1-1" }, "from"],
    ["an end before the start", { from: "2026-02-02", to: "2026-02-01" }, "to"],
    ["a start after the default end", { from: "2027-01-01" }, "to"],
  ])("refuses %s without asking", async (_, input, path) => {
    const { ask, seen } = open();
    await expect(ask(input)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path }] });
    expect(seen).toEqual([]);
  });

  it("puts Nasdaq's four tables together, month by month, while Finnhub is down", async () => {
    const deal = (companyName: string, more: object) => ({ companyName, ...more });
    const july = {
      priced: { rows: [deal("Priced", { pricedDate: "7/02/2026", proposedSharePrice: "4.00" })] },
      upcoming: {
        upcomingTable: {
          rows: [
            deal("Expected", {
              expectedPriceDate: "7/16/2026",
              proposedTickerSymbol: "EXP",
              proposedExchange: "NASDAQ Capital",
              proposedSharePrice: "4.00-6.00",
              sharesOffered: "1,750,000",
              dollarValueOfSharesOffered: "$10,500,000",
            }),
          ],
        },
      },
      filed: { rows: [deal("Filed", { filedDate: "7/01/2026" }), deal("Too early", { filedDate: "6/30/2026" })] },
      withdrawn: {
        rows: [deal("Withdrawn", { filedDate: "1/01/2026", withdrawDate: "7/20/2026" }), deal("Undated", {})],
      },
    };
    const none = { priced: { rows: null }, upcoming: null, filed: null, withdrawn: { rows: null } };
    const { ask, seen } = open(
      { url: "finnhub.io", status: 503 },
      { url: "api.nasdaq.com/api/ipo/calendar?date=2026-07", body: { data: july, status: { rCode: 200 } } },
      { url: "api.nasdaq.com", body: { data: none, status: { rCode: 200 } } },
    );
    const { items, source } = await ask({ from: "2026-07-01", to: "2026-08-31" });
    expect(items.map(({ date, name, status }) => [date, name, status])).toEqual([
      ["2026-07-20", "Withdrawn", "withdrawn"],
      ["2026-07-16", "Expected", "expected"],
      ["2026-07-02", "Priced", "priced"],
      ["2026-07-01", "Filed", "filed"],
    ]);
    expect(items[1]).toMatchObject({ ticker: "EXP", priceHigh: 6, shares: 1_750_000, totalValue: 10_500_000 });
    expect(source.provider).toBe("Nasdaq");
    const months = seen.flatMap(({ url }) => url.searchParams.get("date") ?? []);
    expect(months).toEqual(["2026-07", "2026-08"]);
  });

  it("crosses the end of a year by months, and does not ask Nasdaq for more than twelve", async () => {
    const none = { priced: null, upcoming: null, filed: null, withdrawn: null };
    const { ask, seen } = open({ url: "finnhub.io", status: 500 }, { url: "nasdaq.com", body: { data: none } });
    await ask({ from: "2025-11-30", to: "2026-01-01" });
    const months = () => seen.flatMap(({ url }) => url.searchParams.get("date") ?? []);
    expect(months()).toEqual(["2025-11", "2025-12", "2026-01"]);
    await expect(ask({ from: "2025-01-01", to: "2026-01-01" })).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
    expect(months()).toHaveLength(3);
  });

  it("UP-2 a refused key is neither a 401 nor an empty calendar", async () => {
    const { ask } = open({ url: "", status: 401, body: { error: "Invalid API key" } });
    await expect(ask()).rejects.toMatchObject({ code: "PROVIDER_NOT_CONFIGURED", status: 502 });
  });

  it("UP-3 reports renamed fields of both sources", async () => {
    const { ask } = open(
      { url: "finnhub.io", body: { ipoCalendar: [row({ name: undefined, title: "Example" })] } },
      { url: "nasdaq.com", body: { data: { offerings: [] } } },
    );
    await expect(ask()).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA" });
  });
});
