/** One party that is excluded from US federal contracts. Of persons no address is read. */
export interface Exclusion {
  name: string;
  /** Firm, Individual, Vessel, Special Entity Designation. */
  classification: string | null;
  exclusionType: string | null;
  program: string | null;
  agency: string | null;
  uei: string | null;
  /** ISO 3166-1 alpha-3, as SAM.gov has it. */
  country: string | null;
  activeDate: string | null;
  /** Null where the exclusion has no end. */
  terminationDate: string | null;
}

export const isPerson = (classification: string | null): boolean => classification?.toLowerCase() === "individual";

/** Where people look for exclusions. */
export const SAM_URL = "https://sam.gov/search/?index=ex";

/** Days as SAM.gov writes them: 10/30/2023 in its extract, 10-30-2023 in its API. */
export function samDay(text: string | null | undefined): string | null {
  const [, month, day, year] = /^(\d{2})[/-](\d{2})[/-](\d{4})$/.exec(text?.trim() ?? "") ?? [];
  return year ? `${year}-${month}-${day}` : null;
}
