import { factsOf, type SdnEntry } from "./records.js";

/** Identifiers of an airframe; serial numbers are unique per manufacturer only. */
export interface Airframe {
  registration?: string | null;
  icao24?: string | null;
  serialNumber?: string | null;
  manufacturer?: string | null;
  model?: string | null;
}

interface ListedAirframe {
  entry: SdnEntry;
  registration: string;
  icao24: string | undefined;
  serialNumbers: string[];
  makeAndModel: string[];
}

/** The airframes of the list, named by registration, with numbers in the remarks. */
export function listedAirframes(entries: readonly SdnEntry[]): ListedAirframe[] {
  return entries.filter(({ type }) => type === "aircraft").map(toListed);
}

function toListed(entry: SdnEntry): ListedAirframe {
  const facts = factsOf(entry.remarks);
  const after = (label: RegExp) => facts.filter((fact) => label.test(fact)).map((fact) => fact.replace(label, ""));
  const [icao24] = after(/^Aircraft Mode S Transponder Code /);
  return {
    entry,
    registration: bare(entry.name),
    icao24: icao24?.toLowerCase(),
    serialNumbers: after(/^Aircraft (Manufacturer's Serial Number|Construction Number) \(.*\) /).map(bare),
    makeAndModel: after(/^Aircraft Model /).flatMap(wordsOf),
  };
}

/** Whether two airframes are the same: by registration, by address, or by serial number and make. */
export function isSameAirframe(listed: ListedAirframe, airframe: Airframe): boolean {
  if (airframe.registration && bare(airframe.registration) === listed.registration) return true;
  if (airframe.icao24 && airframe.icao24.toLowerCase() === listed.icao24) return true;
  if (!airframe.serialNumber || !listed.serialNumbers.includes(bare(airframe.serialNumber))) return false;
  const words = [airframe.manufacturer, airframe.model].flatMap((text) => wordsOf(text ?? ""));
  return words.some((word) => listed.makeAndModel.includes(word));
}

const bare = (text: string) => text.toUpperCase().replace(/[^A-Z0-9]/g, "");
const wordsOf = (text: string) =>
  text
    .toUpperCase()
    .split(/[\s/]+/)
    .filter(Boolean);
