/**
 * The one place that knows time zones. Rules come from a table of this package, or from the host's data where that is of
 * a newer release.
 */
import { lazy, once } from "./lazy.js";
import { hostRelease, hostZone } from "./zones/host-zone.js";
import { type PackedZone, packedZone, TABLE_BEGIN } from "./zones/packed-zone.js";
import { type NamedZone, numericLetters, type Zone } from "./zones/zone.js";

export { fixedZone, type NamedZone, type Zone } from "./zones/zone.js";

/** Whose data an answer is from, and of which release; null where the platform does not tell. */
export interface ZoneData {
  source: "package" | "host";
  release: string | null;
}

export interface Zones {
  /** Opens an IANA name that `isTimeZone` accepts. */
  open(name: string): NamedZone;
  /** Times before 1970 are always read from the host. */
  dataAt(instant: number): ZoneData;
}

/** An IANA name; an offset such as `+02:00` is refused, because it has no daylight saving. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return false;
  return canonicalName(name) !== undefined;
}

/** The host's name of a zone; undefined if it knows none. */
function canonicalName(timeZone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone;
  } catch {
    return;
  }
}

const table = /* @__PURE__ */ lazy(async () => {
  const { STEP_SIGNS, STEP_UNIT, STEPS, ZONES, ZONES_RELEASE } = await import("./zones/zone-table.js");
  const lines = new Map<string, string>();
  for (const line of ZONES.trim().split("\n"))
    for (const name of line.slice(0, line.indexOf("|")).split(" ")) lines.set(name.toLowerCase(), line);
  const lengths = STEPS.split(" ").map((step) => Number.parseInt(step, 36));
  const bySign = new Map(lengths.map((length, index) => [STEP_SIGNS[index] ?? "", length]));
  return { lines, steps: { unit: STEP_UNIT * 1000, bySign }, release: ZONES_RELEASE };
});

/** Loads the rules on first use. Give a release to read them as a host with data of that release does. */
export async function openZones(host: string | undefined = hostRelease()): Promise<Zones> {
  const { lines, steps, release } = await table();
  // Releases are named by a year and a letter, so they sort as text.
  const isHostNewer = host !== undefined && host > release;
  const hosts: ZoneData = { source: "host", release: host ?? null };
  return {
    dataAt: (instant) => (isHostNewer || instant < TABLE_BEGIN ? hosts : { source: "package", release }),
    open(name) {
      const line = lines.get(name.toLowerCase()) ?? lines.get(canonicalName(name)?.toLowerCase() ?? "");
      const older = once(() => hostZone(name));
      const packed = line === undefined ? undefined : packedZone(line, steps, older);
      return isHostNewer || packed === undefined ? lettered(older(), packed) : packed;
    },
  };
}

/** Opens one zone by its IANA name. */
export const openZone = async (name: string): Promise<NamedZone> => (await openZones()).open(name);

/** Hosts know letters of a few countries only, so they are the table's wherever it has the same offset. */
const lettered = (zone: Zone, packed: PackedZone | undefined): NamedZone => ({
  ...zone,
  lettersAt(instant) {
    const offset = zone.offsetAt(instant);
    return packed?.lettersOf(offset, instant) ?? numericLetters(offset);
  },
});
