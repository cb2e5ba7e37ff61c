import { afterEach, describe, expect, it } from "vitest";
import { countryFinancials } from "../../../src/capabilities/country/financials.js";
import { forgetBulk } from "../../../src/upstream/bulk/bulk.js";
import { freshFolder } from "../../support/fresh-folder.js";
import { workbookOf } from "../../support/industry-tables.js";
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

/** The form of his sheet of January 2022, the figures of these rows too; the names of the others fill it up. */
function sheet(rows: (string | number | null)[][]) {
  const others = ["DK", "NO", "SE", "FI", "NL"].flatMap(
    (code) => new Intl.DisplayNames("en", { type: "region" }).of(code) ?? [],
  );
  const filled = Array.from({ length: 100 }, (_, i) => [
    others[i] ?? `Land ${i}`,
    "x",
    "Aaa",
    0,
    0.0424,
    0,
    "NA",
    "NA",
    "NA",
  ]);
  return workbookOf(
    [
      ["Country and Equity Risk Premiums"],
      ["Date of update:", 43100],
      [
        "Enter the current risk premium for a mature equity market",
        null,
        null,
        null,
        0.0424,
        "Updated January 1, 2022",
      ],
      ["If yes, enter the multiplier to use on the default spread", null, null, null, 1.1622564661509931],
      [],
      [
        ...["Country", "Africa", "Moody's rating", "Rating-based Default Spread", "Total Equity Risk Premium"],
        ...["Country Risk Premium", "Sovereign CDS, net of US", "Total Equity Risk Premium2", "Country Risk Premium3"],
      ],
      ...rows,
      ...filled,
      ["Frontier Markets (no sovereign ratings)"],
      ["Country", "PRS Composite Risk Score", "ERP", "CRP", "Default Spread"],
      ["Algeria", 62.25, 0.10672501428150497, 0.0643250142815049, 0.05534493991203854],
      ["Yemen, Republic", 52.75, 0.16105779333481501, 0.11865779333481502, 0.10209260760473131],
    ],
    "ERPs by country",
  );
}

const SHEET = sheet([
  ["Abu Dhabi", "Middle East", "Aa2", 0.0042218747505715949, 0.04730690122813145, 0.0049069012281314477, 0.0058],
  ["Congo (Democratic Republic of)", "Africa", "Caa1", 0.0637886894, 0.1165388168, 0.0741388168, "NA"],
  ["Congo (Republic of)", "Africa", "Caa2", 0.0766078364, 0.1314379532, 0.0890379532, "NA"],
  ["Andorra (Principality of)", "Western Europe", "Baa2", 0.0161966467, 0.0612246574, 0.0188246574, "NA"],
  ["Korea", "Asia", "Aa2", 0.0042218747, 0.0473069012, 0.0049069012, 0.0006],
  ["Turkey", "Western Europe", "B2", 0.046824429051794063, 0.096821995439276054, 0.054421995439276061, 0.0532],
]);

describe("country.financials of Damodaran", () => {
  afterEach(forgetBulk);
  const ask = async (input: { code?: string }, body: Uint8Array = SHEET) => {
    const fake = fakeUpstream([{ url: "/pc/datasets/ctryprem.xlsx", body }]);
    return countryFinancials(input, {
      fetch: fake.fetch,
      secrets: { COUNTRY_RISK_SOURCE: "damodaran" },
      dataDir: await freshFolder(),
    });
  };

  it("gives Damodaran's figures in percent, with the country's own facts", async () => {
    const { items, meta, source } = await ask({ code: "tur" });
    expect(items).toEqual([
      {
        ...{ code: "TR", code3: "TUR", codeNumeric: "792", country: expect.stringMatching(/^T.rki?/) },
        ...{ region: "Asia", subRegion: "Western Asia", currency: "Turkish lira", currencyCode: "TRY" },
        ...{ rating: "B2", defaultSpread: 4.6824, countryRiskPremium: 5.4422, equityRiskPremium: 9.6822 },
      },
    ]);
    expect(meta).toEqual({ unit: "percent", ratingAgency: "Moody's", asOf: "2022-01-01" });
    expect(source.attribution).toMatch(/Damodaran.*mledoze/s);
  });

  it("gives every country, those that he rates not with nulls, and takes no emirate for one", async () => {
    const { items, total } = await ask({});
    expect(total).toBe(250);
    const figures = (code: string) => {
      const found = items.find((item) => item.code === code);
      return found && [found.rating, found.defaultSpread, found.countryRiskPremium, found.equityRiskPremium];
    };
    expect(figures("CD")).toEqual(["Caa1", 6.3789, 7.4139, 11.6539]);
    expect(figures("CG")).toEqual(["Caa2", 7.6608, 8.9038, 13.1438]);
    expect(figures("AD")?.[0]).toBe("Baa2");
    expect(figures("KR")?.[0]).toBe("Aa2");
    expect(figures("KP")).toEqual([null, null, null, null]);
    expect(figures("DZ")).toEqual([null, 5.5345, 6.4325, 10.6725]);
    expect(figures("YE")).toEqual([null, 10.2093, 11.8658, 16.1058]);
    expect(figures("AE")).toEqual([null, null, null, null]);
    expect(figures("AQ")).toEqual([null, null, null, null]);
  });

  it("UP-2 UP-3 never takes another workbook, or a page, for his", async () => {
    const other = workbookOf(
      [
        ["Country", "Rating"],
        ["Chad", "B3"],
      ],
      "ERPs by country",
    );
    for (const body of [other, workbookOf([["Country"]]), Buffer.from("<html>moved</html>")])
      await expect(ask({ code: "DE" }, new Uint8Array(body))).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA" });
  });

  it("names the setting where it names no source", async () => {
    const answer = countryFinancials({}, { fetch: open().fetch, secrets: { COUNTRY_RISK_SOURCE: "moodys" } });
    await expect(answer).rejects.toMatchObject({
      code: "PROVIDER_NOT_CONFIGURED",
      message: expect.stringContaining("COUNTRY_RISK_SOURCE"),
    });
  });
});
