import { describe, expect, it } from "vitest";
import { countryFinancials } from "../../../src/capabilities/country/financials.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const rated = {
  code2: "DE",
  code3: "DEU",
  codeNo: "276",
  country: "Germany",
  countryRiskPremium: 0,
  currency: "Euro",
  currencyCode: "EUR",
  defaultSpread: 0,
  equityRiskPremium: 4.6,
  rating: "Aaa",
  region: "Europe",
  subRegion: "Western Europe",
};
const bare = { code2: "AQ", code3: "ATA", codeNo: "10", country: "Antarctica", currency: "", currencyCode: "AQD" };
const list: Exchange = { url: "/api/v1/country", body: [rated, bare] };

function open(...exchanges: Exchange[]) {
  const fake = fakeUpstream(exchanges);
  const secrets = { FINNHUB_API_KEY: "k1" };
  const ask = (input: { code?: string }, cache?: false) =>
    countryFinancials(input, { fetch: fake.fetch, secrets, ...(cache === false ? { cache } : {}) });
  return { ...fake, ask };
}

describe("country.financials", () => {
  it("gives one country by its code of 2 or 3 letters, in any case", async () => {
    const { ask, seen } = open(list);
    for (const code of ["DE", "deu"]) {
      const { items, total, meta } = await ask({ code });
      expect(items).toEqual([
        {
          code: "DE",
          code3: "DEU",
          codeNumeric: "276",
          country: "Germany",
          region: "Europe",
          subRegion: "Western Europe",
          currency: "Euro",
          currencyCode: "EUR",
          rating: "Aaa",
          defaultSpread: 0,
          countryRiskPremium: 0,
          equityRiskPremium: 4.6,
        },
      ]);
      expect({ total, meta }).toEqual({ total: 1, meta: { unit: "percent", ratingAgency: "Moody's" } });
    }
    // The code is never sent, and the list serves both.
    expect(seen).toHaveLength(1);
    expect(seen[0]?.url.search).toBe("");
    expect(seen[0]?.headers.get("x-finnhub-token")).toBe("k1");
  });

  it("gives all countries by name, with nulls where Finnhub has no figures", async () => {
    const { items, total } = await open(list).ask({});
    expect(items.map(({ country }) => country)).toEqual(["Antarctica", "Germany"]);
    expect(total).toBe(2);
    expect(items[0]).toEqual({
      code: "AQ",
      code3: "ATA",
      codeNumeric: "010",
      country: "Antarctica",
      region: null,
      subRegion: null,
      currency: null,
      currencyCode: "AQD",
      rating: null,
      defaultSpread: null,
      countryRiskPremium: null,
      equityRiskPremium: null,
    });
  });

  it("says that a code is unknown", async () => {
    await expect(open(list).ask({ code: "ZZ" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it.each(["D", "DEUT", "D1", ""])("refuses the code %j without asking", async (code) => {
    const { ask, seen } = open(list);
    await expect(ask({ code })).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path: "code" }] });
    expect(seen).toEqual([]);
  });

  it.each([401, 403])("takes a refused key, status %i, for a matter of configuration", async (status) => {
    const { ask } = open({ url: "", status, body: { error: "Invalid API key" } });
    await expect(ask({ code: "DE" })).rejects.toMatchObject({ status: 502, code: "PROVIDER_NOT_CONFIGURED" });
  });

  it("needs a key", async () => {
    const answer = countryFinancials({}, { fetch: open().fetch, secrets: {} });
    await expect(answer).rejects.toMatchObject({ code: "PROVIDER_NOT_CONFIGURED" });
  });

  it.each([[{ error: "no" }], [[]], [[{ ...rated, code2: undefined }]]])(
    "UP-2 UP-3 never takes %j for a list without the country",
    async (body) => {
      await expect(open({ url: "", body }).ask({ code: "DE" })).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA" });
    },
  );
});
