import { describe, expect, it } from "vitest";
import { censusDemographics } from "../../../src/capabilities/census/demographics.js";
import type { Input } from "../../../src/index.js";
import { fakeClock } from "../../support/clock.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const SCHOOLING = {
  "017": "20",
  "018": "5",
  "019": "5",
  "020": "10",
  "021": "10",
  "022": "15",
  "023": "8",
  "024": "1",
};
const CELLS: Record<string, string | null> = {
  NAME: "Los Angeles County, California",
  B01003_001E: "9848406",
  B01002_001E: "38.2",
  B19013_001E: "87760",
  B19301_001E: "45000",
  B17001_001E: "9700000",
  B17001_002E: "1319200",
  B23025_003E: "5200000",
  B23025_005E: "338000",
  B15003_001E: "100",
  ...Object.fromEntries(Object.entries(SCHOOLING).map(([level, count]) => [`B15003_${level}E`, count])),
  B15003_025E: "1",
  B11001_001E: "3390254",
  B25010_001E: "2.86",
  B25001_001E: "3664182",
  B25003_001E: "3390254",
  B25003_002E: "1549346",
  B25077_001E: "732200",
  B25064_001E: "1805",
  B03002_001E: "9848406",
  B03002_003E: "2500000",
  B03002_004E: "750000",
  B03002_005E: "18000",
  B03002_006E: "1450000",
  B03002_007E: "20000",
  B03002_008E: "60000",
  B03002_009E: "300000",
  B03002_012E: "4750406",
  state: "06",
  county: "037",
};
const table = (overrides: Record<string, string | null> = {}) => {
  const cells = { ...CELLS, ...overrides };
  return [Object.keys(cells), Object.values(cells)];
};

function open(...exchanges: Exchange[]) {
  const fake = fakeUpstream(exchanges);
  const ask = (input: Input<typeof censusDemographics>, secrets: Record<string, string> = {}) =>
    censusDemographics(input, {
      fetch: fake.fetch,
      secrets: { CENSUS_API_KEY: "k3y", ...secrets },
      clock: fakeClock("2026-09-21T12:00:00Z"),
      cache: false,
    });
  return { ...fake, ask };
}

