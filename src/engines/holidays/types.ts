/** What a holiday is. */

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
  /** Computed from a calendar of the moon, where the day is announced or seen: it may be off by one or two. */
  estimated: boolean;
}
