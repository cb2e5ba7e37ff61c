import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { unavailableIn } from "../../capability/facts.js";
import { one } from "../../capability/output.js";
import { sourceOf } from "../../capability/provider.js";
import { CapabilityError } from "../../errors.js";
import { DAY_MS, HOUR_MS } from "../../lib/time.js";
import { clinicalTrials } from "../../providers/clinical-trials/provider.js";
import { nctId, type Study, study, studyUrl } from "../../providers/clinical-trials/study.js";
import { segments, upstream } from "../../upstream/client.js";

const MAX_LOCATIONS = 200;

const label = () => z.string().nullable();
const labels = () => z.array(z.string());
const outcomes = () => z.array(z.object({ measure: label(), description: label(), timeFrame: label() }));
const meshTerms = () => z.array(z.object({ id: label(), term: label() }));

export const clinicalStudyDetail = /* @__PURE__ */ defineCapability({
  id: "clinical.study-detail",
  summary: "One clinical trial of ClinicalTrials.gov in full: design, arms, outcomes, eligibility, sites, references.",
  keywords: ["clinical study", "nct", "protocol", "eligibility criteria", "drug trial", "enrollment", "medicine"],
  price: "0.00144",
  provider: clinicalTrials,
  input: () => z.strictObject({ nctId: nctId().describe("Registry number, such as NCT02576665") }),
  output: one(() =>
    z.object({
      nctId: z.string(),
      briefTitle: z.string(),
      officialTitle: label(),
      acronym: label(),
      status: z.string(),
      whyStopped: label(),
      studyType: label(),
      phases: labels(),
      sponsor: z.object({ name: label(), class: label() }).nullable(),
      collaborators: z.array(z.object({ name: label(), class: label() })),
      briefSummary: label().describe("Markdown"),
      detailedDescription: label().describe("Markdown"),
      conditions: labels(),
      keywords: labels(),
      design: z.object({
        allocation: label(),
        interventionModel: label(),
        primaryPurpose: label(),
        masking: label(),
        whoMasked: labels(),
      }),
      enrollment: z.object({ count: z.number().nullable(), type: label() }).nullable(),
      arms: z.array(z.object({ label: label(), type: label(), description: label(), interventionNames: labels() })),
      interventions: z.array(
        z.object({
          type: label(),
          name: label(),
          description: label(),
          otherNames: labels(),
          armGroupLabels: labels(),
        }),
      ),
      primaryOutcomes: outcomes(),
      secondaryOutcomes: outcomes(),
      eligibility: z.object({
        criteria: label().describe("Markdown"),
        sex: label(),
        minimumAge: label(),
        maximumAge: label(),
        healthyVolunteers: z.boolean().nullable(),
        stdAges: labels(),
      }),
      locations: z
        .array(
          z.object({
            facility: label(),
            city: label(),
            state: label(),
            zip: label(),
            country: label(),
            status: label(),
            latitude: z.number().nullable(),
            longitude: z.number().nullable(),
          }),
        )
        .describe(`At most ${MAX_LOCATIONS}`),
      locationCount: z.number(),
      contacts: z.array(z.object({ name: label(), role: label(), phone: label() })),
      officials: z.array(z.object({ name: label(), affiliation: label(), role: label() })),
      references: z.array(z.object({ pmid: label(), type: label(), citation: label() })),
      meshConditions: meshTerms(),
      meshInterventions: meshTerms(),
      startDate: label().describe("YYYY-MM-DD or YYYY-MM, as the other dates"),
      primaryCompletionDate: label(),
      completionDate: label(),
      firstPosted: label(),
      lastUpdated: label(),
      resultsFirstPosted: label(),
      hasResults: z.boolean().nullable(),
      organization: label(),
      url: z.string(),
    }),
  ),
  example: { nctId: "NCT02576665" },
  async run({ nctId }, ctx) {
    const answer = await upstream(ctx, clinicalTrials).get(segments("studies", nctId), {
      // Results alone can have megabytes.
      query: { format: "json", fields: "protocolSection,derivedSection,hasResults" },
      schema: study(),
      // An unassigned number is "of incorrect format", which is a 400.
      absent: [400, 404],
      ttlMs: 12 * HOUR_MS,
      staleMs: 7 * DAY_MS,
    });
    if (!answer) throw new CapabilityError("NOT_FOUND", "ClinicalTrials.gov has no study of this number.");
    const item = toItem(answer);
    const meta = unavailableIn([item], {
      arms: ["arms", "interventions"],
      eligibility: ["eligibility.criteria", "eligibility.sex", "eligibility.minimumAge", "eligibility.maximumAge"],
      sites: ["locations"],
    });
    return { item, meta, source: { ...sourceOf(clinicalTrials), url: item.url } };
  },
});

