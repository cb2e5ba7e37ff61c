/** A study as ClinicalTrials.gov has it: modules of which any may be missing, and any field of them. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";

const orNull = <Item extends z.ZodType>(item: Item) => item.nullish().transform((value) => value ?? null);
const label = () => orNull(z.string());
const labels = () => list(z.string());
const list = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item)
    .nullish()
    .transform((items) => items ?? []);
/** Dates may lack their day: "2016-07". */
const day = () => z.object({ date: label() }).nullish();
const party = () => z.object({ name: label(), class: label() });
const outcome = () => z.object({ measure: label(), description: label(), timeFrame: label() });
const meshModule = () => z.object({ meshes: list(z.object({ id: label(), term: label() })) }).nullish();

const identification = () =>
  z.object({
    nctId: z.string(),
    briefTitle: z.string(),
    officialTitle: label(),
    acronym: label(),
    organization: z.object({ fullName: label() }).nullish(),
  });

const status = () =>
  z.object({
    overallStatus: z.string(),
    whyStopped: label(),
    startDateStruct: day(),
    primaryCompletionDateStruct: day(),
    completionDateStruct: day(),
    studyFirstPostDateStruct: day(),
    lastUpdatePostDateStruct: day(),
    resultsFirstPostDateStruct: day(),
  });

const design = () =>
  z.object({
    studyType: label(),
    phases: labels(),
    designInfo: z
      .object({
        allocation: label(),
        interventionModel: label(),
        primaryPurpose: label(),
        maskingInfo: z.object({ masking: label(), whoMasked: labels() }).nullish(),
      })
      .nullish(),
    enrollmentInfo: z.object({ count: orNull(z.number()), type: label() }).nullish(),
  });

const armsInterventions = () =>
  z.object({
    armGroups: list(z.object({ label: label(), type: label(), description: label(), interventionNames: labels() })),
    interventions: list(
      z.object({ type: label(), name: label(), description: label(), otherNames: labels(), armGroupLabels: labels() }),
    ),
  });

const eligibility = () =>
  z.object({
    eligibilityCriteria: label(),
    healthyVolunteers: orNull(z.boolean()),
    sex: label(),
    minimumAge: label(),
    maximumAge: label(),
    stdAges: labels(),
  });

const contactsLocations = () =>
  z.object({
    centralContacts: list(z.object({ name: label(), role: label(), phone: label() })),
    overallOfficials: list(z.object({ name: label(), affiliation: label(), role: label() })),
    locations: list(
      z.object({
        facility: label(),
        status: label(),
        city: label(),
        state: label(),
        zip: label(),
        country: label(),
        geoPoint: z.object({ lat: z.number(), lon: z.number() }).nullish(),
      }),
    ),
  });

export const study = lazySchema(() =>
  z.object({
    protocolSection: z.object({
      identificationModule: identification(),
      statusModule: status(),
      sponsorCollaboratorsModule: z.object({ leadSponsor: party().nullish(), collaborators: list(party()) }).nullish(),
      descriptionModule: z.object({ briefSummary: label(), detailedDescription: label() }).nullish(),
      conditionsModule: z.object({ conditions: labels(), keywords: labels() }).nullish(),
      designModule: design().nullish(),
      armsInterventionsModule: armsInterventions().nullish(),
      outcomesModule: z.object({ primaryOutcomes: list(outcome()), secondaryOutcomes: list(outcome()) }).nullish(),
      eligibilityModule: eligibility().nullish(),
      contactsLocationsModule: contactsLocations().nullish(),
      referencesModule: z
        .object({ references: list(z.object({ pmid: label(), type: label(), citation: label() })) })
        .nullish(),
    }),
    derivedSection: z.object({ conditionBrowseModule: meshModule(), interventionBrowseModule: meshModule() }).nullish(),
    hasResults: orNull(z.boolean()),
  }),
);
export type Study = z.output<ReturnType<typeof study>>;

export const studyUrl = (nctId: string) => `https://clinicaltrials.gov/study/${nctId}`;

export const nctId = () =>
  z.string().regex(/^[Nn][Cc][Tt]\d{8}$/, { error: "must be NCT followed by 8 digits, such as NCT02576665" });
