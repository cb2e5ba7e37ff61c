import { describe, expect, it } from "vitest";
import { clinicalTrialSearch } from "../../../src/capabilities/clinical/trial-search.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const full = {
  protocolSection: {
    identificationModule: {
      nctId: "NCT06970236",
      briefTitle: "Exercise",
      officialTitle: "Exercise in …",
      acronym: "EX",
    },
    statusModule: {
      overallStatus: "RECRUITING",
      startDateStruct: { date: "2025-02-01", type: "ACTUAL" },
      primaryCompletionDateStruct: { date: "2026-06" },
      completionDateStruct: { date: "2026-12" },
      lastUpdatePostDateStruct: { date: "2025-05-15" },
    },
    sponsorCollaboratorsModule: { leadSponsor: { name: "University of Valencia", class: "OTHER" } },
    descriptionModule: { briefSummary: "A \\> B" },
    conditionsModule: { conditions: ["Choroidal Melanoma"] },
    designModule: { studyType: "INTERVENTIONAL", phases: ["PHASE2", "PHASE3"], enrollmentInfo: { count: 36 } },
    armsInterventionsModule: {
      interventions: [
        { type: "OTHER", name: "Exercise" },
        { type: "DRUG", name: null },
      ],
    },
    eligibilityModule: { sex: "ALL", minimumAge: "18 Years" },
    contactsLocationsModule: { locations: [{ country: "Spain" }, { country: "Spain" }, { country: "Peru" }] },
  },
  hasResults: false,
};
const bare = {
  protocolSection: {
    identificationModule: { nctId: "NCT00000001", briefTitle: "Bare" },
    statusModule: { overallStatus: "WITHHELD" },
  },
};
const found = (answer: object): Exchange => ({ url: "/api/v2/studies?", body: { studies: [], ...answer } });

type Input = Parameters<typeof clinicalTrialSearch>[0];

function open(...exchanges: Exchange[]) {
  const fake = fakeUpstream(exchanges);
  return { ...fake, ask: (input: Input) => clinicalTrialSearch(input, { fetch: fake.fetch, cache: false }) };
}

/** What a search sends, without what it always sends. */
async function sent(input: Input): Promise<Record<string, string>> {
  const { ask, seen } = open(found({ totalCount: 0 }));
  await ask(input);
  const { fields, format, countTotal, ...query } = Object.fromEntries(seen[0]?.url.searchParams ?? []);
  expect({ format, countTotal }).toEqual({ format: "json", countTotal: "true" });
  expect(fields?.split(",")).toContain("LocationCountry");
  return query;
}