function toItem({ protocolSection, derivedSection, hasResults }: Study) {
  const { identificationModule, sponsorCollaboratorsModule, designModule } = protocolSection;
  const { nctId, briefTitle, officialTitle, acronym, organization } = identificationModule;
  const contacts = protocolSection.contactsLocationsModule;
  return {
    nctId,
    briefTitle,
    officialTitle,
    acronym,
    ...statusAndDates(protocolSection.statusModule),
    studyType: designModule.studyType,
    phases: designModule.phases,
    sponsor: sponsorCollaboratorsModule.leadSponsor,
    collaborators: sponsorCollaboratorsModule.collaborators,
    briefSummary: protocolSection.descriptionModule.briefSummary,
    detailedDescription: protocolSection.descriptionModule.detailedDescription,
    conditions: protocolSection.conditionsModule.conditions,
    keywords: protocolSection.conditionsModule.keywords,
    design: toDesign(designModule.designInfo),
    enrollment: designModule.enrollmentInfo,
    arms: protocolSection.armsInterventionsModule.armGroups,
    interventions: protocolSection.armsInterventionsModule.interventions,
    primaryOutcomes: protocolSection.outcomesModule.primaryOutcomes,
    secondaryOutcomes: protocolSection.outcomesModule.secondaryOutcomes,
    eligibility: toEligibility(protocolSection.eligibilityModule),
    locations: contacts.locations.slice(0, MAX_LOCATIONS).map(toLocation),
    locationCount: contacts.locations.length,
    contacts: contacts.centralContacts,
    officials: contacts.overallOfficials,
    references: protocolSection.referencesModule.references,
    meshConditions: derivedSection.conditionBrowseModule.meshes,
    meshInterventions: derivedSection.interventionBrowseModule.meshes,
    hasResults,
    organization: organization.fullName,
    url: studyUrl(nctId),
  };
}

type Protocol = Study["protocolSection"];

const statusAndDates = (status: Protocol["statusModule"]) => ({
  status: status.overallStatus,
  whyStopped: status.whyStopped,
  startDate: status.startDateStruct,
  primaryCompletionDate: status.primaryCompletionDateStruct,
  completionDate: status.completionDateStruct,
  firstPosted: status.studyFirstPostDateStruct,
  lastUpdated: status.lastUpdatePostDateStruct,
  resultsFirstPosted: status.resultsFirstPostDateStruct,
});

const toDesign = (info: Protocol["designModule"]["designInfo"]) => ({
  allocation: info.allocation,
  interventionModel: info.interventionModel,
  primaryPurpose: info.primaryPurpose,
  masking: info.maskingInfo.masking,
  whoMasked: info.maskingInfo.whoMasked,
});

const toEligibility = (eligibility: Protocol["eligibilityModule"]) => ({
  criteria: eligibility.eligibilityCriteria,
  sex: eligibility.sex,
  minimumAge: eligibility.minimumAge,
  maximumAge: eligibility.maximumAge,
  healthyVolunteers: eligibility.healthyVolunteers,
  stdAges: eligibility.stdAges,
});

type Location = Protocol["contactsLocationsModule"]["locations"][number];

function toLocation({ geoPoint, ...place }: Location) {
  return { ...place, latitude: geoPoint.lat, longitude: geoPoint.lon };
}
