import type { Airport } from "./row.js";

/** From the largest to the smallest; then former airports. */
export const AIRPORT_TYPES = [
  "large_airport",
  "medium_airport",
  "small_airport",
  "heliport",
  "seaplane_base",
  "balloonport",
  "closed",
] as const;
export type AirportType = (typeof AIRPORT_TYPES)[number];

export interface AirportFilter {
  type?: AirportType | undefined;
  /** Two upper-case letters. */
  country?: string | undefined;
  scheduledService?: boolean | undefined;
}

/** A predicate for the rows of a filter. Closed airports match only if requested. */
export type RowFilter = (filter: AirportFilter) => (row: number) => boolean;

const typeNumber = (type: string): number => (AIRPORT_TYPES as readonly string[]).indexOf(type) + 1;
const CLOSED = typeNumber("closed");

/** Collects the filtered fields, a few bytes a row. */
export function collectFilters() {
  const types: number[] = [];
  const countries: number[] = [];
  const scheduled: number[] = [];
  return {
    add({ type, isoCountry, scheduledService }: Airport): void {
      types.push(typeNumber(type));
      countries.push(countryNumber(isoCountry ?? ""));
      scheduled.push(Number(scheduledService));
    },
    finish: () => rowFilter(Uint8Array.from(types), Uint16Array.from(countries), Uint8Array.from(scheduled)),
  };
}

function rowFilter(types: Uint8Array, countries: Uint16Array, scheduled: Uint8Array): RowFilter {
  return (filter) => {
    const type = filter.type && typeNumber(filter.type);
    const country = filter.country && countryNumber(filter.country);
    const service = filter.scheduledService === undefined ? undefined : Number(filter.scheduledService);
    return (row) =>
      (type === undefined ? types[row] !== CLOSED : types[row] === type) &&
      (country === undefined || countries[row] === country) &&
      (service === undefined || scheduled[row] === service);
  };
}

/** Two letters as one number; 0 for anything else. */
const countryNumber = (code: string): number => (code.length === 2 ? code.charCodeAt(0) * 256 + code.charCodeAt(1) : 0);
