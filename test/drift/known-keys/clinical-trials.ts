import type { KnownKeys } from "../../support/render-inventories.js";

const PROTOCOL: Record<string, string> = {
  "": "identificationModule statusModule sponsorCollaboratorsModule oversightModule descriptionModule conditionsModule designModule armsInterventionsModule outcomesModule eligibilityModule contactsLocationsModule referencesModule ipdSharingStatementModule",
  identificationModule:
    "nctId nctIdAliases orgStudyIdInfo secondaryIdInfos organization briefTitle officialTitle acronym",
  statusModule:
    "statusVerifiedDate overallStatus lastKnownStatus delayedPosting whyStopped expandedAccessInfo startDateStruct primaryCompletionDateStruct completionDateStruct studyFirstSubmitDate studyFirstSubmitQcDate studyFirstPostDateStruct resultsWaived resultsFirstSubmitDate resultsFirstSubmitQcDate resultsFirstPostDateStruct dispFirstSubmitDate dispFirstSubmitQcDate dispFirstPostDateStruct lastUpdateSubmitDate lastUpdatePostDateStruct",
  "statusModule.startDateStruct": "date type",
  "statusModule.completionDateStruct": "date type",
  sponsorCollaboratorsModule: "responsibleParty leadSponsor collaborators",
  "sponsorCollaboratorsModule.leadSponsor": "name class",
  descriptionModule: "briefSummary detailedDescription",
  conditionsModule: "conditions keywords",
  designModule:
    "studyType nPtrsToThisExpAccNctId expandedAccessTypes patientRegistry targetDuration phases designInfo enrollmentInfo bioSpec",
  "designModule.enrollmentInfo": "count type",
  armsInterventionsModule: "armGroups interventions",
  "armsInterventionsModule.interventions[]": "type name description armGroupLabels otherNames",
  eligibilityModule:
    "eligibilityCriteria healthyVolunteers sex genderBased genderDescription minimumAge maximumAge stdAges studyPopulation samplingMethod",
  contactsLocationsModule: "centralContacts overallOfficials locations",
  "contactsLocationsModule.locations[]": "facility status city state zip country contacts countryCode geoPoint",
  "contactsLocationsModule.locations[].geoPoint": "lat lon",
};
const RARE = [
  ...["descriptionModule", "conditionsModule", "designModule", "armsInterventionsModule", "contactsLocationsModule"],
  ...["eligibilityModule", "statusModule.startDateStruct", "statusModule.completionDateStruct", "designModule.phases"],
  ...["designModule.enrollmentInfo", "armsInterventionsModule.interventions", "contactsLocationsModule.locations"],
  ...["armsInterventionsModule.interventions[].otherNames", "eligibilityModule.minimumAge"],
  ...["eligibilityModule.maximumAge", "eligibilityModule.sex", "eligibilityModule.eligibilityCriteria"],
  ...["facility", "city", "state", "zip", "country", "geoPoint"].map(
    (name) => `contactsLocationsModule.locations[].${name}`,
  ),
];
const below = (place: string, one: string) => (one === "" ? place : `${place}.${one}`);
const at = (place: string) => ({
  objects: Object.fromEntries(Object.entries(PROTOCOL).map(([one, keys]) => [below(place, one), keys])),
  rare: RARE.map((one) => below(place, one)),
});
const SOURCE = "clinicaltrials.gov/data-api/about-api/study-data-structure";
const STUDY = "protocolSection resultsSection annotationSection documentSection derivedSection hasResults";

/** A withheld study has an identification and a status, and little else. */
export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/api/v2/studies/*",
    source: SOURCE,
    objects: { "": STUDY, ...at("protocolSection").objects },
    rare: at("protocolSection").rare,
  },
  {
    path: "/api/v2/studies",
    source: SOURCE,
    objects: {
      "": "studies totalCount nextPageToken",
      "studies[]": STUDY,
      ...at("studies[].protocolSection").objects,
    },
    rare: at("studies[].protocolSection").rare,
  },
];
