/** A study of ClinicalTrials.gov: modules that may be missing, with fields that may be missing. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import { flag, label, labels, list, maybe, number, part, reaching, whole, wholeOrNone } from "../../upstream/fields.js";

/** Dates may lack their day: "2016-07". */
const date = () => wholeOrNone({ date: label() }).transform((struct) => struct.date);
const party = () => whole({ name: label() }, { class: label() });
const outcome = () => z.object({ measure: label(), description: label(), timeFrame: label() });
const meshModule = () => part({ meshes: list(z.object({ id: label(), term: label() })) });

const identification = () =>
  z.object({
    nctId: z.string(),
    briefTitle: z.string(),
    officialTitle: label(),
    acronym: label(),
    organization: part({ fullName: label() }),
  });

const status = () =>
  z.object({
    overallStatus: z.string(),
    whyStopped: label(),
    startDateStruct: date(),
    primaryCompletionDateStruct: date(),
    completionDateStruct: date(),
    studyFirstPostDateStruct: date(),
    lastUpdatePostDateStruct: date(),
    resultsFirstPostDateStruct: date(),
  });

const design = () =>
  part({
    studyType: label(),
    phases: labels(),
    designInfo: part({
      allocation: label(),
      interventionModel: label(),
      primaryPurpose: label(),
      maskingInfo: part({ masking: label(), whoMasked: labels() }),
    }),
    enrollmentInfo: maybe(whole({ count: number() }, { type: label() })),
  });

const armsInterventions = () =>
  part({
    armGroups: list(z.object({ label: label(), type: label(), description: label(), interventionNames: labels() })),
    interventions: list(
      whole({ name: label() }, { type: label(), description: label(), otherNames: labels(), armGroupLabels: labels() }),
    ),
  });

const eligibility = () =>
  part({
    eligibilityCriteria: label(),
    healthyVolunteers: flag(),
    sex: label(),
    minimumAge: label(),
    maximumAge: label(),
    stdAges: labels(),
  });

const contactsLocations = () =>
  part({
    centralContacts: list(z.object({ name: label(), role: label(), phone: label() })),
    overallOfficials: list(z.object({ name: label(), affiliation: label(), role: label() })),
    locations: list(
      whole(
        { country: label() },
        {
          city: label(),
          facility: label(),
          status: label(),
          state: label(),
          zip: label(),
          geoPoint: wholeOrNone({ lat: number(), lon: number() }),
        },
      ),
    ),
  });

/** Fields of every study that is not withheld. */
const REGISTERED = [
  "sponsorCollaboratorsModule.leadSponsor",
  "descriptionModule.briefSummary",
  "conditionsModule.conditions",
  "designModule.studyType",
];

const isWithheld = (section: unknown): boolean =>
  (section as { statusModule?: { overallStatus?: unknown } } | null)?.statusModule?.overallStatus === "WITHHELD";

export const study = lazySchema(() =>
  z.object({
    protocolSection: z
      .unknown()
      .check(reaching(REGISTERED, isWithheld))
      .pipe(
        z.object({
          identificationModule: identification(),
          statusModule: status(),
          sponsorCollaboratorsModule: part({ leadSponsor: maybe(party()), collaborators: list(party()) }),
          descriptionModule: part({ briefSummary: label(), detailedDescription: label() }),
          conditionsModule: part({ conditions: labels(), keywords: labels() }),
          designModule: design(),
          armsInterventionsModule: armsInterventions(),
          outcomesModule: part({ primaryOutcomes: list(outcome()), secondaryOutcomes: list(outcome()) }),
          eligibilityModule: eligibility(),
          contactsLocationsModule: contactsLocations(),
          referencesModule: part({
            references: list(z.object({ pmid: label(), type: label(), citation: label() })),
          }),
        }),
      ),
    derivedSection: part({ conditionBrowseModule: meshModule(), interventionBrowseModule: meshModule() }),
    hasResults: flag(),
  }),
);
/** Of a list. */
export const NAMES = ["protocolSection.identificationModule.nctId", "protocolSection.identificationModule.briefTitle"];

export type Study = z.output<ReturnType<typeof study>>;

export const studyUrl = (nctId: string) => `https://clinicaltrials.gov/study/${nctId}`;

export const nctId = () =>
  z
    .string()
    .regex(/^[Nn][Cc][Tt]\d{8}$/, { error: "must be NCT followed by 8 digits, such as NCT02576665" })
    .toUpperCase();
