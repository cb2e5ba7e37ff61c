import { describe, expect, it } from "vitest";
import { convertCurrency } from "../../../src/capabilities/convert/currency.js";
import { fakeClock } from "../../support/clock.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const FRANKFURTER = "api.frankfurter.dev";
const ECB = "data-api.ecb.europa.eu";
const rated = (date: string, rates: Record<string, number>): Exchange => ({
  url: FRANKFURTER,
  body: { amount: 1, base: "USD", date, rates },
});
const csv = (rows: string): Exchange => ({
  url: ECB,
  headers: { "content-type": "text/csv" },
  body: `KEY,CURRENCY,TIME_PERIOD,OBS_VALUE\n${rows}`,
});

/** A Wednesday. */
function open(...exchanges: Exchange[]) {
  const fake = fakeUpstream(exchanges);
  const ask = (input: { from: string; to: string; amount?: number; date?: string }) =>
    convertCurrency(input, { fetch: fake.fetch, clock: fakeClock("2026-10-07T18:00:00Z"), cache: false });
  return { ...fake, ask };
}

describe("convert.currency", () => {
  it("converts at the latest rate, whatever other rates come along", async () => {
    const { ask, seen } = open(rated("2026-10-07", { CAD: 1.4253, EUR: 0.89469 }));
    expect(await ask({ from: "usd", to: "cad", amount: 10 })).toEqual({
      from: "USD",
      to: "CAD",
      amount: 10,
      rate: 1.4253,
      result: 14.253,
      date: "2026-10-07",
      requestedDate: null,
      source: {
        provider: "Frankfurter / European Central Bank",
        url: "https://frankfurter.dev",
        license: "ECB euro reference rates (free reuse with source acknowledgement); service MIT",
        attribution: "Source: European Central Bank",
      },
    });
    expect(seen.map(({ url }) => url.href)).toEqual(["https://api.frankfurter.dev/v1/latest?base=USD&symbols=CAD"]);
  });

  it("converts at a past day's rate and shows when that was carried back", async () => {
    const { ask, seen } = open(rated("2026-10-02", { EUR: 0.9 }));
    const result = await ask({ from: "USD", to: "EUR", date: "2026-10-04" });
    expect(result).toMatchObject({ amount: 1, result: 0.9, date: "2026-10-02", requestedDate: "2026-10-04" });
    expect(seen[0]?.url.pathname).toBe("/v1/2026-10-04");
  });

  it.each([
    [undefined, "2026-10-07"],
    ["2026-10-03", "2026-10-02"],
    ["2026-10-04", "2026-10-02"],
    ["2026-10-05", "2026-10-05"],
  ])("takes a currency as itself without asking, on %s", async (date, effective) => {
    const { ask, seen } = open();
    const result = await ask({ from: "EUR", to: "eur", amount: 2.5, ...(date ? { date } : {}) });
    expect(result).toMatchObject({ rate: 1, result: 2.5, date: effective });
    expect(seen).toEqual([]);
  });

  it.each([
    [{ from: "US1", to: "EUR" }, "from"],
    [{ from: "USD", to: "EURO" }, "to"],
    [{ from: "USD", to: "EUR", amount: 0 }, "amount"],
    [{ from: "USD", to: "EUR", amount: Number.POSITIVE_INFINITY }, "amount"],
    [{ from: "USD", to: "EUR", date: "2026-02-31" }, "date"],
    [{ from: "USD", to: "EUR", date: "1999-01-03" }, "date"],
    [{ from: "USD", to: "EUR", date: "2026-10-08" }, "date"],
  ])("refuses %j without asking", async (input, path) => {
    const { ask, seen } = open();
    await expect(ask(input)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path }] });
    expect(seen).toEqual([]);
  });

  it("says that an amount is too large instead of giving infinity", async () => {
    const { ask } = open(rated("2026-10-07", { JPY: 150 }));
    await expect(ask({ from: "USD", to: "JPY", amount: 1e308 })).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });

  it.each<[string, Exchange, string]>([
    ["unknown currency", { url: FRANKFURTER, status: 404, body: { message: "not found" } }, "NOT_FOUND"],
    ["silently dropped currency", rated("2026-10-07", {}), "NOT_FOUND"],
    ["refused pair", { url: FRANKFURTER, status: 422, body: { message: "bad currency pair" } }, "INVALID_INPUT"],
  ])("UP-2 an %s is not an outage: the second source is not asked", async (_, exchange, code) => {
    const { ask, seen } = open(exchange);
    await expect(ask({ from: "USD", to: "TWD" })).rejects.toMatchObject({ code });
    expect(seen).toHaveLength(1);
  });
});

describe("convert.currency without its first source", () => {
  const down: Exchange = { url: FRANKFURTER, status: 500 };

  it("takes the bank's own figures of the last day that has both currencies", async () => {
    const { ask, seen } = open(
      down,
      csv("a,USD,2026-10-05,1.25\nb,USD,2026-10-06,1.3\nc,CAD,2026-10-05,1.5\nd,CAD,2026-10-06,NaN\n"),
    );
    expect(await ask({ from: "USD", to: "CAD" })).toMatchObject({ rate: 1.2, date: "2026-10-05", requestedDate: null });
    const { pathname, search } = seen.at(-1)?.url ?? new URL("x:");
    expect(pathname).toBe("/service/data/EXR/D.USD+CAD.EUR.SP00.A");
    expect(search).toBe("?format=csvdata&startPeriod=2026-09-27&endPeriod=2026-10-07");
  });

  it("knows that a euro is a euro", async () => {
    const rows = csv("a,AUD,2026-02-19,1.6698\nb,AUD,2026-02-20,1.6\n");
    const { ask, seen } = open(down, rows);
    expect(await ask({ from: "AUD", to: "EUR", date: "2026-02-22" })).toMatchObject({
      rate: 0.625,
      date: "2026-02-20",
    });
    expect(seen.at(-1)?.url.pathname).toContain("/D.AUD.EUR.");
  });

  it.each<[string, Exchange]>([
    ["is down too", { url: ECB, status: 500 }],
    ["has one currency only", csv("a,USD,2026-10-06,1.3\n")],
    ["sends nothing", { url: ECB, body: "" }],
    [
      "breaks off in a number",
      {
        url: ECB,
        body: "KEY,CURRENCY,TIME_PERIOD,OBS_VALUE,OBS_STATUS\na,USD,2026-10-06,1.3,A\nb,CAD,2026-10-06,1",
      },
    ],
    ["sends a page", { url: ECB, body: "<html></html>" }],
    ["changed its columns", { url: ECB, body: "DAY,VALUE\n2026-10-06,1.3\n" }],
  ])("UP-2 reports the outage when the second %s", async (_, exchange) => {
    await expect(open(down, exchange).ask({ from: "USD", to: "CAD" })).rejects.toMatchObject({
      code: "UPSTREAM_ERROR",
    });
  });

  it("UP-3 a renamed field is no answer", async () => {
    const { ask } = open(
      { url: FRANKFURTER, body: { day: "2026-10-07", rates: { CAD: 1 } } },
      { url: ECB, status: 500 },
    );
    await expect(ask({ from: "USD", to: "CAD" })).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA" });
  });
});