describe("census.demographics", () => {
  it("describes a county, with rates in percent", async () => {
    const { ask } = open({ url: "/data/2024/acs/acs5?", body: table() });
    const { items, total, meta, source } = await ask({ state: "ca", county: "037" });
    expect(items).toEqual([
      {
        name: "Los Angeles County, California",
        geoId: "06037",
        stateFips: "06",
        stateCode: "CA",
        countyFips: "037",
        year: 2024,
        population: 9_848_406,
        medianAge: 38.2,
        medianHouseholdIncome: 87_760,
        perCapitaIncome: 45_000,
        povertyRate: 13.6,
        unemploymentRate: 6.5,
        highSchoolOrHigherRate: 75,
        bachelorsOrHigherRate: 25,
        households: 3_390_254,
        averageHouseholdSize: 2.86,
        housingUnits: 3_664_182,
        ownerOccupiedRate: 45.7,
        medianHomeValue: 732_200,
        medianGrossRent: 1805,
        raceEthnicity: {
          white: 2_500_000,
          black: 750_000,
          americanIndian: 18_000,
          asian: 1_450_000,
          pacificIslander: 20_000,
          other: 60_000,
          twoOrMore: 300_000,
          hispanic: 4_750_406,
          total: 9_848_406,
        },
      },
    ]);
    expect([total, meta]).toEqual([1, { dataset: "acs/acs5", year: 2024, period: "2020-2024" }]);
    expect(source.license).toContain("Public domain");
  });

  it("asks for a county of a state, at most 50 variables in one request, with the key", async () => {
    const { ask, seen } = open({ url: "", body: table() });
    await ask({ state: "06", county: "037", year: 2022 });
    const { pathname, searchParams } = seen[0]?.url ?? new URL("https://none.example");
    expect(pathname).toBe("/data/2022/acs/acs5");
    expect([...searchParams].slice(1)).toEqual([
      ["for", "county:037"],
      ["in", "state:06"],
      ["key", "k3y"],
    ]);
    const variables = searchParams.get("get")?.split(",") ?? [];
    expect(variables[0]).toBe("NAME");
    expect(variables.slice(1).sort()).toEqual(
      Object.keys(CELLS)
        .filter((name) => name.startsWith("B"))
        .sort(),
    );
    expect(variables.length).toBeLessThanOrEqual(50);
  });

  it("takes a state by its code or FIPS code, and the newest year that the host names", async () => {
    const { ask, seen } = open({ url: "", body: table() });
    const { items } = await ask({ state: "72" }, { ACS5_LATEST_YEAR: "2025" });
    expect(items[0]).toMatchObject({ stateCode: "PR", stateFips: "72", countyFips: null, geoId: "72", year: 2025 });
    expect(seen[0]?.url.searchParams.get("for")).toBe("state:72");
    expect(seen[0]?.url.searchParams.has("in")).toBe(false);
    expect(seen[0]?.url.pathname).toContain("/2025/");
  });

  it("does not ask a year for tables that it lacks", async () => {
    const { ask, seen } = open({ url: "", body: table({ B15003_001E: null, B23025_003E: null }) });
    const { items } = await ask({ state: "CA", year: 2010 });
    expect(seen[0]?.url.searchParams.get("get")).not.toMatch(/B15003|B23025/);
    expect(items[0]).toMatchObject({ unemploymentRate: null, highSchoolOrHigherRate: null, povertyRate: 13.6 });
    await ask({ state: "CA", year: 2011 });
    expect(seen[1]?.url.searchParams.get("get")).toMatch(/^(?!.*B15003).*B23025/);
  });

  it.each([
    "-666666666",
    "-666666666.0",
    "-999999999",
    "-888888888",
    "-222222222",
    "-333333333",
    "-555555555",
    "",
    null,
  ])("has no figure for the code %s, and no rate of it", async (code) => {
    const { ask } = open({ url: "", body: table({ B19013_001E: code, B17001_002E: code, B25003_001E: code }) });
    const { items } = await ask({ state: "CA" });
    expect(items[0]).toMatchObject({ medianHouseholdIncome: null, povertyRate: null, ownerOccupiedRate: null });
  });

  it("has no rate of nobody, and keeps what is capped as it is", async () => {
    const { ask } = open({ url: "", body: table({ B17001_001E: "0", B17001_002E: "0", B19013_001E: "250001" }) });
    expect((await ask({ state: "CA" })).items[0]).toMatchObject({ povertyRate: null, medianHouseholdIncome: 250_001 });
  });

  it.each<[string, Input<typeof censusDemographics>, string]>([
    ["a state that is none", { state: "ZZ" }, "state"],
    ["a FIPS code that is none", { state: "03" }, "state"],
    ["a county of two digits", { state: "CA", county: "12" }, "county"],
    ["a year before the survey", { state: "CA", year: 2009 }, "year"],
    ["a year to come", { state: "CA", year: 2027 }, "year"],
  ])("refuses %s without asking", async (_, input, path) => {
    const { ask, seen } = open();
    await expect(ask(input)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path }] });
    expect(seen).toEqual([]);
  });

  it.each<[string, Exchange, string]>([
    ["no such area", { url: "", status: 204 }, "NOT_FOUND"],
    ["a year that is not out", { url: "", status: 404, body: "<html>404</html>" }, "NOT_FOUND"],
    ["an unknown geography", { url: "", status: 400, body: "error: unknown/unsupported geography" }, "NOT_FOUND"],
    ["an unknown variable", { url: "", status: 400, body: "error: unknown variable 'B1'" }, "UPSTREAM_ERROR"],
    ["a web page", { url: "", body: "<html>Maintenance</html>" }, "UPSTREAM_SCHEMA"],
    ["a renamed column", { url: "", body: table().map(([, ...rest]) => rest) }, "UPSTREAM_SCHEMA"],
  ])("UP-2 tells %s from the rest", async (_, exchange, code) => {
    await expect(open(exchange).ask({ state: "CA", county: "999" })).rejects.toMatchObject({ code });
  });

  it("says that its key is refused when the bureau redirects to a page about keys", async () => {
    const { ask } = open(
      { url: "/acs5", status: 302, headers: { location: "https://api.census.gov/data/invalid_key.html" } },
      { url: "/invalid_key.html", body: "<html><title>Invalid Key</title></html>" },
    );
    const error = await ask({ state: "CA" }).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ code: "PROVIDER_NOT_CONFIGURED", status: 502 });
    expect(String(error)).not.toContain("k3y");
  });
});
