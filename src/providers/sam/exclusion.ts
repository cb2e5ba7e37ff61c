/** One party that is excluded from US federal contracts. Persons' addresses are not read. */
export interface Exclusion {
  name: string;
  /** Firm, Individual, Vessel, Special Entity Designation. */
  classification: string | null;
  exclusionType: string | null;
  program: string | null;
  agency: string | null;
  uei: string | null;
  /** ISO 3166-1 alpha-3, as in SAM.gov. */
  country: string | null;
  activeDate: string | null;
  /** Null if the exclusion has no end. */
  terminationDate: string | null;
}

export const isPerson = (classification: string | null): boolean => classification?.toLowerCase() === "individual";

/** Search page for exclusions, for people. */
export const SAM_URL = "https://sam.gov/search/?index=ex";

/** Parses days of SAM.gov: 10/30/2023 in its extract, 10-30-2023 in its API. */
export function samDay(text: string | null | undefined): string | null {
  const [, month, day, year] = /^(\d{2})[/-](\d{2})[/-](\d{4})$/.exec(text?.trim() ?? "") ?? [];
  return year ? `${year}-${month}-${day}` : null;
}
