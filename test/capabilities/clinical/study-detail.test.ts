import { describe, expect, it } from "vitest";
import { clinicalStudyDetail } from "../../../src/capabilities/clinical/study-detail.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const site = {
  facility: "Clinic",
  status: "RECRUITING",
  city: "Berlin",
  zip: "10117",
  country: "Germany",
  geoPoint: { lat: 52.5, lon: 13.4 },
  contacts: [{ name: "A. Person", email: "a@example.org" }],
};
const protocol = {
  identificationModule: {
    nctId: "NCT02576665",
    briefTitle: "Toca 6",
    officialTitle: "A Study",
    acronym: "T6",
    organization: { fullName: "Tocagen Inc.", class: "INDUSTRY" },
  },
  statusModule: {
    overallStatus: "TERMINATED",
    whyStopped: "Funding",
    startDateStruct: { date: "2016-07" },
    primaryCompletionDateStruct: { date: "2019-12-20" },
    completionDateStruct: { date: "2019-12-21" },
    studyFirstPostDateStruct: { date: "2015-10-15" },
    lastUpdatePostDateStruct: { date: "2020-05-01" },
    resultsFirstPostDateStruct: { date: "2020-04-01" },
  },
  sponsorCollaboratorsModule: {
    leadSponsor: { name: "Tocagen Inc.", class: "INDUSTRY" },
    collaborators: [{ name: "NIH" }],
  },
  descriptionModule: { briefSummary: "glioma \\[rHGG\\]", detailedDescription: "More." },
  conditionsModule: { conditions: ["Glioma"], keywords: ["virus"] },
  designModule: {
    studyType: "INTERVENTIONAL",
    phases: ["PHASE1"],
    designInfo: {
      allocation: "NA",
      interventionModel: "SINGLE_GROUP",
      primaryPurpose: "TREATMENT",
      maskingInfo: { masking: "DOUBLE", whoMasked: ["PARTICIPANT"] },
    },
    enrollmentInfo: { count: 18, type: "ACTUAL" },
  },
  armsInterventionsModule: {
    armGroups: [{ label: "A", type: "EXPERIMENTAL", interventionNames: ["Drug: Toca FC"] }],
    interventions: [{ type: "DRUG", name: "Toca FC", otherNames: ["5-FC"] }],
  },
  outcomesModule: {
    primaryOutcomes: [{ measure: "Immune activity", timeFrame: "1 year" }],
    secondaryOutcomes: [{ measure: "Survival" }],
  },
  eligibilityModule: { eligibilityCriteria: "* Adults", healthyVolunteers: false, sex: "ALL", minimumAge: "18 Years" },
  contactsLocationsModule: {
    centralContacts: [{ name: "Study desk", role: "CONTACT", phone: "1", email: "desk@example.org" }],
    overallOfficials: [{ name: "B. Person", affiliation: "Tocagen", role: "STUDY_DIRECTOR" }],
    locations: [site, { facility: "Other", country: null }],
  },
  referencesModule: { references: [{ pmid: "1", type: "RESULT", citation: "B. 2020" }] },
};
const full = {
  protocolSection: protocol,
  resultsSection: { participantFlowModule: {} },
  derivedSection: {
    conditionBrowseModule: { meshes: [{ id: "D005910", term: "Glioma" }] },
    interventionBrowseModule: {},
  },
  hasResults: true,
};

function open(...exchanges: Exchange[]) {
  const fake = fakeUpstream(exchanges);
  return { ...fake, ask: (nctId: string) => clinicalStudyDetail({ nctId }, { fetch: fake.fetch, cache: false }) };
}

