import { describe, expect, it } from "vitest";
import { agricultureStats } from "../../../src/capabilities/agriculture/stats.js";
import type { Input } from "../../../src/index.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const row = (overrides: object = {}) => ({
  commodity_desc: "CORN",
  year: "2021",
  state_name: "IOWA",
  county_name: "",
  statisticcat_desc: "YIELD",
  short_desc: "CORN, GRAIN - YIELD, MEASURED IN BU / ACRE",
  unit_desc: "BU / ACRE",
  Value: "204",
  "CV (%)": "",
  reference_period_desc: "YEAR",
  freq_desc: "ANNUAL",
  source_desc: "SURVEY",
  domain_desc: "TOTAL",
  domaincat_desc: "NOT SPECIFIED",
  ...overrides,
});

function open(...exchanges: Exchange[]) {
  const fake = fakeUpstream(exchanges);
  const ask = (input: Input<typeof agricultureStats>, secrets = { NASS_API_KEY: "k3y" }) =>
    agricultureStats(input, { fetch: fake.fetch, secrets, cache: false });
  return { ...fake, ask };
}

describe("agriculture.stats", () => {
  it("gives the rows of a commodity, newest first, with figures as numbers", async () => {
    const { ask } = open({
      url: "/api/api_GET?",
      body: {
        data: [row(), row({ year: 2023, Value: "  2,522,400,000", county_name: "POLK" }), row({ Value: "1.5" })],
      },
    });
    const { items, total, source } = await ask({ commodity_desc: "corn" });
    expect(items.map(({ year, value, valueRaw, county }) => [year, value, valueRaw, county])).toEqual([
      [2023, 2_522_400_000, "2,522,400,000", "POLK"],
      [2021, 204, "204", null],
      [2021, 1.5, "1.5", null],
    ]);
    expect(items[1]).toEqual({
      commodity: "CORN",
      year: 2021,
      state: "IOWA",
      county: null,
      category: "YIELD",
      dataItem: "CORN, GRAIN - YIELD, MEASURED IN BU / ACRE",
      value: 204,
      valueRaw: "204",
      unit: "BU / ACRE",
      referencePeriod: "YEAR",
      frequency: "ANNUAL",
      source: "SURVEY",
      domain: "TOTAL",
      domainCategory: "NOT SPECIFIED",
    });
    expect([total, source.provider]).toEqual([3, "USDA NASS Quick Stats"]);
  });

  it.each(["(D)", "(Z)", "(NA)", "(S)", "(X)", "(L)", "(H)", ""])("has no number for the code %s", async (code) => {
    const { items } = await open({ url: "", body: { data: [row({ Value: ` ${code}` })] } }).ask({
      commodity_desc: "CORN",
    });
    expect(items[0]).toMatchObject({ value: null, valueRaw: code });
  });

  it("asks by the same names, in capitals, with the key", async () => {
    const { ask, seen } = open({ url: "", body: { data: [] } });
    await ask({
      commodity_desc: " corn ",
      year__GE: "2010",
      year__LE: "2012",
      state_alpha: "ia",
      county_name: "Polk",
      statisticcat_desc: "area harvested",
      agg_level_desc: "county",
      short_desc: "corn, grain - yield",
      freq_desc: "annual",
    });
    expect(Object.fromEntries(seen[0]?.url.searchParams ?? [])).toEqual({
      commodity_desc: "CORN",
      year__GE: "2010",
      year__LE: "2012",
      state_alpha: "IA",
      county_name: "POLK",
      statisticcat_desc: "AREA HARVESTED",
      agg_level_desc: "COUNTY",
      short_desc: "CORN, GRAIN - YIELD",
      freq_desc: "ANNUAL",
      format: "JSON",
      key: "k3y",
    });
  });

  it.each<[string, Input<typeof agricultureStats>, string]>([
    ["a blank commodity", { commodity_desc: "   " }, "commodity_desc"],
    ["a year of two digits", { commodity_desc: "CORN", year: "20" }, "year"],
    ["a year and a range", { commodity_desc: "CORN", year: "2020", year__LE: "2021" }, "year"],
    ["a range that runs backwards", { commodity_desc: "CORN", year__GE: "2021", year__LE: "2020" }, "year__LE"],
    ["a state of three letters", { commodity_desc: "CORN", state_alpha: "IOW" }, "state_alpha"],
    ["a blank county", { commodity_desc: "CORN", county_name: " " }, "county_name"],
    ["a level that is not offered", { commodity_desc: "CORN", agg_level_desc: "WATERSHED" }, "agg_level_desc"],
  ])("refuses %s without asking", async (_, input, path) => {
    const { ask, seen } = open();
    await expect(ask(input)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path }] });
    expect(seen).toEqual([]);
  });

  it("UP-2 finds nothing only when Quick Stats says so in its way; any other 400 is a failure", async () => {
    const none = open({ url: "", status: 400, body: { error: ["bad request - invalid query"] } });
    await expect(none.ask({ commodity_desc: "CORN", year: "2102" })).rejects.toMatchObject({ code: "NOT_FOUND" });
    const blocked = open({ url: "", status: 400, body: "<html>Request rejected</html>" });
    await expect(blocked.ask({ commodity_desc: "CORN" })).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
  });

  it.each([
    [413, "RESULT_TOO_LARGE", 400],
    [401, "PROVIDER_NOT_CONFIGURED", 502],
    [403, "UPSTREAM_RATE_LIMIT", 429],
    [500, "UPSTREAM_ERROR", 502],
  ])("reports its status %i as %s", async (status, code, ours) => {
    const { ask } = open({ url: "", status, body: { error: ["exceeds limit=50000"] } });
    await expect(ask({ commodity_desc: "CORN" })).rejects.toMatchObject({ code, status: ours });
  });

  it("UP-3 reports a renamed field instead of selling nulls", async () => {
    const { ask } = open({ url: "", body: { data: [{ ...row(), Value: undefined, value: "204" }] } });
    await expect(ask({ commodity_desc: "CORN" })).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA" });
  });

  it("needs a key, and names where to put it", async () => {
    const { ask, seen } = open();
    await expect(ask({ commodity_desc: "CORN" }, { NASS_API_KEY: "" })).rejects.toMatchObject({
      code: "PROVIDER_NOT_CONFIGURED",
      message: expect.stringContaining("NASS_API_KEY"),
    });
    expect(seen).toEqual([]);
  });
});
