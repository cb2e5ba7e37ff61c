import { describe, expect, it } from "vitest";
import { businessEntityMatch } from "../../../src/capabilities/business/entity-match.js";
import { CHILD, leiData, leiList, OTHER, PARENT } from "../../support/gleif.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const tickers: Exchange = {
  url: "company_tickers.json",
  body: {
    0: { cik_str: 4711, ticker: "TMIL", title: "TORVALD MILLS CORP" },
    1: { cik_str: 4712, ticker: "OTHR", title: "Orchard Optics Inc" },
  },
};
const similar = (...ids: string[]): Exchange => ({
  url: "fuzzycompletions",
  body: { data: ids.map((id) => ({ relationships: { "lei-records": { data: { id } } } })) },
});
const named = (...data: object[]): Exchange => ({ url: "filter%5Bentity.names%5D", body: leiList(data) });

function match(input: Parameters<typeof businessEntityMatch>[0], exchanges: Exchange[]) {
  const { fetch, seen } = fakeUpstream(exchanges);
  return Object.assign(businessEntityMatch(input, { fetch, secrets: {} }), { seen });
}

describe("business.entity-match", () => {
  it("ranks who bears the name, explains each score and names the best", async () => {
    const { items, total, meta } = await match({ name: "Torvald Mills" }, [
      tickers,
      similar(CHILD),
      named(leiData(PARENT, "TORVALD MILLS LIMITED")),
      { url: "filter%5Blei%5D", body: leiList([leiData(CHILD, "Torvald Wind Farms Holdings GmbH")]) },
    ]);
    expect(items.map(({ name, confidence, source }) => [name, confidence, source])).toEqual([
      // Of equal names the one that is known to be active.
      ["TORVALD MILLS LIMITED", "high", "gleif"],
      ["TORVALD MILLS CORP", "high", "sec"],
      ["Torvald Wind Farms Holdings GmbH", "low", "gleif"],
    ]);
    expect(items[0]).toMatchObject({
      lei: PARENT,
      country: "GB",
      reasons: ["the same words", "one has no legal form"],
    });
    expect(total).toBe(3);
    expect(meta).toMatchObject({ bestMatch: { score: 0.98 }, sources: { gleif: "ok", sec: "ok" } });
  });

  it("says by which of its names an entity was found", async () => {
    const { items } = await match({ name: "Old Mill", country: "gb" }, [
      similar(),
      named(leiData(PARENT, "Torvald Mills Limited")),
    ]);
    expect(items).toMatchObject([{ name: "Torvald Mills Limited", matchedName: "Old Mill Ltd", confidence: "high" }]);
  });

  it("has no best match below medium", async () => {
    const { items, meta } = await match({ name: "Torvald Mills", country: "GB" }, [
      similar(),
      named(leiData(PARENT, "Torvald Shipping and Trading Mills Insurance Company")),
    ]);
    expect(items).toMatchObject([{ confidence: "low" }]);
    expect(meta).toMatchObject({ bestMatch: null, sources: { sec: "skipped" } });
  });

  it("asks in one country only, and drops what resembles the name elsewhere", async () => {
    const call = match({ name: "Torvald Mills", country: "FR" }, [
      similar(OTHER),
      named(),
      { url: "filter%5Blei%5D", body: leiList([leiData(OTHER, "Torvald Mills Ltd")]) },
    ]);
    expect((await call).items).toEqual([]);
    expect(call.seen.map(({ url }) => url.searchParams.get("filter[entity.legalAddress.country]"))).toContain("FR");
  });

  it("answers with one source while the other is down, and says so", async () => {
    const down: Exchange = { url: "api.gleif.org", status: 503 };
    const { items, meta } = await match({ name: "Torvald Mills" }, [tickers, down]);
    expect(items).toMatchObject([{ cik: "4711", ticker: "TMIL" }]);
    expect(meta).toMatchObject({ sources: { gleif: "error", sec: "ok" } });
  });

  it("fails where no source answers, and with a limit only where nothing else is wrong", async () => {
    const limited = { url: "", status: 429, headers: { "retry-after": "120" } };
    await expect(match({ name: "Torvald" }, [limited])).rejects.toMatchObject({ status: 429 });
    const mixed = [{ url: "sec.gov", status: 500 }, limited];
    await expect(match({ name: "Torvald" }, mixed)).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
  });

  it("is partial where only the resemblances cannot be asked", async () => {
    const { items, meta } = await match({ name: "Torvald Mills", country: "GB" }, [
      { url: "fuzzycompletions", status: 503 },
      named(leiData(PARENT, "Torvald Mills Limited")),
    ]);
    expect(items).toHaveLength(1);
    expect(meta).toMatchObject({ sources: { gleif: "partial" } });
  });
});
