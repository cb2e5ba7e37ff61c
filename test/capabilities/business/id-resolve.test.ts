import { describe, expect, it } from "vitest";
import { businessIdResolve } from "../../../src/capabilities/business/id-resolve.js";
import { emptyBut } from "../../support/empty-but.js";
import { CHILD, leiAnswer, leiData, leiList, OTHER, PARENT } from "../../support/gleif.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const tickers: Exchange = {
  url: "company_tickers.json",
  body: {
    0: { cik_str: 4711, ticker: "TMIL", title: "TORVALD MILLS CORP" },
    1: { cik_str: 4711, ticker: "TMIL-B", title: "TORVALD MILLS CORP" },
  },
};
/** What the SEC says of every filer. */
const FILER = "sicDescription category fiscalYearEnd stateOfIncorporationDescription formerNames addresses";
const filer = (more: object = {}): Exchange => ({
  url: "CIK0000004711.json",
  body: emptyBut(FILER, {
    ...{ cik: "0000004711", name: "TORVALD MILLS CORP", entityType: "operating", sic: "2000", ein: "123456789" },
    ...{ tickers: ["TMIL"], exchanges: ["NYSE"], lei: null, stateOfIncorporation: "DE" },
    ...more,
  }),
});
const named = (...data: object[]): Exchange => ({ url: "filter%5Bentity.names%5D", body: leiList(data) });

function resolve(input: Parameters<typeof businessIdResolve>[0], exchanges: Exchange[]) {
  const { fetch, seen } = fakeUpstream(exchanges);
  return Object.assign(businessIdResolve(input, { fetch, secrets: {} }), { seen });
}

describe("business.id-resolve", () => {
  it("goes from a class of shares to the filer and by its name to the LEI, and says how", async () => {
    const { items } = await resolve({ ticker: "tmil.b" }, [
      tickers,
      filer(),
      named(leiData(PARENT, "Torvald Mills Corporation")),
    ]);
    expect(items[0]).toMatchObject({
      lei: PARENT,
      cik: "4711",
      cikPadded: "0000004711",
      ein: "123456789",
      tickers: [
        { ticker: "TMIL", exchange: "NYSE" },
        { ticker: "TMIL-B", exchange: null },
      ],
      isResolved: true,
      link: { method: "name", score: 0.99, confidence: "high" },
      sources: { gleif: { status: "found" }, sec_tickers: { status: "found" }, sec_submissions: { status: "found" } },
    });
  });

  it("believes the LEI that the SEC has", async () => {
    const { items } = await resolve({ cik: "CIK0000004711" }, [
      tickers,
      filer({ lei: PARENT }),
      { url: `lei-records/${PARENT}`, body: leiAnswer(leiData(PARENT, "Another Name Ltd")) },
    ]);
    expect(items[0]).toMatchObject({ lei: PARENT, link: { method: "sec_lei", score: 1 } });
  });

  it("links nothing where two active entities bear the name, or none quite does", async () => {
    const twins = named(leiData(PARENT, "Torvald Mills Corporation"), leiData(CHILD, "Torvald Mills Inc"));
    const { items } = await resolve({ cik: "4711" }, [tickers, filer(), twins]);
    expect(items[0]).toMatchObject({
      lei: null,
      isResolved: false,
      link: null,
      sources: { gleif: { status: "not_found" } },
    });
    const other = await resolve({ cik: "4711" }, [
      tickers,
      filer(),
      named(leiData(OTHER, "Torvald Mills Energy Corp")),
    ]);
    expect(other.items[0]).toMatchObject({ lei: null, link: null });
  });

  it("tells who was not found from who could not be asked", async () => {
    const { items } = await resolve({ ticker: "TMIL" }, [tickers, filer(), { url: "api.gleif.org", status: 503 }]);
    expect(items[0]).toMatchObject({
      isResolved: false,
      sources: { gleif: { status: "error", error: { code: "UPSTREAM_ERROR" } }, sec_tickers: { status: "found" } },
    });
    const unknown = await resolve({ ticker: "NONE" }, [tickers]);
    expect(unknown.items[0]).toMatchObject({
      name: null,
      isResolved: false,
      sources: {
        gleif: { status: "skipped" },
        sec_tickers: { status: "not_found" },
        sec_submissions: { status: "skipped" },
      },
    });
  });

  it("does not take another filer's record for the one asked", async () => {
    const { items } = await resolve({ cik: "4711" }, [tickers, filer({ cik: "0000009999", name: "Somebody Else" })]);
    expect(JSON.stringify(items)).not.toContain("Somebody Else");
  });

  it.each([
    [{}],
    [{ ticker: "AAPL", cik: "320193" }],
    [{ lei: "INR2EJN1ERAN0W5ZP975" }],
    [{ cik: "0" }],
    [{ cik: "12345678901" }],
    [{ ticker: "not a ticker" }],
  ])("refuses %j before it asks anybody", async (input) => {
    const call = resolve(input as never, []);
    await expect(call).rejects.toMatchObject({ status: 400 });
    expect(call.seen).toEqual([]);
  });
});
