/** The weather stations of GHCN-Daily: one file of about 130,000 lines, kept as an index by id and by place. */
import { access } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type KDBush from "kdbush";
import type { Context } from "../../capability/types.js";
import { indexPlaces } from "../../engines/places/nearest.js";
import { CapabilityError } from "../../errors.js";
import { DAY_MS } from "../../lib/time.js";
import { type BulkFile, type Loaded, loadBulk } from "../../upstream/bulk/bulk.js";
import { linesOf } from "../../upstream/bulk/lines.js";
import { packTexts } from "../../upstream/bulk/packed-texts.js";
import { ncei } from "./provider.js";
import { isStation, readStation, type Station } from "./station-line.js";

export interface Stations {
  /** The places of all rows, for `findNear`. */
  places: KDBush;
  at(row: number): Station;
  has(id: string): boolean;
}

const stationFile: BulkFile<Stations> = {
  name: "ghcnd-stations.txt",
  provider: ncei,
  url: `${ncei.baseUrl}/pub/data/ghcn/daily/ghcnd-stations.txt`,
  maxAgeMs: 7 * DAY_MS,
  maxBytes: 64 * 1024 * 1024,
  build: indexStations,
};

export const loadStations = (ctx: Context): Promise<Loaded<Stations>> => loadBulk(ctx, stationFile);

/** The stations, if they are already in the data folder: optional facts do not justify a download. */
export async function stationsAtHand(ctx: Context): Promise<Stations | undefined> {
  try {
    await access(join(ctx.dataDir, stationFile.name));
    return (await loadStations(ctx)).index;
  } catch {
    return undefined;
  }
}

/** Reads the file line by line. Rejects with UPSTREAM_SCHEMA if its first line or most lines are not stations. */
async function indexStations(file: Readable): Promise<Stations> {
  const lines = packTexts();
  const ids = new Set<string>();
  const latitudes: number[] = [];
  const longitudes: number[] = [];
  let unusable = 0;
  for await (const line of linesOf(file)) {
    const station = readStation(line);
    if (isStation(station)) {
      lines.add(line.trimEnd());
      ids.add(station.id);
      latitudes.push(station.latitude);
      longitudes.push(station.longitude);
    } else if (line.trim() !== "" && ++unusable > latitudes.length) throw unreadable();
  }
  if (latitudes.length === 0) throw unreadable();
  const packed = lines.finish();
  return {
    places: await indexPlaces(Float64Array.from(latitudes), Float64Array.from(longitudes)),
    at: (row) => readStation(packed.at(row)),
    has: (id) => ids.has(id),
  };
}

const unreadable = () =>
  new CapabilityError("UPSTREAM_SCHEMA", `${ncei.name} published its station list in an unknown format.`);
