import type { Airport } from "./row.js";

const FIELDS = ["iataCode", "icaoCode", "gpsCode", "localCode", "ident"] as const;
type CodeField = (typeof FIELDS)[number];

/** Fields to search by the code's length: IATA codes have three letters, ICAO codes four. */
const ORDER: Record<number, CodeField[]> = {
  3: ["iataCode", "localCode", "ident"],
  4: ["icaoCode", "gpsCode", "ident", "localCode"],
  5: ["ident", "localCode", "gpsCode"],
};

/** The most likely row for a code of 3 to 5 characters, in upper case. */
export type RowOfCode = (code: string) => number | undefined;

/** Collects the codes of airports. If several have one code, the most important gets it. */
export function collectCodes() {
  const ranks: number[] = [];
  const rowsOf = Object.fromEntries(FIELDS.map((field) => [field, new Map()])) as RowsByCode;
  return {
    add(row: number, airport: Airport): void {
      const rank = rankOf(airport);
      ranks[row] = rank;
      for (const field of FIELDS) {
        const code = airport[field]?.toUpperCase();
        if (!code || !ORDER[code.length]?.includes(field)) continue;
        const holder = rowsOf[field].get(code);
        if (holder === undefined || rank < (ranks[holder] ?? 0)) rowsOf[field].set(code, row);
      }
    },
    finish: () => rowOfCode(rowsOf),
  };
}

type RowsByCode = Record<CodeField, Map<string, number>>;

function rowOfCode(rowsOf: RowsByCode): RowOfCode {
  return (code) => {
    const field = ORDER[code.length]?.find((name) => rowsOf[name].has(code));
    return field && rowsOf[field].get(code);
  };
}

/** Far above the existing ids, which are the last digits of a rank. */
const MAX_ID = 1e10;
const SIZES = ["large_airport", "medium_airport", "small_airport"];

/** Lower is better: open before closed, then the larger, then the one with scheduled service, then the older entry. */
function rankOf({ type, scheduledService, id }: Airport): number {
  const size = SIZES.includes(type) ? SIZES.indexOf(type) : SIZES.length;
  const steps = type === "closed" ? SIZES.length + 1 : size;
  return (steps * 2 + (scheduledService ? 0 : 1)) * MAX_ID + Math.min(id, MAX_ID - 1);
}
