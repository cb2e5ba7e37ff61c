/** Segments of electronic data interchange, and the characters that part them. */

/** A text, its components, or repetitions of either. */
export type Value = string | string[];
export type ElementValue = Value | { repeat: Value[] };

export interface Segment {
  tag: string;
  elements: ElementValue[];
}

export interface PlacedSegment extends Segment {
  /** Offset of the tag in the text. */
  at: number;
  end: number;
  isEnded: boolean;
}

export interface Delimiters {
  element: string;
  component: string;
  segment: string;
  /** Between the tag and the first element; TRADACOMS has its own. */
  tag: string;
  repetition: string | null;
  /** Before a delimiter that is meant as text. */
  release: string | null;
  decimal: string | null;
}

export interface SegmentFault {
  code: "segment-count" | "control-number" | "group-count" | "delimiter" | "unfinished";
  /** In UTF-16 units from 0. */
  position: number;
}

/** More are told by none: a file that is wrong throughout needs no longer list. */
const MAX_FAULTS = 1000;

export class Faults {
  readonly list: SegmentFault[] = [];

  add(code: SegmentFault["code"], position: number): void {
    if (this.list.length < MAX_FAULTS) this.list.push({ code, position });
  }
}

/** The text of an element or of its first component. */
export function first(element: ElementValue | undefined): string {
  return (part(element, 0) ?? "").trim();
}

/** A component; the first one of an element that has none. */
export function part(element: ElementValue | undefined, at: number): string | undefined {
  if (element === undefined) return undefined;
  if (typeof element === "string") return at === 0 ? element : undefined;
  return Array.isArray(element) ? element[at] : part(element.repeat[0], at);
}

/** Numbers of control may have other leading zeros. */
export const isSameControl = (a: string, b: string): boolean => {
  const plain = (text: string) => (/^\d+$/.test(text) ? text.replace(/^0+(?=\d)/, "") : text);
  return plain(a) === plain(b);
};

/** YYMMDD or YYYYMMDD as an ISO date; null for anything else. Years from 70 on are of the last century. */
export function ediDate(text: string): string | null {
  const [, century, year = "", month = "", day = ""] = /^(\d\d)?(\d\d)(\d\d)(\d\d)$/.exec(text) ?? [];
  if (year === "" || Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > 31) return null;
  return `${century ?? (Number(year) < 70 ? "20" : "19")}${year}-${month}-${day}`;
}

/** HHMM or HHMMSS with colons; null for anything else. */
export function isoTime(text: string): string | null {
  const [, hours = "", minutes = "", seconds] = /^([01]\d|2[0-3])([0-5]\d)([0-5]\d)?\d{0,2}$/.exec(text) ?? [];
  if (hours === "") return null;
  return [hours, minutes, ...(seconds ? [seconds] : [])].join(":");
}
