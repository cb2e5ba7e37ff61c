import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { businessKyb360 } from "../../../src/capabilities/business/kyb-360.js";
import { forgetBulk } from "../../../src/upstream/bulk/bulk.js";
import { emptyBut } from "../../support/empty-but.js";
import { leiData, leiList, PARENT } from "../../support/gleif.js";
import { cslFile, ofacFiles, samFiles } from "../../support/screening-lists.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

let dataDir = "";
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "kyb-"));
  forgetBulk();
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const gleif = (...data: object[]): Exchange => ({ url: "api.gleif.org", body: leiList(data) });
const tickers: Exchange = {
  url: "company_tickers.json",
  body: { 0: { cik_str: 4711, ticker: "TMIL", title: "TORVALD MILLS CORP" } },
};
const FILER = [
  "entityType sicDescription tickers exchanges ein category fiscalYearEnd stateOfIncorporation",
  "stateOfIncorporationDescription formerNames addresses",
].join(" ");
const filer: Exchange = {
  url: "CIK0000004711",
  body: emptyBut(FILER, { cik: "4711", name: "TORVALD MILLS CORP", sic: "2000" }),
};
const awards: Exchange = {
  url: "api.usaspending.gov",
  body: {
    results: [
      { id: "1-P", uei: "U1", name: "TORVALD MILLS CORP", recipient_level: "P", amount: 12.5 },
      { id: "2-C", uei: "U1", name: "TORVALD MILLS CORP", recipient_level: "C", amount: 12.5 },
    ],
  },
};
const healthy = [
  gleif(leiData(PARENT, "Torvald Mills Corporation")),
  tickers,
  filer,
  awards,
  cslFile,
  ...ofacFiles,
  ...samFiles,
];
const without = (part: string) => [{ url: part, status: 503 }, ...healthy.filter(({ url }) => url !== part)];

async function dossier(input: Parameters<typeof businessKyb360>[0], exchanges: Exchange[] = healthy) {
  const { fetch } = fakeUpstream(exchanges);
  const { items, meta } = await businessKyb360(input, { fetch, secrets: {}, dataDir });
  const [item] = items;
  if (!item) throw new Error("a dossier is one item");
  return { ...item, meta, codes: item.riskFlags.map(({ code, source }) => `${source}: ${code}`) };
}

describe("business.kyb-360", () => {
  it("clears a business when sanctions and debarment were checked and have no name near it", async () => {
    const result = await dossier({ name: "Torvald Mills Corp" });
    expect(result).toMatchObject({
      cleared: true,
      riskLevel: "medium",
      codes: ["gleif: LEI_LAPSED"],
      sources: {
        gleif: { status: "found", matches: [{ lei: PARENT, confidence: "high" }] },
        sec: { status: "found", matches: [{ cik: "4711", sic: "2000" }] },
        sanctions: { status: "not_found" },
        debarment: { status: "not_found" },
        registry: { status: "skipped" },
        awards: { status: "found", matchCount: 1 },
        tradeControls: { status: "not_found" },
      },
    });
    expect(result.sources.debarment.asOf).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(result.summary).toContain("have no name near it");
  });

  it.each([
    ["sanctions", "SANCTIONS_UNVERIFIED", "/SDN.CSV"],
    ["sanctions", "SANCTIONS_UNVERIFIED", "/ALT.CSV"],
    ["debarment", "DEBARMENT_UNVERIFIED", "/listfiles"],
    ["debarment", "DEBARMENT_UNVERIFIED", "V2_26325.ZIP"],
  ] as const)("UP-2 never clears while %s is down: %s, %s", async (source, code, part) => {
    const exchanges = [...without(part), { url: "treasury.gov", status: 503 }];
    const result = await dossier({ name: "Torvald Mills Corp" }, exchanges);
    expect(result).toMatchObject({ cleared: false, sources: { [source]: { status: "error", matches: [] } } });
    expect(result.codes).toContain(`${source}: ${code}`);
  });

  it.each([
    ["api.gleif.org", "gleif"],
    ["sec.gov", "sec"],
    ["api.usaspending.gov", "awards"],
    ["/consolidated.csv", "tradeControls"],
  ])("is cleared while %s is down, and says that %s did not answer", async (part, source) => {
    const result = await dossier({ name: "Torvald Mills Corp" }, without(part));
    expect(result.cleared).toBe(true);
    expect(result.codes).toContain(`${source}: SOURCE_ERROR`);
  });

  it.each([
    ["Zareh Shipping", "sanctions", "SANCTIONS_MATCH"],
    ["Dr. Dragan Obrenovic", "sanctions", "SANCTIONS_MATCH"],
    ["Bramblewick Fuels", "debarment", "DEBARMENT_MATCH"],
    ["WRENFIELD, Tobias", "debarment", "DEBARMENT_MATCH"],
    ["Quillon Optics Institute", "tradeControls", "TRADE_CONTROL_MATCH"],
    ["QOI Laboratory", "tradeControls", "TRADE_CONTROL_MATCH"],
  ] as const)("flags %s: %s, %s", async (name, source, code) => {
    const result = await dossier({ name });
    expect(result.codes).toContain(`${source}: ${code}`);
    expect(result.riskLevel).toBe("high");
    expect(result.cleared).toBe(source === "tradeControls");
    expect(result.sources[source].matches[0]).toMatchObject({ reasons: expect.any(Array), score: expect.any(Number) });
  });

  it("does not clear a name that is near the list, however high the caller's threshold", async () => {
    const result = await dossier({ name: "Zareh Maritme", threshold: 0.99 });
    expect(result).toMatchObject({ cleared: false, sources: { sanctions: { status: "not_found" } } });
    expect(result.codes).toContain("sanctions: SANCTIONS_NEAR_MATCH");
  });

  it("asks a state's register where it has one, and flags bad standing", async () => {
    const row = emptyBut("jurisdictonofformation entitytype entityformdate", {
      ...{ entityid: "1", entityname: "Torvald Mills Corp, Delinquent May 1, 2022", entitystatus: "Delinquent" },
    });
    const result = await dossier({ name: "Torvald Mills", state: "co" }, [
      { url: "4ykn-tg5h", body: [row] },
      ...healthy,
    ]);
    expect(result.sources.registry).toMatchObject({ status: "found", matches: [{ name: "Torvald Mills Corp" }] });
    expect(result.codes).toContain("registry: REGISTRY_NOT_GOOD_STANDING");
    expect((await dossier({ name: "Torvald Mills", state: "TX" })).sources.registry.status).toBe("skipped");
  });

  it("has no legal identity for a name that no register has", async () => {
    const result = await dossier({ name: "Nobody At All Ltd" }, [gleif(), ...healthy.slice(1)]);
    expect(result.codes).toEqual(["gleif: NO_LEGAL_IDENTITY_FOUND"]);
    expect(result).toMatchObject({ riskLevel: "low", cleared: true });
  });

  it("fails where no source answers", async () => {
    await expect(dossier({ name: "Torvald Mills" }, [{ url: "", status: 503 }])).rejects.toMatchObject({ status: 502 });
  });
});
