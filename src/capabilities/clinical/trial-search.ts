import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { limit, text } from "../../capability/fields.js";
import { rows } from "../../capability/output.js";
import { invalid } from "../../errors.js";
import { HOUR_MS } from "../../lib/time.js";
import { countryFilter, phaseFilter, toWords } from "../../providers/clinical-trials/essie.js";
import { clinicalTrials } from "../../providers/clinical-trials/provider.js";
import { NAMES, nctId, type Study, study, studyUrl } from "../../providers/clinical-trials/study.js";
import { upstream } from "../../upstream/client.js";
import { identifiedRows, number, label as sentLabel } from "../../upstream/fields.js";

const STATUSES = [
  "RECRUITING",
  "ACTIVE_NOT_RECRUITING",
  "COMPLETED",
  "TERMINATED",
  "WITHDRAWN",
  "NOT_YET_RECRUITING",
  "SUSPENDED",
] as const;
const FIELDS =
  "NCTId,BriefTitle,OfficialTitle,Acronym,OverallStatus,Phase,StudyType,Condition,InterventionName,InterventionType,LeadSponsorName,LeadSponsorClass,EnrollmentCount,BriefSummary,StartDate,PrimaryCompletionDate,CompletionDate,LastUpdatePostDate,MinimumAge,MaximumAge,Sex,LocationCountry,HasResults";

const label = () => z.string().nullable();

/** Old studies lack a day, an enrolment or an intervention, but not all studies of a page. */
const COMMON = [
  "protocolSection.statusModule.startDateStruct",
  "protocolSection.statusModule.completionDateStruct",
  "protocolSection.designModule.enrollmentInfo",
  "protocolSection.armsInterventionsModule.interventions",
];

export const clinicalTrialSearch = /* @__PURE__ */ defineCapability({
  id: "clinical.trial-search",
  summary: "Search the clinical trials of ClinicalTrials.gov by words, sponsor, phase, status and country.",
  keywords: [
    "clinical study",
    "medical studies",
    "find studies",
    "nct",
    "recruiting",
    "drug trial",
    "patients",
    "medicine",
    "disease",
    "treatment",
  ],
  price: "0.0012",
  provider: clinicalTrials,
  input: () =>
    z.strictObject({
      query: text(2, 300).optional().describe("Words to search for: a condition, a drug, anything"),
      nctId: nctId().optional().describe("Registry number of one trial"),
      status: z.enum(STATUSES).optional().describe("Overall status"),
      sponsor: text(2, 200).optional().describe("Name of a sponsor or collaborator"),
      phase: text(2, 40).optional().describe("PHASE1 to PHASE4, EARLY_PHASE1 or NA; several joined by a slash"),
      country: text(2, 80).optional().describe("English name of a country with a site of the trial, such as Germany"),
      pageSize: limit(10, 100).describe("How many trials to return"),
      pageToken: text(1, 500).optional().describe("From meta.nextPageToken of the same search, for its next page"),
    }),
  output: rows(() =>
    z.object({
      nctId: z.string(),
      briefTitle: z.string(),
      officialTitle: label(),
      acronym: label(),
      status: z.string(),
      studyType: label(),
      phases: z.array(z.string()),
      conditions: z.array(z.string()),
      interventions: z.array(z.string()),
      sponsor: label(),
      sponsorClass: label(),
      enrollment: z.number().nullable(),
      startDate: label().describe("YYYY-MM-DD or YYYY-MM, as the other dates"),
      primaryCompletionDate: label(),
      completionDate: label(),
      lastUpdated: label(),
      minimumAge: label(),
      maximumAge: label(),
      sex: label(),
      countries: z.array(z.string()),
      hasResults: z.boolean().nullable(),
      briefSummary: label().describe("Markdown"),
      url: z.string(),
    }),
  ),
  example: { query: "melanoma", status: "RECRUITING" },
  read({ query, nctId, status, sponsor, phase, country, pageSize, pageToken }) {
    if (!(query ?? nctId ?? status ?? sponsor ?? phase ?? country))
      throw invalid("", "give at least one of query, nctId, status, sponsor, phase and country");
    const advanced = [
      ...(phase === undefined ? [] : [phaseFilter(phase)]),
      ...(country === undefined ? [] : [countryFilter(country)]),
    ];
    return {
      "query.term": query === undefined ? undefined : toWords("query", query),
      "query.spons": sponsor === undefined ? undefined : toWords("sponsor", sponsor),
      "filter.ids": nctId,
      "filter.overallStatus": status,
      "filter.advanced": advanced.join(" AND ") || undefined,
      pageSize,
      pageToken,
      countTotal: true,
      format: "json",
      fields: FIELDS,
    };
  },
  async run(query, ctx) {
    const { studies, totalCount, nextPageToken } = await upstream(ctx, clinicalTrials).get("/studies", {
      query,
      schema: z.object({
        studies: identifiedRows(study(), NAMES, COMMON),
        // Only first pages have it, whatever is requested.
        totalCount: number(),
        nextPageToken: sentLabel(),
      }),
      ttlMs: HOUR_MS,
    });
    const meta = { nextPageToken, pageSize: query.pageSize };
    return { items: studies.map(toItem), total: totalCount, meta };
  },
});

function toItem({ protocolSection, hasResults }: Study) {
  const { identificationModule, statusModule, designModule, eligibilityModule } = protocolSection;
  const { nctId, briefTitle, officialTitle, acronym } = identificationModule;
  const sponsor = protocolSection.sponsorCollaboratorsModule.leadSponsor;
  const interventions = protocolSection.armsInterventionsModule.interventions;
  const locations = protocolSection.contactsLocationsModule.locations;
  return {
    nctId,
    briefTitle,
    officialTitle,
    acronym,
    status: statusModule.overallStatus,
    studyType: designModule.studyType,
    phases: designModule.phases,
    conditions: protocolSection.conditionsModule.conditions,
    interventions: interventions.flatMap(({ name }) => name ?? []),
    sponsor: sponsor?.name ?? null,
    sponsorClass: sponsor?.class ?? null,
    enrollment: designModule.enrollmentInfo?.count ?? null,
    startDate: statusModule.startDateStruct,
    primaryCompletionDate: statusModule.primaryCompletionDateStruct,
    completionDate: statusModule.completionDateStruct,
    lastUpdated: statusModule.lastUpdatePostDateStruct,
    minimumAge: eligibilityModule.minimumAge,
    maximumAge: eligibilityModule.maximumAge,
    sex: eligibilityModule.sex,
    countries: [...new Set(locations.flatMap(({ country }) => country ?? []))],
    hasResults,
    briefSummary: protocolSection.descriptionModule.briefSummary,
    url: studyUrl(nctId),
  };
}
