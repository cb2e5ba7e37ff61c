/** A holiday. */

export const HOLIDAY_TYPES = ["public", "bank", "school", "optional", "observance"] as const;
export type HolidayType = (typeof HOLIDAY_TYPES)[number];

export interface Holiday {
  /** YYYY-MM-DD, the first day. */
  date: string;
  /** Full days covered, at least 1. */
  days: number;
  /** A holiday that begins at noon or lasts an afternoon. */
  partDay: boolean;
  name: string;
  type: HolidayType;
  substitute: boolean;
  rule: string;
  note: string | null;
  /** Computed from a lunar calendar whose days are announced or observed: it may differ by one or two days. */
  estimated: boolean;
}
