import { describe, expect, it } from "vitest";
import { censusZipcode } from "../../../src/capabilities/census/zipcode.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

function open(...exchanges: Exchange[]) {
  const fake = fakeUpstream(exchanges);
  const ask = (zip: string) =>
    censusZipcode({ zip }, { fetch: fake.fetch, secrets: { CENSUS_API_KEY: "k3y" }, cache: false });
  return { ...fake, ask };
}

const HEADER = ["NAME", "B01003_001E", "B01002_001E", "zip code tabulation area"];

describe("census.zipcode", () => {
  it("describes a ZIP area; leading zeros stay, what was not asked or answered is null", async () => {
    const { ask, seen } = open({
      url: "/data/2024/acs/acs5?",
      body: [HEADER, ["ZCTA5 00601", "16721", "44.4", "00601"]],
    });
    const { items, total, meta } = await ask("00601");
    expect(items[0]).toMatchObject({
      zip: "00601",
      geoId: "00601",
      name: "ZCTA5 00601",
      stateFips: null,
      stateCode: null,
      countyFips: null,
      population: 16_721,
      medianAge: 44.4,
      medianHomeValue: null,
      povertyRate: null,
    });
    expect([total, meta]).toEqual([1, { dataset: "acs/acs5", year: 2024, period: "2020-2024" }]);
    expect(seen[0]?.url.searchParams.get("for")).toBe("zip code tabulation area:00601");
    expect(seen[0]?.url.searchParams.has("in")).toBe(false);
  });

  it("UP-2 a ZIP without an area is not found", async () => {
    await expect(open({ url: "", status: 204 }).ask("20500")).rejects.toMatchObject({ code: "NOT_FOUND", status: 404 });
  });

  it.each(["1234", "123456", "1234a", "90210-1234", ""])("refuses %j without asking", async (zip) => {
    const { ask, seen } = open();
    await expect(ask(zip)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path: "zip" }] });
    expect(seen).toEqual([]);
  });

  it("UP-3 reports an answer without its population", async () => {
    const { ask } = open({
      url: "",
      body: [
        ["NAME", "B01003_1E"],
        ["ZCTA5 90210", "1"],
      ],
    });
    await expect(ask("90210")).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA" });
  });
});