describe("clinical.study-detail", () => {
  it("gives the whole record of a study, without e-mail addresses and the bulk of its results", async () => {
    const { ask, seen } = open({ url: "/api/v2/studies/NCT02576665?", body: full });
    const { items, total, source } = await ask("nct02576665");
    expect(items).toEqual([
      {
        nctId: "NCT02576665",
        briefTitle: "Toca 6",
        officialTitle: "A Study",
        acronym: "T6",
        status: "TERMINATED",
        whyStopped: "Funding",
        studyType: "INTERVENTIONAL",
        phases: ["PHASE1"],
        sponsor: { name: "Tocagen Inc.", class: "INDUSTRY" },
        collaborators: [{ name: "NIH", class: null }],
        briefSummary: "glioma \\[rHGG\\]",
        detailedDescription: "More.",
        conditions: ["Glioma"],
        keywords: ["virus"],
        design: {
          allocation: "NA",
          interventionModel: "SINGLE_GROUP",
          primaryPurpose: "TREATMENT",
          masking: "DOUBLE",
          whoMasked: ["PARTICIPANT"],
        },
        enrollment: { count: 18, type: "ACTUAL" },
        arms: [{ label: "A", type: "EXPERIMENTAL", description: null, interventionNames: ["Drug: Toca FC"] }],
        interventions: [{ type: "DRUG", name: "Toca FC", description: null, otherNames: ["5-FC"], armGroupLabels: [] }],
        primaryOutcomes: [{ measure: "Immune activity", description: null, timeFrame: "1 year" }],
        secondaryOutcomes: [{ measure: "Survival", description: null, timeFrame: null }],
        eligibility: {
          criteria: "* Adults",
          sex: "ALL",
          minimumAge: "18 Years",
          maximumAge: null,
          healthyVolunteers: false,
          stdAges: [],
        },
        locations: [
          {
            facility: "Clinic",
            city: "Berlin",
            state: null,
            zip: "10117",
            country: "Germany",
            status: "RECRUITING",
            latitude: 52.5,
            longitude: 13.4,
          },
          expect.objectContaining({ facility: "Other", latitude: null, longitude: null }),
        ],
        locationCount: 2,
        contacts: [{ name: "Study desk", role: "CONTACT", phone: "1" }],
        officials: [{ name: "B. Person", affiliation: "Tocagen", role: "STUDY_DIRECTOR" }],
        references: [{ pmid: "1", type: "RESULT", citation: "B. 2020" }],
        meshConditions: [{ id: "D005910", term: "Glioma" }],
        meshInterventions: [],
        startDate: "2016-07",
        primaryCompletionDate: "2019-12-20",
        completionDate: "2019-12-21",
        firstPosted: "2015-10-15",
        lastUpdated: "2020-05-01",
        resultsFirstPosted: "2020-04-01",
        hasResults: true,
        organization: "Tocagen Inc.",
        url: "https://clinicaltrials.gov/study/NCT02576665",
      },
    ]);
    expect(total).toBe(1);
    expect(source).toMatchObject({ url: "https://clinicaltrials.gov/study/NCT02576665" });
    expect(seen[0]?.url.searchParams.get("fields")).toBe("protocolSection,derivedSection,hasResults");
  });

  it("does with a withheld record, of which nearly everything is missing", async () => {
    const { identificationModule } = protocol;
    const statusModule = { overallStatus: "WITHHELD" };
    const { items } = await open({ url: "", body: { protocolSection: { identificationModule, statusModule } } }).ask(
      "NCT02576665",
    );
    expect(items[0]).toMatchObject({ sponsor: null, enrollment: null, arms: [], locations: [], locationCount: 0 });
    expect(items[0]).toMatchObject({ startDate: null, hasResults: null, design: { masking: null, whoMasked: [] } });
  });

  it("lists at most 200 sites and counts them all", async () => {
    const locations = Array.from({ length: 205 }, () => site);
    const body = { ...full, protocolSection: { ...protocol, contactsLocationsModule: { locations } } };
    const { items } = await open({ url: "", body }).ask("NCT02576665");
    expect(items[0]?.locations).toHaveLength(200);
    expect(items[0]?.locationCount).toBe(205);
  });

  it("follows the number of a study that was joined to another", async () => {
    const moved = { status: 301, headers: { location: "/api/v2/studies/NCT02576665" } };
    const { ask } = open({ url: "/NCT00000099", ...moved }, { url: "/NCT02576665", body: full });
    expect((await ask("NCT00000099")).items[0]?.nctId).toBe("NCT02576665");
  });

  it("UP-2 tells an unknown study from an outage", async () => {
    const plain = { headers: { "content-type": "text/plain" }, body: "NCT99999999 has incorrect format" };
    for (const status of [400, 404])
      await expect(open({ url: "", status, ...plain }).ask("NCT99999999")).rejects.toMatchObject({ code: "NOT_FOUND" });
    const refused = open({ url: "", status: 403, ...plain }).ask("NCT02576665");
    await expect(refused).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
  });

  it("UP-3 reports a record without its modules instead of selling nulls", async () => {
    await expect(open({ url: "", body: { protocolSection: {} } }).ask("NCT02576665")).rejects.toMatchObject({
      code: "UPSTREAM_SCHEMA",
    });
  });

  it.each(["NCT123", "NCT025766655", "02576665", "NCT0257666x"])("refuses %s without asking", async (nctId) => {
    const { ask, seen } = open();
    await expect(ask(nctId)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path: "nctId" }] });
    expect(seen).toEqual([]);
  });
});