describe("clinical.trial-search", () => {
  it("gives trials, the total and the way to the next page", async () => {
    const { ask } = open(found({ studies: [full, bare], totalCount: 480, nextPageToken: "t1" }));
    const { items, total, meta } = await ask({ query: "melanoma", pageSize: 2 });
    expect({ total, meta }).toEqual({ total: 480, meta: { nextPageToken: "t1", pageSize: 2 } });
    expect(items[0]).toEqual({
      nctId: "NCT06970236",
      briefTitle: "Exercise",
      officialTitle: "Exercise in …",
      acronym: "EX",
      status: "RECRUITING",
      studyType: "INTERVENTIONAL",
      phases: ["PHASE2", "PHASE3"],
      conditions: ["Choroidal Melanoma"],
      interventions: ["Exercise"],
      sponsor: "University of Valencia",
      sponsorClass: "OTHER",
      enrollment: 36,
      startDate: "2025-02-01",
      primaryCompletionDate: "2026-06",
      completionDate: "2026-12",
      lastUpdated: "2025-05-15",
      minimumAge: "18 Years",
      maximumAge: null,
      sex: "ALL",
      countries: ["Spain", "Peru"],
      hasResults: false,
      briefSummary: "A \\> B",
      url: "https://clinicaltrials.gov/study/NCT06970236",
    });
    expect(items[1]).toMatchObject({ sponsor: null, phases: [], countries: [], enrollment: null, hasResults: null });
  });

  it("has no total on later pages and no token on the last", async () => {
    const { ask, seen } = open(found({ studies: [bare] }));
    const { total, meta } = await ask({ query: "melanoma", pageToken: "t1" });
    expect({ total, meta }).toEqual({ total: null, meta: { nextPageToken: null, pageSize: 10 } });
    expect(seen[0]?.url.searchParams.get("pageToken")).toBe("t1");
  });

  it("UP-2 has no rows when nothing matches", async () => {
    expect(await open(found({ totalCount: 0 })).ask({ query: "zzzz" })).toMatchObject({ items: [], total: 0 });
  });

  it("sends every filter", async () => {
    const filters = { nctId: "nct02576665", status: "COMPLETED", sponsor: "Tocagen Inc." } as const;
    expect(await sent({ ...filters, query: "glioma", phase: "PHASE3", country: "Germany", pageSize: 100 })).toEqual({
      "query.term": "glioma",
      "query.spons": "Tocagen Inc.",
      "filter.ids": "NCT02576665",
      "filter.overallStatus": "COMPLETED",
      "filter.advanced": 'AREA[Phase]PHASE3 AND AREA[LocationCountry]"Germany"',
      pageSize: "100",
    });
  });

  it.each([
    ["Phase 3", "AREA[Phase]PHASE3"],
    ["phase-2", "AREA[Phase]PHASE2"],
    ["NA", "AREA[Phase]NA"],
    ["n/a", "AREA[Phase]NA"],
    ["Early Phase 1", "AREA[Phase]EARLY_PHASE1"],
    ["EARLY_PHASE1", "AREA[Phase]EARLY_PHASE1"],
    ["PHASE2/PHASE3", "(AREA[Phase]PHASE2 OR AREA[Phase]PHASE3)"],
    ["Phase 1/2", "(AREA[Phase]PHASE1 OR AREA[Phase]PHASE2)"],
    ["1|2", "(AREA[Phase]PHASE1 OR AREA[Phase]PHASE2)"],
  ])("reads the phase %s", async (phase, filter) => {
    expect(await sent({ phase })).toMatchObject({ "filter.advanced": filter });
  });

  it.each([
    ["glioma [rHGG]", "glioma  rHGG"],
    ["a (b", "a  b"],
    [") a (", "a"],
    ['12" tube', "12  tube"],
    ["(a OR b) AND c", "(a OR b) AND c"],
    ['"breast (cancer"', '"breast (cancer"'],
    ["AREA[Condition]glioma", "AREA[Condition]glioma"],
    ["AREA[Condition glioma", "AREA Condition glioma"],
  ])("sends %s as a query that can be read", async (query, words) => {
    expect(await sent({ query })).toMatchObject({ "query.term": words });
  });

  it.each<[string, Input]>([
    ["", {}],
    ["", { pageSize: 5, pageToken: "x" }],
    ["query", { query: "[]" }],
    ["query", { query: "x" }],
    ["query", { query: "x".repeat(301) }],
    ["sponsor", { sponsor: "()(" }],
    ["sponsor", { sponsor: "x".repeat(201) }],
    ["phase", { phase: "PHASE5" }],
    ["phase", { phase: "PHASE1/" }],
    ["phase", { phase: "PHASE3 OR x" }],
    ["country", { country: 'Spain" OR "' }],
    ["country", { country: "  " }],
    ["country", { country: "x".repeat(81) }],
    ["nctId", { nctId: "NCT123" }],
    ["status", { query: "cancer", status: "OPEN" as "COMPLETED" }],
    ["pageSize", { query: "cancer", pageSize: 101 }],
    ["pageToken", { query: "cancer", pageToken: "x".repeat(501) }],
  ])("refuses a wrong %s without asking: %j", async (path, input) => {
    const { ask, seen } = open();
    await expect(ask(input)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path }] });
    expect(seen).toEqual([]);
  });

  it("tells a search that is refused from an outage", async () => {
    const refused = { url: "", status: 400, body: "Error parsing query", headers: { "content-type": "text/plain" } };
    await expect(open(refused).ask({ query: "x AND" })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(open({ url: "", status: 404 }).ask({ query: "xy" })).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
    await expect(open({ url: "", status: 403 }).ask({ query: "xy" })).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
  });

  it("UP-3 reports renamed fields instead of selling nulls", async () => {
    const renamed = { protocolSection: { ...bare.protocolSection, statusModule: { status: "COMPLETED" } } };
    await expect(open(found({ studies: [renamed] })).ask({ query: "xy" })).rejects.toMatchObject({
      code: "UPSTREAM_SCHEMA",
    });
    await expect(open({ url: "", body: { items: [] } }).ask({ query: "xy" })).rejects.toMatchObject({
      code: "UPSTREAM_SCHEMA",
    });
  });
});
